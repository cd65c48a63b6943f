"""Looks at files become states and facts of the index, together with what that outdates.

Knows nothing of anchors: it says which paths and bodies changed, and others know whom that concerns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from anchormem.model import Digest, FileFacts, FileState
from anchormem.store import facts, files
from anchormem.store.db import Store
from anchormem.workspace.look import Look, choose, parse, same_content, stored


@dataclass(slots=True)
class Intake:
    """What is to be written, and what it changes. `bodies`: hashes of symbols and files that came or went."""

    states: list[FileState] = field(default_factory=list)
    facts: list[FileFacts] = field(default_factory=list)
    removed: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)
    bodies: set[Digest] = field(default_factory=set)

    def write(self, store: Store) -> None:
        """In the derived files. Joins a `deriving` that is open."""
        with store.deriving():
            facts.put_many(store, self.facts)
            files.put_many(store, self.states)
            files.remove(store, self.removed)

    def differs(self, path: str, before: set[Digest], after: set[Digest]) -> None:
        """Notes that a file holds other code than it did."""
        self.paths.add(path)
        self.bodies |= before ^ after


def take_in(
    store: Store, looks: Iterable[Look], before: Mapping[str, FileState], *, parsing: bool = True
) -> tuple[Intake, list[Look]]:
    """What these looks mean. With `parsing` False, contents that no store knows are left over: the second answer."""
    intake, left = Intake(), []
    seen = list(looks)
    known = stored(store, [*before.values(), *(one.state for one in seen if one.state is not None)])
    for one in seen:
        old = before.get(one.path)
        if one.state is not None and old is not None and same_content(old, one.state) and _is_parsed(old, known):
            intake.states.append(replace(one.state, language=old.language))
            continue
        state, new = one.state, choose(one.state, known) if one.state is not None else None
        if new is None and state is not None and state.language is not None and one.source is not None:
            if not parsing:
                left.append(one)
                continue
            parsed = parse(one)
            if parsed is not None:
                state, new = parsed
                intake.facts.append(new)
        absorb(intake, one.path, (old, choose(old, known) if old else None), (state, new))
    return intake, left


def _is_parsed(state: FileState, known: Mapping[tuple[Digest, str], FileFacts]) -> bool:
    return state.language is None or choose(state, known) is not None


def absorb(
    intake: Intake,
    path: str,
    old: tuple[FileState | None, FileFacts | None],
    new: tuple[FileState | None, FileFacts | None],
) -> None:
    """One file that is to be written as `new`, or removed."""
    state, found = new
    if state is None:
        if old[0] is not None:
            intake.removed.add(path)
            intake.differs(path, hashes(*old), set())
        return
    if found is not None:
        state = replace(state, language=found.language)
    intake.states.append(state)
    intake.differs(path, hashes(*old), hashes(state, found))


def hashes(state: FileState | None, found: FileFacts | None) -> set[Digest]:
    """The hashes by which anchors may know a file: its content's and its symbols'."""
    own = {state.content} if state is not None and state.content is not None else set()
    return own | ({symbol.body for symbol in found.symbols} if found is not None else set())

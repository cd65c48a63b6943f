"""Looks at files become states and facts of the index, together with what that outdates.

Knows nothing of anchors: it says which paths and bodies changed, and others know whom that concerns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from anchormem import languages
from anchormem.model import Digest, FileFacts, FileState
from anchormem.store import facts, files
from anchormem.store.db import Store
from anchormem.workspace.look import Look, meant, parse, same_content


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
            if self.removed:
                files.remove(store, self.removed)

    def join(self, other: "Intake") -> None:
        """Takes over what another one of other files holds."""
        self.states += other.states
        self.facts += other.facts
        self.removed |= other.removed
        self.paths |= other.paths
        self.bodies |= other.bodies

    def absorb(self, path: str, old: FileState | None, new: FileState | None, known: "Known") -> None:
        """One file that is to be written as `new` (None: removed) where it was `old`."""
        if new is not None:
            self.states.append(new)
        elif old is not None:
            self.removed.add(path)
        if old is not None or new is not None:
            self.paths.add(path)
            self.bodies |= known.hashes(old) ^ known.hashes(new)


class Known:
    """The hashes by which anchors may know some contents: from the store, and of what was parsed since."""

    def __init__(self, store: Store, states: Iterable[FileState]) -> None:
        wanted = {(state.content, one) for state in states if state.content for one in meant(state.language)}
        self._found: Mapping[tuple[Digest, str], tuple[str, set[Digest]]] = (
            facts.hashes(store, wanted) if wanted else {}
        )
        self._parsed: dict[tuple[Digest, str], set[Digest]] = {}

    def add(self, parsed: FileFacts) -> None:
        """Facts that are not stored yet."""
        if parsed.language is not None:
            self._parsed[parsed.content, parsed.language] = {symbol.body for symbol in parsed.symbols}

    def language(self, state: FileState) -> str | None:
        """The language under which facts of today's epoch are known of this content, None when there are none."""
        for one in meant(state.language):
            key = (state.content or b"", one)
            if key in self._parsed or (key in self._found and self._found[key][0] == languages.epoch(one)):
                return one
        return None

    def hashes(self, state: FileState | None) -> set[Digest]:
        """Of the file and of its symbols, whatever the epoch."""
        if state is None or state.content is None:
            return set()
        keys = [(state.content, one) for one in meant(state.language)]
        bodies = [self._parsed.get(key) or self._found.get(key, ("", set()))[1] for key in keys]
        return {state.content}.union(*bodies)


def take_in(
    store: Store, looks: Iterable[Look], before: Mapping[str, FileState], *, parsing: bool = True
) -> tuple[Intake, list[Look]]:
    """What these looks mean. With `parsing` False, contents that no store knows are left over: the second answer."""
    intake, left, seen = Intake(), [], list(looks)
    known = Known(store, [*before.values(), *(one.state for one in seen if one.state is not None)])
    for one in seen:
        old, new = before.get(one.path), one.state
        language = known.language(new) if new is not None else None
        if new is not None and old is not None and same_content(old, new) and (language or old.language is None):
            intake.states.append(replace(new, language=old.language))
            continue
        if new is not None and language is None and new.language is not None and one.source is not None:
            if not parsing:
                left.append(one)
                continue
            new = _parsed(intake, one, known)
        elif new is not None and language is not None:
            new = replace(new, language=language)
        intake.absorb(one.path, old, new, known)
    return intake, left


def _parsed(intake: Intake, seen: Look, known: Known) -> FileState | None:
    """The state of a look with its facts taken in, where it could be parsed."""
    found = parse(seen)
    if found is None:
        return replace(seen.state, language=None) if seen.state is not None else None
    intake.facts.append(found[1])
    known.add(found[1])
    return found[0]

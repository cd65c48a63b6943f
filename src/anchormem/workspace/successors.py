"""Where lost code lives on in another shape: a renamed file, or the one symbol that is clearly the edited successor.

Only names candidates; what that means for an anchor is reason.resolve.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from anchormem.errors import GitFailed, NotFound
from anchormem.model import Anchor, Slot, Symbol
from anchormem.project import disk
from anchormem.project.disk import Contents
from anchormem.store import facts, files
from anchormem.store.fates import FateRow
from anchormem.workspace.ground import Ground, text_of
from anchormem.workspace.likeness import alike, common, lines, without, words
from anchormem.workspace.past import Memory, Old, commits_of
from anchormem.workspace.scenes import slots_of
from anchormem.workspace.session import Workspace

ALIKE = 0.6  # an edited symbol keeps this share of its words
TELLING = 0.5  # also of those that not every other definition has, its name aside
APART = 0.1  # and no other comes this near
RENAMED = 0.5  # git's own threshold for a renamed file
COMPARED = 50  # files looked into for one lost file

# Kinds that turn into each other when code moves into or out of a class.
_FAMILIES = (
    {"function", "method", "constructor", "accessor"},
    {"constant", "variable", "field", "property", "accessor"},
)


@dataclass(frozen=True, slots=True)
class Trail:
    """Whose successor is looked for, and where."""

    ws: Workspace
    ground: Ground
    memory: Memory
    anchor: Anchor
    row: FateRow | None

    def old(self, path: str) -> tuple[str, Old] | None:
        """The newest commit under which the file was seen and still is there, with the file."""
        for commit in self.commits(path):
            old = self.memory.old(commit, path)
            if old is not None:
                return commit, old
        return None

    def commits(self, path: str) -> Iterator[str]:
        """Where the code was seen; else where the file must have been, though nobody looked."""
        seen = (*commits_of(self.anchor, self.row), "HEAD")
        yield from seen
        if all(self.memory.old(commit, path) is None for commit in seen):
            with suppress(GitFailed):  # as good as no history
                yield from filter(None, (self.memory.before_last_touch(path),))


def successors_of(trail: Trail) -> tuple[Slot, ...]:
    """Candidates at or around the anchor's slots, () when nothing is clear."""
    for slot in slots_of(trail.anchor, trail.row):
        present = trail.ground.view(slot.path)[0] != "absent"
        found = _in_file(trail, slot.path, trail.old(slot.path)) if present else _in_renamed(trail, slot)
        if found:
            return found
    return ()


# ── in the same file ────────────────────────────────────────────────────────────────────────────────────────────────


def _in_file(trail: Trail, path: str, old: tuple[str, Old] | None) -> tuple[Slot, ...]:
    """The new symbol most like the lost one, when no other comes near."""
    known, source, anchor = trail.ground.facts(path), trail.ground.source(path), trail.anchor
    if known is None or source is None or anchor.text is None or not anchor.slot.qualified:
        return ()
    was = trail.memory.facts(old[1]) if old else None
    before = {symbol.qualified for symbol in was.symbols} if was else set()
    if anchor.slot.qualified not in before:
        before = set()
    wanted = words(anchor.text)
    scored = sorted(
        (
            (alike(wanted, words(text_of(source, symbol))), symbol)
            for symbol in known.symbols
            if symbol.qualified not in before and _akin(anchor.kind, symbol.kind)
        ),
        key=lambda pair: (pair[0], pair[1].qualified, pair[1].disambiguator),
        reverse=True,
    )
    if not scored or scored[0][0] < ALIKE or (len(scored) > 1 and scored[0][0] - scored[1][0] < APART):
        return ()
    best = scored[0][1]
    shared = common(words(text_of(source, symbol)) for symbol in _innermost(known.symbols))
    shared |= {best.name, anchor.slot.qualified.rpartition(".")[2]}
    if alike(without(wanted, shared), without(words(text_of(source, best)), shared)) < TELLING:
        return ()
    return (Slot(path, best.qualified, best.disambiguator),)


def _innermost(symbols: Sequence[Symbol]) -> Iterator[Symbol]:
    """Without those that hold others: a class says every word of its methods once more."""
    for symbol, following in zip(symbols, (*symbols[1:], None), strict=True):
        if following is None or following.start_byte >= symbol.end_byte:
            yield symbol


def _akin(one: str, other: str) -> bool:
    return one == other or any(one in family and other in family for family in _FAMILIES)


# ── in a renamed file ───────────────────────────────────────────────────────────────────────────────────────────────


def _in_renamed(trail: Trail, slot: Slot) -> tuple[Slot, ...]:
    old = trail.old(slot.path)
    asked = (slot.path, *commits_of(trail.anchor, trail.row))
    if asked not in trail.memory.became:  # the same for all that was in the file
        trail.memory.became[asked] = _renamed(trail, slot.path, old)
    path = trail.memory.became[asked]
    if not path:
        return _same_name_elsewhere(trail, slot) if slot.qualified else ()
    if not slot.qualified:
        return (Slot(path),)
    held = trail.ground.symbols(path, slot.qualified)
    if held:
        return tuple(Slot(path, symbol.qualified, symbol.disambiguator) for symbol in held)
    return _in_file(trail, path, old)


def _renamed(trail: Trail, path: str, old: tuple[str, Old] | None) -> str:
    """The file that a lost one became: git says so, or its content does."""
    for commit in trail.commits(path):
        told = ""
        with suppress(GitFailed, NotFound):
            told = trail.memory.renamed(commit, path) if commit != "HEAD" else ""
        if told and disk.stat(trail.ws.root, told) is not None:
            return told
    if old is None:
        return ""
    commit, was = old
    new = [one for one in _by_bodies(trail, was) if trail.memory.old(commit, one) is None]
    return new[0] if new else _by_lines(trail, commit, path, was)


def _by_bodies(trail: Trail, was: Old) -> Iterator[str]:
    """Files that hold half or more of the old file's definitions, weighed by their tokens; the most first."""
    known = trail.memory.facts(was)
    if known is None:
        return
    weights = {symbol.body: symbol.tokens for symbol in known.symbols}
    held: dict[str, int] = {}
    for body, places in facts.places_of_bodies(trail.ws.store, weights).items():
        for path in {place.slot.path for place in places}:
            held[path] = held.get(path, 0) + weights[body]
    whole = sum(weights.values())
    for path in sorted(held, key=lambda one: (-held[one], one)):
        if whole and held[path] >= RENAMED * whole:
            yield path


def _by_lines(trail: Trail, commit: str, path: str, was: Old) -> str:
    """The file of like name or folder that is new since the commit and shares half or more of its lines."""
    near = _neighbours(trail.ws, path)
    trail.memory.fetch((commit, one) for one in near)
    wanted = lines(was.data.decode("utf-8", "replace"))
    scored = [(alike(wanted, _lines_of(trail.ws, one)), one) for one in near if trail.memory.old(commit, one) is None]
    best = max(scored, default=(0.0, ""))
    return best[1] if best[0] >= RENAMED else ""


def _neighbours(ws: Workspace, path: str) -> list[str]:
    """Files that share the name, or folder and suffix, the same name first; at most COMPARED."""
    folder, _, name = path.rpartition("/")
    suffix = name.rpartition(".")[2]
    named, beside = [], []
    for other in files.every(ws.store):
        place, _, called = other.rpartition("/")
        if called == name:
            named.append(other)
        elif place == folder and called.rpartition(".")[2] == suffix:
            beside.append(other)
    return [*named, *beside][:COMPARED]


def _lines_of(ws: Workspace, path: str) -> Counter[str]:
    got = disk.read(ws.root, path)
    return lines(got.data.decode("utf-8", "replace")) if isinstance(got, Contents) else lines("")


def _same_name_elsewhere(trail: Trail, slot: Slot) -> tuple[Slot, ...]:
    """Without a committed past: the same qualified name in a file of the same name, with much of the same text."""
    name, text = slot.path.rpartition("/")[2], trail.anchor.text
    if text is None:
        return ()
    found = [
        place.slot
        for place in facts.places_named(trail.ws.store, slot.qualified)
        if place.symbol is not None
        and place.slot.qualified == slot.qualified
        and place.slot.path.rpartition("/")[2] == name
        and (source := trail.ground.source(place.slot.path)) is not None
        and alike(words(text), words(text_of(source, place.symbol))) >= ALIKE
    ]
    return tuple(found) if len(found) == 1 else ()


def fetch_pasts(memory: Memory, lost: Iterable[tuple[Anchor, FateRow | None]]) -> None:
    """Asks git at once for every old file that the successors of these anchors need."""
    memory.fetch((commit, anchor.slot.path) for anchor, row in lost for commit in (*commits_of(anchor, row), "HEAD"))

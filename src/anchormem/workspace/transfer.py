"""Export and import: the memories of this repository as a file beside the code, and what comes back with it.

An export merges with what the file holds, so that nobody's lines are lost by writing; an import merges with the store.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anchormem.errors import Refused, UsageError
from anchormem.model import JsonObject, Memory, Reply
from anchormem.project import disk, driver, writing
from anchormem.project.listing import why_not_listed
from anchormem.project.paths import gate
from anchormem.reason.envelope import lean
from anchormem.store import listing, memories
from anchormem.workspace import exported, given, limpet, merging, shared
from anchormem.workspace.arrival import Arrival, take_in
from anchormem.workspace.exported import Line
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.guard import is_ahead
from anchormem.workspace.session import Workspace

SHOWN = 20  # lines and ids named; all are counted
SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class _Written:
    """What an export says beside what is in the store."""

    lines: tuple[Line, ...]
    withheld: int
    buried: tuple[str, ...]  # private now, and in the file before
    foreign: int  # in the file and not in the store
    newer: int  # in the file and newer than in the store
    dropped: tuple[int, ...]  # numbers of lines that nothing can be made of
    clashes: tuple[tuple[str, str], ...]


def export(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`path` str "" (.anchormem/memory.jsonl; ends in .jsonl); set by the command line: `driver` str "", what git is
    told to merge by. Atomic; equal memories give equal bytes.

    data: {path, memories, changed, private_withheld, …}. Refused: a file that is no export, one of a newer version.
    """
    path = _path(ws, args)
    held = _held(ws, path)
    everything = listing.everything(ws.store)
    made = _union(everything, held, ws.now())
    command = given.text(args, "driver")
    git = driver.set_up(ws.root, path, command) or "is set up already" if command else ""
    changed = writing.write(ws.root, path, exported.whole(line.text for line in made.lines))
    shared.remember(ws.store, ws.root, path, newer=made.newer + made.foreign)
    told: JsonObject = {
        "path": path,
        "memories": sum(1 for line in made.lines if line.memory is None or not line.memory.forgotten_at),
        "changed": changed,
        "private_withheld": made.withheld,
        **lean(
            {
                "tombstones": sum(1 for line in made.lines if line.memory and line.memory.forgotten_at) or None,
                "only_in_the_file": made.foreign or None,
                "newer_in_the_file": made.newer or None,
                "unreadable_dropped": list(made.dropped[:SHOWN]),
                "clashes": _clashes(made.clashes),
                "git": git,
            }
        ),
    }
    return reply(ws, refresh(ws), told, warnings=(*_warnings(made), *_unshared(ws, path)))


def _warnings(made: _Written) -> Iterable[str]:
    if made.buried:
        named = ", ".join(made.buried[:SHOWN])
        yield f"private now, but shared before: {named}; taken out of the file, though git keeps its history"
    if made.newer or made.foreign:
        count = made.newer + made.foreign
        named = "1 memory" if count == 1 else f"{count} memories"
        yield f"the file holds {named} newer than here; they stay in it: anchormem import"
    if made.dropped:
        lost = f"{len(made.dropped)} line{'s' if len(made.dropped) > 1 else ''}"
        yield f"{lost} of the file could not be read and left it; git keeps what was committed"


def _unshared(ws: Workspace, path: str) -> Iterable[str]:
    if ws.root.is_git and why_not_listed(ws.root, [path]).get(path) == "ignored":
        yield f"git ignores {path}: nobody else will get it"


def _path(ws: Workspace, args: Mapping[str, object]) -> str:
    path = gate(ws.root, given.text(args, "path") or exported.PATH)
    if not path.endswith(SUFFIX):
        raise UsageError(f"an export ends in {SUFFIX}: {path[:80]}", f"the default is {exported.PATH}")
    return path


def _held(ws: Workspace, path: str) -> exported.Export:
    """What the file holds before it is written; nothing without one."""
    found = disk.read(ws.root, path, shared.MOST_BYTES)
    if isinstance(found, disk.Unread):
        if found.reason == "missing":
            return exported.Export(exported.FORMAT, ())
        raise Refused(f"{path} cannot be written: it is {found.reason.replace('_', ' ')}", "name another file")
    held = exported.opened(found.data)
    exported.refuse_newer(held, path)
    if not held.version and found.data.strip():
        raise Refused(f"{path} is there and is no export of anchormem", "name another file, or take it away")
    return held


def _union(everything: Iterable[Memory], held: exported.Export, now: int) -> _Written:
    """The store's lines and the file's. What is private here leaves at most its tombstone."""
    known = {memory.id: memory for memory in everything}
    public = {name: memory for name, memory in known.items() if not memory.private}
    ours = [Line(exported.line(one), one.id, _bare(one)) for one in public.values()]
    theirs, graves, dropped = list[Line](), dict[str, Line](), list[int]()
    for line in held.lines:
        mine = known.get(line.id)
        if mine is not None and mine.private:
            graves[line.id] = _grave(mine, line, graves.get(line.id))
        elif mine is not None and line.memory is not None and is_ahead(line.memory, now):
            continue  # it would win for ever
        elif line.id:
            theirs.append(line)
        elif line.fault != exported.MARKER:
            dropped.append(line.number)
    union = merging.union(ours, theirs)
    lines = sorted((*union.lines, *graves.values()), key=lambda line: line.id)
    newer = [line for line in union.lines if line.id in public and _is_newer(line, public[line.id])]
    foreign = sum(1 for line in union.lines if line.id not in known)
    withheld = sum(1 for one in known.values() if one.private and not one.forgotten_at)
    buried = tuple(name for name in graves if not known[name].forgotten_at)
    return _Written(tuple(lines), withheld, buried, foreign, len(newer), tuple(dropped), union.clashes)


def _bare(memory: Memory) -> Memory:
    return replace(memory, anchors=tuple(replace(anchor, text=None) for anchor in memory.anchors))


def _is_newer(line: Line, mine: Memory) -> bool:
    return line.memory is None or merging.content(line.memory) != merging.content(mine)


def _grave(mine: Memory, line: Line, before: Line | None) -> Line:
    """Of a memory that became private after it was shared. Once made it stays as it is."""
    if line.memory and line.memory.forgotten_at:
        at = line.memory.forgotten_at
    else:
        at = max(mine.updated_at, line.memory.updated_at + 1 if line.memory else 0)
    if before and before.memory:
        at = max(at, before.memory.forgotten_at)
    tombstone = replace(mine, forgotten_at=at, updated_at=at)
    return Line(exported.line(tombstone), mine.id, tombstone)


def _clashes(clashes: Iterable[tuple[str, str]]) -> list[JsonObject]:
    return [{"id": name, "what": what} for name, what in list(clashes)[:SHOWN]]


# ── import ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def import_shared(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`path` str "" (.anchormem/memory.jsonl). Good lines in, the others counted with their numbers. Twice is harmless.

    data: {path, new, changed, forgotten, unchanged, refused, …}. NotFound without a file; Refused: one that is no
    export, too large, or of a newer version.
    """
    path = gate(ws.root, given.text(args, "path") or exported.PATH)
    found, now = shared.read(ws.root, path), ws.now()
    if limpet.is_export(found):
        lines, known = _of_limpet(ws, found.lines)
    else:
        lines, known = shared.judged(found, path).lines, 0
    arrived = take_in(ws.store, ws.root, lines, now)
    arrived.unchanged += known
    shared.remember(ws.store, ws.root, path, imported_at=now)
    return reply(ws, refresh(ws), {"path": path, **told(arrived)}, warnings=_refusals(arrived))


def _of_limpet(ws: Workspace, lines: Sequence[Line]) -> tuple[Sequence[Line], int]:
    """Its lines, and how many more are here already: what was made of them once is not made anew."""
    refresh(ws)
    here = memories.stamps(ws.store)
    made = limpet.read(ws, lines)
    new = [one for one in made if one.memory is None or one.memory.updated_at > here.get(one.id, (-1,))[0]]
    return new, len(made) - len(new)


def told(arrived: Arrival) -> JsonObject:
    return {
        "new": len(arrived.new),
        "changed": len(arrived.changed),
        "forgotten": len(arrived.forgotten),
        "unchanged": arrived.unchanged,
        "refused": len(arrived.refused),
        **lean(
            {
                "refused_lines": [{"line": number, "why": why} for number, why in arrived.refused[:SHOWN]],
                "kept": _clashes(arrived.kept),
                "clashes": _clashes(arrived.clashes),
                "settled": arrived.settled[:SHOWN],
                "unknown_fields": arrived.fields[:SHOWN],
            }
        ),
    }


def _refusals(arrived: Arrival) -> Iterable[str]:
    if arrived.refused:
        (number, why), count = arrived.refused[0], len(arrived.refused)
        named = f"line {number} was" if count == 1 else f"{count} lines were"
        yield f"{named} not imported ({why}{', and more' if count > 1 else ''}); the others are in"

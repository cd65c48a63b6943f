"""Two histories of the same memories become one, whichever is looked at first. Pure: no store, no file, no clock.

Of each memory the newer deliberate change wins; at equal times the larger content hash. Places where a hash has been
proved are a set that only grows, so both sides' are kept.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from anchormem.model import Anchor, Memory
from anchormem.workspace import exported
from anchormem.workspace.exported import Line


@dataclass(frozen=True, slots=True)
class Merge:
    """`lines`: by id, sorted. `left`: lines without an id, but no conflict markers. `clashes`: (id, what happened)."""

    lines: tuple[Line, ...]
    left: tuple[Line, ...]
    clashes: tuple[tuple[str, str], ...]


def stamp(memory: Memory) -> int:
    """When it was last changed on purpose, forgetting included."""
    return memory.forgotten_at or memory.updated_at


def merged(one: Memory, other: Memory) -> Memory:
    """The one memory that two versions of it become."""
    winner, loser = (one, other) if _key(one) >= _key(other) else (other, one)
    if winner.forgotten_at or not loser.anchors:
        return winner
    both = (*winner.anchors, *loser.anchors)  # a memory may hold one anchor twice, with places of its own each
    anchors = tuple(_with_slots(anchor, both) for anchor in winner.anchors)
    return replace(winner, anchors=anchors)


def _key(memory: Memory) -> tuple[int, bytes]:
    return stamp(memory), content(memory)


def content(memory: Memory) -> bytes:
    """The hash of all that travels, but for the places proved since."""
    bare = replace(memory, anchors=tuple(replace(anchor, slots=()) for anchor in memory.anchors))
    return _hash(exported.line(bare))


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _with_slots(anchor: Anchor, others: Iterable[Anchor]) -> Anchor:
    proved = [slot for other in others if is_same(anchor, other) for slot in other.slots]
    if set(proved) <= {anchor.slot, *anchor.slots}:
        return anchor
    return replace(anchor, slots=tuple(dict.fromkeys((*anchor.slots, *proved))))


def is_same(one: Anchor, other: Anchor) -> bool:
    """Equal in all that was written and travels."""
    return replace(one, id=0, slots=(), text=None) == replace(other, id=0, slots=(), text=None)


# ── exports ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def union(*sides: Iterable[Line], base: Iterable[Line] = ()) -> Merge:
    """All lines of all sides, one for each id. Nothing with an id is lost, not even what only a later version reads.

    `base`: what the sides come from; changed by more than one of them, a memory is told as a clash.
    """
    before = {line.id: line.text for line in base if line.id}
    found: dict[str, list[Line]] = {}
    left: dict[str, Line] = {}
    for line in (line for side in sides for line in side):
        if line.id:
            found.setdefault(line.id, []).append(line)
        elif line.fault != exported.MARKER:
            left.setdefault(line.text, line)
    lines, clashes = [], []
    for name in sorted(found):
        versions = list({line.text: line for line in found[name]}.values())
        if told := _clash(versions, before.get(name)):
            clashes.append((name, told))
        lines.append(_one(versions))
    return Merge(tuple(lines), tuple(left[text] for text in sorted(left)), tuple(clashes))


def _one(versions: list[Line]) -> Line:
    """In an order of their own, so that it does not matter which side is which."""
    if len(versions) == 1:
        return versions[0]
    ordered = sorted(versions, key=_line_key)
    kept = ordered[-1]
    for line in ordered[:-1]:
        if kept.memory is not None and line.memory is not None:
            memory = merged(kept.memory, line.memory)
            kept = kept if memory is kept.memory else replace(kept, memory=memory, text=exported.line(memory))
    return kept


def _line_key(line: Line) -> tuple[int, bytes]:
    if line.memory is not None:
        return _key(line.memory)
    try:
        said = json.loads(line.text)
    except (ValueError, RecursionError):
        return 0, _hash(line.text)
    times = [said.get(name) for name in ("updated_at", "forgotten_at")]
    return max((time for time in times if isinstance(time, int)), default=0), _hash(line.text)


def _clash(versions: list[Line], before: str | None) -> str:
    """Why two versions of one id are worth a word; "" where one merely follows the other."""
    if len(versions) == 1:
        return ""
    changed = [line for line in versions if line.text != before]
    told = [line.memory for line in changed if line.memory is not None and not line.memory.forgotten_at]
    if len({memory.origin or memory.created_at for memory in told}) > 1:  # one origin: both made it of the same note
        return "two memories of one id; the newer one stands"
    if len({content(memory) for memory in told}) > 1 and before is not None:
        return "changed on both sides; the newer change stands"
    if len({(memory.updated_at, content(memory)) for memory in told}) > len({memory.updated_at for memory in told}):
        return "two versions of one moment; one of them stands"
    return ""


# ── what lines say of each other ────────────────────────────────────────────────────────────────────────────────────


def settled(by: Mapping[str, str], says: Iterable[tuple[str, str]], alive: Collection[str]) -> dict[str, str]:
    """What has to be superseded by what, "" for nothing any more, so that no history loses what another meant.

    `by`: superseded id → by what. `says`: (who stands, what it says it supersedes). `alive`: all that is not forgotten.
    Whoever says that it supersedes something still does when the other was edited meanwhile; and of some that
    supersede each other in a ring, the one of the smallest id stands again.
    """
    now = dict(by)
    for first in sorted(now):
        ring, at = [first], now.get(first, "")
        while at in now and now[at] and at not in ring:
            ring.append(at)
            at = now[at]
        if at == first:
            now[min(ring)] = ""
    for name, target in sorted(says):
        if target in alive and not now.get(target) and not now.get(name) and target != name:
            now[target] = name
    return {name: other for name, other in now.items() if other != by.get(name, "")}

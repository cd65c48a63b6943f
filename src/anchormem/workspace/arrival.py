"""What arrives with a shared export becomes part of the store: merged memory by memory, marked, never believed blindly.

Nothing that is private here is touched. Knows nothing of where the lines come from, and of no Workspace.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anchormem.model import Anchor, Memory
from anchormem.project.root import Root
from anchormem.store import anchors, links, memories
from anchormem.store.db import Store
from anchormem.workspace import exported, merging
from anchormem.workspace.exported import Line
from anchormem.workspace.guard import guarded

AT_ONCE = 200  # memories in one transaction: other writers wait that long


@dataclass(slots=True)
class Arrival:
    """Ids by what became of them; `refused`: (line number, why); `clashes`: (id, what happened); `fields`: left out."""

    new: list[str]
    changed: list[str]
    forgotten: list[str]
    unchanged: int
    kept: list[tuple[str, str]]
    settled: list[str]
    refused: list[tuple[int, str]]
    clashes: list[tuple[str, str]]
    fields: list[str]


def take_in(store: Store, root: Root, lines: Sequence[Line], now: int) -> Arrival:
    """Stores what is new or newer. Twice is as good as once, and killed in between it goes on where it was."""
    others = _others(store, lines)
    checked = guarded(root, others, now)
    union = merging.union(checked.lines)
    told = Arrival([], [], [], 0, [], [], list(checked.refused), list(union.clashes), _fields(checked.lines))
    told.unchanged = len(lines) - len(others)
    for start in range(0, len(union.lines), AT_ONCE):
        with store.writing():
            _some(store, union.lines[start : start + AT_ONCE], checked.ahead, now, told)
    with store.writing():
        _settle(store, now, told)
    return told


def _others(store: Store, lines: Sequence[Line]) -> list[Line]:
    """What is not here already to the letter; most of it is, after every pull."""
    others: list[Line] = []
    for start in range(0, len(lines), AT_ONCE):
        some = lines[start : start + AT_ONCE]
        here = {exported.line(one) for one in memories.get(store, [line.id for line in some]) if not one.private}
        others += [line for line in some if line.text not in here]
    return others


def _fields(lines: Iterable[Line]) -> list[str]:
    return sorted({name for line in lines for name in line.unknown})


def _some(store: Store, lines: Sequence[Line], ahead: frozenset[str], now: int, told: Arrival) -> None:
    here = {memory.id: memory for memory in memories.get(store, [line.id for line in lines])}
    read = [line.memory for line in lines if line.memory is not None]
    _add(store, [memory for memory in read if memory.id not in here], now, told)
    for memory in read:
        local = here.get(memory.id)
        if local is None:
            continue
        if local.private:
            told.kept.append((memory.id, "private here"))
        elif memory.id in ahead:
            told.kept.append((memory.id, "its date lies in the future"))
        else:
            _merge(store, local, memory, now, told)


def _add(store: Store, new: Sequence[Memory], now: int, told: Arrival) -> None:
    """All at once, but for those whose origin another memory has too."""
    strangers = [replace(memory, by="import", imported=True) for memory in new]
    graves = [memory for memory in strangers if memory.forgotten_at]
    living = [memory for memory in strangers if not memory.forgotten_at]
    taken = set(memories.by_origins(store, (memory.origin for memory in living)))
    free, contested = list[Memory](), list[Memory]()
    for memory in living:
        (contested if memory.origin in taken else free).append(memory)
        taken |= {memory.origin} - {""}
    memories.entomb(store, graves)
    memories.insert_many(store, free)
    for memory in contested:
        memories.insert(store, _with_own_origin(store, memory, now))
    told.unchanged += len(graves)
    told.new += [memory.id for memory in living]


def _with_own_origin(store: Store, memory: Memory, now: int) -> Memory:
    """An origin belongs to one memory: the one that is older by its own word, which is the same on every machine."""
    holder = memories.by_origin(store, memory.origin)
    if holder in (None, memory.id):
        return memory
    (other,) = memories.get(store, (str(holder),))
    if other.forgotten_at or (memory.created_at, memory.id) < (other.created_at, other.id):
        memories.replace(store, _without_origin(other), memories.IMPORT, now)
        return memory
    return _without_origin(memory)


def _without_origin(memory: Memory) -> Memory:
    later = memory.updated_at if memory.forgotten_at else memory.updated_at + 1
    return replace(memory, origin="", updated_at=later)


def _merge(store: Store, local: Memory, memory: Memory, now: int, told: Arrival) -> None:
    after = adopted(local, memory)
    if after is None:
        told.unchanged += 1
        return
    if merging.content(after) != merging.content(local) or merging.stamp(after) != merging.stamp(local):
        after = after if after.forgotten_at else _with_own_origin(store, after, now)
        memories.replace(store, after, memories.IMPORT, now)
        (told.forgotten if after.forgotten_at else told.changed).append(local.id)
    else:
        told.unchanged += 1
    _prove(store, local.id, after.anchors)


def _prove(store: Store, memory_id: str, wanted: Sequence[Anchor]) -> None:
    for anchor in anchors.for_memory(store, memory_id):
        same = next((one for one in wanted if merging.is_same(one, anchor)), None)
        for slot in same.slots if same else ():
            anchors.add_slot(store, anchor.id, slot)


def adopted(local: Memory, memory: Memory) -> Memory | None:
    """What the local memory becomes; None where nothing of it changes. What was proved or written here stays so."""
    after = merging.merged(replace(local, by=memory.by), memory)
    if exported.line(after) == exported.line(local):
        return None
    if after.forgotten_at:
        return replace(local, forgotten_at=after.forgotten_at, updated_at=after.forgotten_at)
    kept = [_kept(anchor, local.anchors) for anchor in after.anchors]
    said = (after.kind, after.body, after.source, after.confidence)
    same = said == (local.kind, local.body, local.source, local.confidence)
    same = same and _proof(after) == _proof(local) and all(anchor.id for anchor in kept)
    return replace(
        after,
        by=local.by if same else memory.by,
        client=local.client if same else "",
        session=local.session if same else "",
        private=False,
        imported=local.imported or not same,
        evidence=local.evidence if same else after.evidence,
        anchors=tuple(kept),
    )


def _proof(memory: Memory) -> object:
    return replace(memory.evidence, approved=False) if memory.evidence else None


def _kept(anchor: Anchor, local: Sequence[Anchor]) -> Anchor:
    """The local row of an equal anchor, with its text; `id` 0 where there is none."""
    same = next((one for one in local if merging.is_same(one, anchor)), None)
    return replace(anchor, id=same.id, text=same.text) if same else replace(anchor, id=0, text=None)


def _settle(store: Store, now: int, told: Arrival) -> None:
    alive = set(memories.stamps(store))
    wanted = merging.settled(links.replaced(store), links.replacing(store), alive)
    for memory in memories.get(store, wanted):
        if memory.forgotten_at:
            continue
        after = replace(memory, superseded_by=wanted[memory.id], updated_at=memory.updated_at + 1)
        memories.replace(store, after, memories.IMPORT, now)
        told.settled.append(memory.id)

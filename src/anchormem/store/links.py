"""What memories say of each other. The state of a memory by links is computed here, its meaning elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import replace as changed

from anchormem.errors import Refused
from anchormem.model import Link, Relation
from anchormem.store import memories
from anchormem.store.db import Store
from anchormem.store.odd_text import listed

SUPERSEDED = "SELECT id FROM main.memories WHERE superseded_by = :id AND superseded_by <> '' ORDER BY seq"
SUPERSEDING = """
SELECT says.id, l.target
FROM main.links l CROSS JOIN main.memories says ON says.seq = l.memory
WHERE l.rel = 'supersedes' AND says.superseded_by = '' AND says.forgotten_at = 0
ORDER BY says.id, l.target
"""
SUPERSEDED_BY = """
SELECT id, superseded_by FROM main.memories
WHERE superseded_by <> '' AND forgotten_at = 0
"""
CONTRADICTIONS = "SELECT by_id, of_id FROM contradictions ORDER BY by_id, of_id"
OTHER_SIDES = """
SELECT c.of_id AS id, c.by_id AS other
FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value
CROSS JOIN contradictions c ON c.of_seq = m.seq
UNION
SELECT c.by_id, c.of_id
FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value
CROSS JOIN contradictions c ON c.by_seq = m.seq
ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Superseding:
    """Around one memory: what it supersedes, and what supersedes it ("" when nothing)."""

    supersedes: tuple[str, ...]
    superseded_by: str


def link(store: Store, memory_id: str, target: str, rel: Relation, now: int) -> bool:
    """Adds a link, with a Revision; False when it is there. NotFound for either side. Refused: to itself.

    `supersedes` goes through `supersede`.
    """
    with store.writing():
        memory = memories.one(store, memory_id)
        memories.one(store, target)
        if memory_id == target:
            raise Refused(f"{memory_id} cannot be linked to itself", "")
        wanted = Link(target, rel)
        if wanted in memory.links:
            return False
        memories.replace(store, changed(memory, links=(*memory.links, wanted), updated_at=now), "link", now)
        return True


def supersede(store: Store, memory_id: str, target: str, now: int) -> None:
    """`memory_id` takes the place of `target`: the link, and `target.superseded_by`, each with a Revision.

    Nothing to do when it has done so before. NotFound for either side, forgotten ones included. Refused: itself, a
    loop, a target that another memory has superseded.
    """
    with store.writing():
        memory, old = memories.one(store, memory_id), memories.one(store, target)
        for side in (memory, old):
            if side.forgotten_at:
                raise memories.no_such(side.id)
        _refuse_superseding(store, memory_id, target, old.superseded_by)
        wanted = Link(target, "supersedes")
        if wanted not in memory.links:
            memories.replace(store, changed(memory, links=(*memory.links, wanted), updated_at=now), "link", now)
        if not old.superseded_by:
            memories.replace(store, changed(old, superseded_by=memory_id, updated_at=now), "supersede", now)


def _refuse_superseding(store: Store, memory_id: str, target: str, holder: str) -> None:
    if memory_id == target:
        raise Refused(f"{memory_id} cannot supersede itself", "")
    if holder not in ("", memory_id):
        raise Refused(f"{target} is superseded by {holder} already", f"supersede {holder} instead, or unlink it first")
    above, seen = memory_id, set[str]()
    while above and above not in seen:
        if above == target:
            raise Refused(f"{target} has superseded {memory_id}: that would be a loop", "unlink the older one first")
        seen.add(above)
        above = next((found.superseded_by for found in memories.get(store, (above,))), "")


def unlink(store: Store, memory_id: str, target: str, rel: Relation, now: int) -> bool:
    """Takes a link back, with a Revision; of `supersedes` the target is alive again. False: there is no such link."""
    with store.writing():
        memory = memories.one(store, memory_id)
        wanted = Link(target, rel)
        if wanted not in memory.links:
            return False
        left = tuple(each for each in memory.links if each != wanted)
        memories.replace(store, changed(memory, links=left, updated_at=now), "unlink", now)
        for old in memories.get(store, (target,)):
            if rel == "supersedes" and old.superseded_by == memory_id:
                memories.replace(store, changed(old, superseded_by="", updated_at=now), "unlink", now)
        return True


def superseding(store: Store, memory_id: str) -> Superseding:
    """Both sides of one memory. NotFound."""
    memory = memories.one(store, memory_id)
    found = store.rows(SUPERSEDED, {"id": memory_id})
    return Superseding(tuple(row[0] for row in found), memory.superseded_by)


def replaced(store: Store) -> dict[str, str]:
    """Of what is superseded and not forgotten: by what."""
    return dict(store.rows(SUPERSEDED_BY))


def replacing(store: Store) -> list[tuple[str, str]]:
    """Pairs (who stands, what it says it supersedes). Sorted."""
    return [(row[0], row[1]) for row in store.rows(SUPERSEDING)]


def contradictions(store: Store) -> list[tuple[str, str]]:
    """Pairs (who says it, of whom) where both sides stand: neither superseded, archived nor forgotten. Sorted."""
    return [(row[0], row[1]) for row in store.rows(CONTRADICTIONS)]


def contradicted_by(store: Store, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each of the ids that is in a standing contradiction: the other sides, whoever said it, sorted."""
    found: dict[str, tuple[str, ...]] = {}
    for memory_id, other in store.rows(OTHER_SIDES, {"ids": listed(dict.fromkeys(ids))}):
        found[memory_id] = (*found.get(memory_id, ()), other)
    return found

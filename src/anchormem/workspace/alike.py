"""What is already remembered in the same place, or in much the same words. Likeness is decided in reason.similar."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice

from anchormem.errors import Duplicate
from anchormem.model import Anchor, Fate, JsonObject, Slot
from anchormem.reason import similar
from anchormem.store import memories, search
from anchormem.store.db import Store
from anchormem.store.search import Hit
from anchormem.text import terms
from anchormem.workspace.present import preview

MOST_BY_TEXT = 30
MOST_SHOWN = 3
MOST_COMPARED = 50
LEAST_SHARED = 0.4  # of the words of a text; reason.similar asks for more, but counts words otherwise

Bodies = dict[str, str]


def in_slots(store: Store, anchors: Sequence[Anchor], besides: Iterable[str] = ()) -> Bodies:
    """Memories (superseded and archived ones left out) anchored where one of these anchors is, by id. Without anchors:
    those that have none either.
    """
    if not anchors:
        found = search.unanchored(store)
    else:
        slots = {anchor.slot for anchor in anchors}
        hits = search.on_paths(store, {slot.path for slot in slots})
        found = [hit for hit in hits if not slots.isdisjoint(_slots(hit))]
    left_out = set(besides)
    return {hit.memory.id: hit.memory.body for hit in found if hit.memory.id not in left_out}


def at_slots(store: Store, slots: Iterable[Slot]) -> Mapping[Slot, Bodies]:
    """The same for many slots at once, by slot."""
    wanted, found = set(slots), dict[Slot, Bodies]()
    for hit in search.on_paths(store, {slot.path for slot in wanted}) if wanted else ():
        for slot in wanted & _slots(hit):
            found.setdefault(slot, {})[hit.memory.id] = hit.memory.body
    return found


class Words:
    """Which of many bodies share words with a text: to compare each of many texts with few of them."""

    def __init__(self, bodies: Bodies) -> None:
        self._holding: dict[str, list[str]] = {}
        for name, body in bodies.items():
            for word in terms.words(body):
                self._holding.setdefault(word, []).append(name)

    def near(self, text: str, among: Collection[str]) -> list[str]:
        """At most MOST_COMPARED of `among`, those that hold most of its words first. Near copies hold over a half."""
        words = terms.words(text)
        held = Counter(name for word in words for name in self._holding.get(word, ()))
        least = LEAST_SHARED * len(words)
        close = (name for name, times in held.most_common() if times >= least and name in among)
        return list(islice(close, MOST_COMPARED))


def _slots(hit: Hit) -> set[Slot]:
    """Where a memory's anchors were written, and where they are now."""
    now: list[Fate | None] = [hit.fates.get(anchor.id) for anchor in hit.memory.anchors]
    return {anchor.slot for anchor in hit.memory.anchors} | {fate.at for fate in now if fate and fate.at}


def refuse_copy(body: str, neighbours: Bodies) -> None:
    """Duplicate when the same is known in the same place. A correction never is the same."""
    known = similar.near_identical(body, neighbours)
    if known:
        raise Duplicate(
            f"{known} already says this here: {preview(neighbours[known], 100)}",
            f"update {known} instead, supersede it, or keep both with force (--force)",
        )


def duplicates(store: Store, body: str, neighbours: Bodies, besides: Iterable[str] = ()) -> list[str]:
    """Ids of memories anywhere that are near to this body, nearest first."""
    hits = search.candidates(store, terms.fts_expression(terms.significant(body)), limit=MOST_BY_TEXT)
    left_out = set(besides)
    others = {hit.memory.id: hit.memory.body for hit in hits if hit.memory.id not in left_out}
    return list(similar.duplicates(body, {**others, **neighbours}, MOST_SHOWN))


def conflicts(body: str, neighbours: Bodies) -> list[JsonObject]:
    """What this body corrects or contradicts in its own place."""
    found = similar.conflicts(body, neighbours)[:MOST_SHOWN]
    return [{"id": one.other, "body_preview": preview(neighbours[one.other], 100), "hint": one.hint} for one in found]


def notice(store: Store, body: str, neighbours: Bodies, besides: Sequence[str]) -> JsonObject:
    """What the writer should look at."""
    return {
        "possible_duplicates": duplicates(store, body, neighbours, besides),
        "possible_conflicts": conflicts(body, neighbours),
    }


def refuse_origin(store: Store, origin: str, owner: str = "") -> None:
    """Duplicate when another memory, be it a forgotten one, has this origin."""
    taken = memories.by_origin(store, origin) if origin else None
    if taken and taken != owner:
        raise Duplicate(f"{taken} already has this origin", f"update {taken}, or give another origin")

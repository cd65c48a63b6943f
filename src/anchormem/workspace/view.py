"""A memory as this checkout shows it: with fates, standing and contradictions. Knows nothing of how it is printed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from anchormem.model import Fate, Memory, Standing, Status
from anchormem.reason.standing import standing
from anchormem.store import search
from anchormem.store.db import Store
from anchormem.store.search import Hit
from anchormem.workspace.freshness import Freshness


class View(NamedTuple):
    """`at`: ms of the last deliberate change. `contradicted_by`: the other sides of standing contradictions."""

    memory: Memory
    standing: Standing
    contradicted_by: tuple[str, ...] = ()
    at: int = 0

    @property
    def status(self) -> Status:
        return self.standing.status

    @property
    def contradicted(self) -> bool:
        return bool(self.contradicted_by)

    @property
    def touches(self) -> bool:
        """Whether an edit touches what the memory says."""
        return any(fate.change.touches for fate in self.standing.fates.values())

    def places(self) -> tuple[str, ...]:
        """The files it is anchored in now, or was when nothing is there any more."""
        fates = self.standing.fates
        slots = [place(fates.get(anchor.id), anchor.slot.path) for anchor in self.memory.anchors]
        return tuple(dict.fromkeys(slots))


def place(fate: Fate | None, written: str) -> str:
    """The file an anchor is in."""
    return fate.at.path if fate and fate.at else written


def changed(fates: Iterable[Fate]) -> str:
    """What changed, each summary once."""
    return "; ".join(dict.fromkeys(fate.change.summary for fate in fates if fate.change.summary))


def view(hit: Hit, fresh: Freshness) -> View:
    """Fates that could not be stored overrule the stored ones."""
    return View(
        memory=hit.memory,
        standing=standing(hit.memory, fates_of(hit, fresh)),
        contradicted_by=hit.contradicted_by,
        at=hit.memory.updated_at,
    )


def fates_of(hit: Hit, fresh: Freshness) -> Mapping[int, Fate]:
    if not fresh.unsaved:
        return hit.fates
    return {
        **hit.fates,
        **{anchor.id: _told(anchor.id, fresh) for anchor in hit.memory.anchors if anchor.id in fresh.unsaved},
    }


def _told(anchor: int, fresh: Freshness) -> Fate:
    """An unsaved fate with what an edit did."""
    fate, change = fresh.unsaved[anchor], fresh.changes.get(anchor)
    return replace(fate, change=change()) if change else fate


def views(hits: Iterable[Hit], fresh: Freshness) -> list[View]:
    return [view(hit, fresh) for hit in hits]


def of_ids(store: Store, ids: Iterable[str], fresh: Freshness) -> dict[str, View]:
    """Named memories, whatever became of them."""
    wanted = tuple(ids)
    if not wanted:
        return {}
    hits = search.candidates(store, "", ids=wanted)
    return {hit.memory.id: view(hit, fresh) for hit in hits if hit.memory.id in set(wanted)}


def on_paths(store: Store, paths: Iterable[str], fresh: Freshness) -> list[View]:
    """What a recall may find that is anchored in these files."""
    return views(search.on_paths(store, paths), fresh)

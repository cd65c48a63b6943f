"""A memory as this checkout shows it: with fates, standing and contradictions. Knows nothing of how it is printed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from anchormem.model import Fate, FateName, Memory, Slot, Standing, Status
from anchormem.reason.rank import Candidate
from anchormem.reason.standing import PENDING, standing, status_of
from anchormem.store import search
from anchormem.store.db import Store
from anchormem.store.leads import Lead, Tie
from anchormem.store.search import Hit
from anchormem.workspace.freshness import Freshness


@dataclass(frozen=True, slots=True)
class View:
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

    def places(self) -> tuple[str, ...]:
        """The files it is anchored in now, or was when nothing is there any more."""
        fates = self.standing.fates
        slots = [place(fates.get(anchor.id), anchor.slot.path) for anchor in self.memory.anchors]
        return tuple(dict.fromkeys(slots))


class Bearing(NamedTuple):
    """What is ranked of a memory, as this checkout shows it. `slots`: where its anchors are now, as they are shown;
    `places`: the files of these.
    """

    candidate: Candidate
    places: tuple[str, ...]
    slots: tuple[str, ...]
    contradicted: bool

    @property
    def status(self) -> Status:
        return self.candidate.status


def bearing(lead: Lead, unsaved: Mapping[int, Fate]) -> Bearing:
    """Fates that could not be stored overrule the stored ones."""
    found = [_found(tie, unsaved) for tie in lead.ties]
    places = tuple(dict.fromkeys(at.path for _, at in found))
    candidate = Candidate(
        id=lead.id,
        fields={
            "body": lead.body,
            "symbol": " ".join(tie.qualified for tie in lead.ties if tie.qualified),
            "path": " ".join(places),
            "command": lead.command,
        },
        source=lead.source,
        imported=lead.imported,
        status=status_of([fate for fate, _ in found]),
        at=lead.updated_at,
        indexed=lead.indexed,
    )
    return Bearing(candidate, places, tuple(dict.fromkeys(str(at) for _, at in found)), lead.contradicted)


def _found(tie: Tie, unsaved: Mapping[int, Fate]) -> tuple[FateName, Slot]:
    """What became of an anchor, and where it is."""
    written = Slot(tie.path, tie.qualified, tie.disambiguator)
    if tie.anchor in unsaved:
        fate = unsaved[tie.anchor]
        return fate.name, fate.at or written
    at = written if tie.at_path is None else Slot(tie.at_path, tie.at_qualified or "", tie.at_disambiguator or "")
    return tie.fate or PENDING.name, at


def place(fate: Fate | None, written: str) -> str:
    """The file an anchor is in."""
    return fate.at.path if fate and fate.at else written


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

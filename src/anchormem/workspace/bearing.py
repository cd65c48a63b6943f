"""What is ranked of a memory, as this checkout shows it, by a row of the store. Knows nothing of questions."""

from collections.abc import Mapping
from typing import NamedTuple

from anchormem.model import Fate, FateName, Slot, Status
from anchormem.reason.rank import Candidate
from anchormem.reason.standing import PENDING, status_of
from anchormem.store.leads import Lead, Tie


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

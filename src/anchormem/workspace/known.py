"""What recalls have read of memories, kept for as long as nothing of it has changed: a quiet recall reads little more
than which memories its words find.

Knows nothing of questions and replies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from anchormem.reason.rank import Corpus
from anchormem.store import leads, search
from anchormem.store.db import Store
from anchormem.workspace.bearing import Bearing, bearing
from anchormem.workspace.freshness import Freshness
from anchormem.workspace.view import View, of_ids

MOST_KEPT = 8_000  # memories, or terms; some megabytes


@dataclass(frozen=True, slots=True)
class Known:
    """`version`: of the store when the first of this was read; none of it is older. `documents`: how many memories a
    recall may find. `bearings` by row, `views` by id, `frequencies` by term (0: in no memory).
    """

    version: tuple[int, ...]
    documents: int
    bearings: dict[int, Bearing] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    frequencies: dict[str, int] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        return max(len(self.bearings), len(self.views), len(self.frequencies)) > MOST_KEPT


def read(store: Store, known: Known | None, fresh: Freshness) -> Known:
    """As `known` where nothing has changed since, else empty. Fates that no store holds are known to one call only."""
    version = () if fresh.unsaved else leads.version(store)
    if known is not None and known.version == version and version and not known.full:
        return known
    return Known(version, search.documents(store))


def corpus(store: Store, known: Known, terms: Sequence[str]) -> Corpus:
    """The figures of these terms."""
    if new := [term for term in terms if term not in known.frequencies]:
        known.frequencies.update(dict.fromkeys(new, 0) | search.document_frequencies(store, new))
    return Corpus(known.documents, {term: times for term in terms if (times := known.frequencies[term])})


def bearings(store: Store, known: Known, seqs: Sequence[int], fresh: Freshness) -> list[Bearing]:
    """Of these rows, in their order; without those that are gone meanwhile."""
    if new := [seq for seq in seqs if seq not in known.bearings]:
        known.bearings.update({seq: bearing(lead, fresh.unsaved) for seq, lead in leads.leads(store, new).items()})
    return [known.bearings[seq] for seq in seqs if seq in known.bearings]


def views(store: Store, known: Known, ids: Sequence[str], fresh: Freshness) -> dict[str, View]:
    """Of these memories, in their order; without those that are gone meanwhile."""
    known.views.update(of_ids(store, [name for name in ids if name not in known.views], fresh))
    return {name: known.views[name] for name in ids if name in known.views}

"""All live memories in a few columns each, for the hook, the status line and counts: quick at any number."""

from dataclasses import dataclass

from anchormem.store.db import Store
from anchormem.store.opening import Row

OUTLINES = """
SELECT
  m.id, m.kind, m.source, m.confidence, m.archived, m.imported, m.private, m.updated_at, e.approved, count(a.id),
  group_concat(DISTINCT CASE
    WHEN a.id IS NULL OR f.name IN ('fresh', 'followed') THEN NULL
    WHEN f.anchor IS NULL THEN 'unknown:pending'
    ELSE f.name || ':' || f.reason
  END),
  coalesce(max(f.touches), 0)
FROM main.memories m
LEFT JOIN main.evidence e ON e.memory = m.seq
LEFT JOIN main.anchors a ON a.memory = m.seq
LEFT JOIN checkout.fates f ON f.anchor = a.id
WHERE m.superseded_by = '' AND m.forgotten_at = 0
GROUP BY m.seq
ORDER BY m.seq
"""


@dataclass(frozen=True, slots=True)
class Outline:
    """`unwell`: the distinct fates, as (name, reason), of anchors neither fresh nor followed; unknown(pending): never
    resolved here.
    """

    id: str
    kind: str
    source: str
    confidence: float
    archived: bool
    imported: bool
    private: bool
    updated_at: int
    has_evidence: bool
    approved: bool  # its evidence command may be run here
    anchors: int
    unwell: tuple[tuple[str, str], ...]
    touches: bool  # some change touches what the memory says


def outlines(store: Store) -> list[Outline]:
    """Oldest first."""
    return [_outline(row) for row in store.rows(OUTLINES)]


def _outline(row: Row) -> Outline:
    unwell = (each.partition(":") for each in sorted(row[10].split(","))) if row[10] else ()
    return Outline(
        id=row[0],
        kind=row[1],
        source=row[2],
        confidence=row[3],
        archived=bool(row[4]),
        imported=bool(row[5]),
        private=bool(row[6]),
        updated_at=row[7],
        has_evidence=row[8] is not None,
        approved=bool(row[8]),
        anchors=row[9],
        unwell=tuple((name, reason) for name, _, reason in unwell),
        touches=bool(row[11]),
    )

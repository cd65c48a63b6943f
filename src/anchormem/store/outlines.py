"""All live memories in a few columns each, for the hook, the status line and counts: quick at any number."""

import json
from dataclasses import dataclass

from anchormem.store.db import Store

OUTLINES = """
SELECT
  m.id, m.kind, m.source, m.confidence, m.archived, m.imported, m.private, m.updated_at, e.approved,
  json_group_array(coalesce(f.name || ':' || f.reason, 'unknown:pending')) FILTER (WHERE a.id IS NOT NULL),
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
    """`fates`: (name, reason) of each anchor, unknown(pending) for one never resolved here; the order means nothing."""

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
    fates: tuple[tuple[str, str], ...]
    touches: bool  # some change touches what the memory says


def outlines(store: Store) -> list[Outline]:
    """Oldest first."""
    return [
        Outline(
            row[0],
            row[1],
            row[2],
            row[3],
            bool(row[4]),
            bool(row[5]),
            bool(row[6]),
            row[7],
            row[8] is not None,
            bool(row[8]),
            _fates(row[9]),
            bool(row[10]),
        )
        for row in store.rows(OUTLINES)
    ]


def _fates(text: str | None) -> tuple[tuple[str, str], ...]:
    parts = (each.partition(":") for each in json.loads(text or "[]"))
    return tuple((name, reason) for name, _, reason in parts)

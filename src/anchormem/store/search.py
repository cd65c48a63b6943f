"""Memories with all that a reply shows of them: by words, by id, by place. What a recall ranks by is in leads."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from anchormem.model import Fate, Memory
from anchormem.store import indexing, rows
from anchormem.store.db import Store
from anchormem.store.fates import fate_of
from anchormem.store.indexing import NOTHING_MATCHES
from anchormem.store.odd_text import listed
from anchormem.store.opening import Row, SqlValue

CANDIDATES = """
WITH
matched AS MATERIALIZED (
  SELECT search.rowid AS seq, bm25(search) AS score
  FROM main.search
  CROSS JOIN main.memories m ON m.seq = search.rowid
  WHERE search MATCH :expression
  ORDER BY score, m.id
  LIMIT :limit
),
chosen AS MATERIALIZED (
  SELECT seq FROM matched
  UNION SELECT m.seq FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value
)
SELECT h.*
FROM chosen
CROSS JOIN hit_rows h ON h.seq = chosen.seq
LEFT JOIN matched t ON t.seq = chosen.seq
ORDER BY coalesce(t.score, 0.0), h.id, h.position
"""
ON_PATHS = """
WITH chosen AS MATERIALIZED (
  SELECT a.memory AS seq
  FROM json_each(:paths) p CROSS JOIN main.slots s ON s.path = p.value AND s.live = 1
  CROSS JOIN main.anchors a ON a.id = s.anchor
  UNION
  SELECT a.memory
  FROM json_each(:paths) p CROSS JOIN checkout.fates f ON f.at_path = p.value
  CROSS JOIN main.anchors a ON a.id = f.anchor
)
SELECT h.* FROM chosen CROSS JOIN hit_rows h ON h.seq = chosen.seq
WHERE h.superseded_by = '' AND h.archived = 0 AND h.forgotten_at = 0
ORDER BY h.id, h.position
"""
IN_SLOTS = """
WITH chosen AS MATERIALIZED (
  SELECT DISTINCT a.memory AS seq
  FROM json_each(:slots) w
  CROSS JOIN main.slots s ON s.path = json_extract(w.value, '$[0]') AND s.qualified = json_extract(w.value, '$[1]')
    AND s.disambiguator = json_extract(w.value, '$[2]') AND s.live = 1
  CROSS JOIN main.anchors a ON a.id = s.anchor
)
SELECT h.* FROM chosen CROSS JOIN hit_rows h ON h.seq = chosen.seq
WHERE h.superseded_by = '' AND h.archived = 0 AND h.forgotten_at = 0
ORDER BY h.id, h.position
"""
UNANCHORED = """
SELECT h.* FROM main.memories m CROSS JOIN hit_rows h ON h.seq = m.seq
WHERE m.superseded_by = '' AND m.archived = 0 AND m.forgotten_at = 0
  AND NOT EXISTS (SELECT 1 FROM main.anchors a WHERE a.memory = m.seq)
ORDER BY h.id
"""
STANDING = """
SELECT h.* FROM main.memories m CROSS JOIN hit_rows h ON h.seq = m.seq
WHERE m.superseded_by = '' AND m.forgotten_at = 0
ORDER BY h.id, h.position
"""
FREQUENCIES = """
SELECT v.term, v.doc FROM json_each(:terms) wanted CROSS JOIN main.vocabulary v ON v.term = wanted.value
"""
ANCHOR_AT = rows.MEMORY_WIDTH + 3
FATE_AT = ANCHOR_AT + rows.ANCHOR_WIDTH


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory with everything a reply shows of it, as one look at the store saw it.

    `memory.anchors` come without their `text`. `fates` by anchor id, of this checkout; an anchor that was never
    resolved here is missing. `contradicted_by`: other sides of standing contradictions.
    """

    memory: Memory
    fates: Mapping[int, Fate] = field(default_factory=dict)
    contradicted_by: tuple[str, ...] = ()
    recalls: int = 0


def candidates(store: Store, expression: str, *, ids: Iterable[str] = (), limit: int = 200) -> list[Hit]:
    """The best `limit` by text, plus the named ones. Best text first, then id.

    `expression` is of text.terms.fts_expression ("": no text search). Superseded, archived and forgotten memories come
    by their ids alone.
    """
    values: dict[str, SqlValue] = {"expression": expression or NOTHING_MATCHES, "ids": listed(ids), "limit": limit}
    return _hits(indexing.mending(store, lambda: store.rows(CANDIDATES, values)))


def document_frequencies(store: Store, terms: Iterable[str]) -> dict[str, int]:
    """In how many searchable memories each term occurs; absent ones left out."""
    values = {"terms": listed(dict.fromkeys(terms))}
    return dict(indexing.mending(store, lambda: store.rows(FREQUENCIES, values)))


def documents(store: Store) -> int:
    """How many memories a recall may find: neither superseded, archived nor forgotten."""
    return int(store.rows(indexing.SEARCHABLE)[0][0])


def on_paths(store: Store, paths: Iterable[str]) -> list[Hit]:
    """Memories that a recall may find, anchored in these files (as written, proved, or where they are now), by id."""
    return _hits(store.rows(ON_PATHS, {"paths": listed(paths)}))


def standing(store: Store) -> list[Hit]:
    """All live memories, archived ones too, with fates, by id. Where a few columns do, see outlines."""
    return _hits(store.rows(STANDING))


def in_slots(store: Store, slots: Iterable[tuple[str, str, str]]) -> list[Hit]:
    """Memories that a recall may find with an anchor in one of the slots (path, qualified, disambiguator), by id."""
    return _hits(store.rows(IN_SLOTS, {"slots": listed(list(slot) for slot in slots)}))


def unanchored(store: Store) -> list[Hit]:
    """Memories that a recall may find and that have no anchor, by id."""
    return _hits(store.rows(UNANCHORED))


def sound(store: Store) -> bool:
    """Whether the full-text index agrees with itself and the memories; on a read-only store only counts are told."""
    return indexing.sound(store)


def rebuild(store: Store) -> None:
    """Makes the full-text index anew from the memories."""
    indexing.rebuild(store)


def ensure(store: Store, recipe: str) -> bool:
    """Rebuilds the index when it is unsound or was made by another `recipe` (say, the program's version); True then."""
    return indexing.ensure(store, recipe)


def _hits(found: Iterable[Row]) -> list[Hit]:
    return [_hit(list(group)) for _, group in groupby(found, key=lambda row: row[0])]


def _hit(group: list[Row]) -> Hit:
    first = group[0]
    recalls, contradicted, contradicting = first[rows.MEMORY_WIDTH : ANCHOR_AT]
    anchored = [row for row in group if row[ANCHOR_AT] is not None]
    memory = rows.memory_of(first, (rows.anchor_of(row[ANCHOR_AT:FATE_AT]) for row in anchored))
    stands = not (memory.superseded_by or memory.archived or memory.forgotten_at)
    fates = {row[FATE_AT]: fate_of(row[FATE_AT:]) for row in anchored if row[FATE_AT] is not None}
    return Hit(memory, fates, _ids(contradicted, contradicting) if stands else (), recalls or 0)


def _ids(*lists: str) -> tuple[str, ...]:
    """Distinct ids of JSON lists, sorted."""
    return tuple(sorted({each for text in lists if text != "[]" for each in json.loads(text)}))

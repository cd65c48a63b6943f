"""Finding memories for a question: the one SELECT of a recall, and the lookups by place. Ranks nothing."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

from anchormem.errors import StoreError
from anchormem.model import Fate, Memory
from anchormem.store import indexing, rows
from anchormem.store.db import Store
from anchormem.store.fates import FATE_WIDTH, fate_of
from anchormem.store.odd_text import listed
from anchormem.store.opening import Row, SqlValue

# The match stands in a materialised table of its own because bm25 fails once its rows are grouped or joined.
CANDIDATES = """
WITH
matched AS MATERIALIZED (
  SELECT search.rowid AS seq, bm25(search) AS score
  FROM main.search
  CROSS JOIN main.memories m ON m.seq = search.rowid
  WHERE search MATCH :expression AND (:kinds = '[]' OR m.kind IN (SELECT value FROM json_each(:kinds)))
  ORDER BY score, m.id
  LIMIT :limit
),
near AS MATERIALIZED (
  SELECT a.memory AS seq
  FROM json_each(:paths) p CROSS JOIN main.slots s ON s.path = p.value AND s.live = 1
  CROSS JOIN main.anchors a ON a.id = s.anchor
  UNION
  SELECT a.memory
  FROM json_each(:folders) p CROSS JOIN main.slots s ON s.folder = p.value AND s.live = 1
  CROSS JOIN main.anchors a ON a.id = s.anchor
  UNION
  SELECT a.memory
  FROM json_each(:paths) p CROSS JOIN checkout.fates f ON f.at_path = p.value
  CROSS JOIN main.anchors a ON a.id = f.anchor
),
nearest AS MATERIALIZED (
  SELECT m.seq
  FROM near CROSS JOIN main.memories m ON m.seq = near.seq
  WHERE m.superseded_by = '' AND m.archived = 0 AND m.forgotten_at = 0
    AND (:kinds = '[]' OR m.kind IN (SELECT value FROM json_each(:kinds)))
  ORDER BY m.updated_at DESC, m.id
  LIMIT :limit
),
chosen AS MATERIALIZED (
  SELECT seq FROM matched
  UNION SELECT seq FROM nearest
  UNION SELECT m.seq FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value
)
SELECT
  h.*, EXISTS (SELECT 1 FROM near WHERE near.seq = chosen.seq),
  s.body, s.names, s.paths, s.commands
FROM chosen
CROSS JOIN hit_rows h ON h.seq = chosen.seq
LEFT JOIN matched t ON t.seq = chosen.seq
LEFT JOIN main.search s ON s.rowid = chosen.seq
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
COLUMNS = ("body", "names", "paths", "commands")
NOTHING_MATCHES = '""'  # FTS5 refuses an empty expression; an empty phrase finds nothing
FATE_AT = rows.MEMORY_WIDTH + 3 + rows.ANCHOR_WIDTH
HIT_WIDTH = FATE_AT + FATE_WIDTH + 1

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory with everything a recall needs, as one look at the store saw it.

    `memory.anchors` come without their `text`. `fates` by anchor id, of this checkout; an anchor that was never
    resolved here is missing. `indexed` by column (body, names, paths, commands): the terms it is found by, joined by
    blanks, where a recall asked; None elsewhere. `contradicted_by`: other sides of standing contradictions.
    """

    memory: Memory
    fates: Mapping[int, Fate] = field(default_factory=dict)
    contradicted_by: tuple[str, ...] = ()
    near: bool = False  # anchored (now or when written) in near_paths or near_folders
    recalls: int = 0
    changed_at: int = 0  # last deliberate change
    indexed: Mapping[str, str] | None = None


def candidates(
    store: Store,
    expression: str,
    *,
    near_paths: Iterable[str] = (),
    near_folders: Iterable[str] = (),
    kinds: Iterable[str] = (),
    ids: Iterable[str] = (),
    limit: int = 200,
) -> list[Hit]:
    """THE select of a recall. Superseded, archived and forgotten memories never come, but for `ids`.

    `expression` is of text.terms.fts_expression ("": no text search). The best `limit` by text, plus the `limit` most
    recently changed anchored in near_paths (files) or directly in near_folders ("" is the top), plus the named ones.
    `kinds` restricts all but `ids`. Best text first, then id.
    """
    values: dict[str, SqlValue] = {
        "expression": expression or NOTHING_MATCHES,
        "paths": listed(near_paths),
        "folders": listed(near_folders),
        "kinds": listed(kinds),
        "ids": listed(ids),
        "limit": limit,
    }
    return _hits(_mending(store, lambda: store.rows(CANDIDATES, values)))


def document_frequencies(store: Store, terms: Iterable[str]) -> dict[str, int]:
    """In how many searchable memories each term occurs; absent ones left out."""
    values = {"terms": listed(dict.fromkeys(terms))}
    return dict(_mending(store, lambda: store.rows(FREQUENCIES, values)))


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


def _mending(store: Store, ask: Callable[[], Answer]) -> Answer:
    """Asks again with a new full-text index when the old one is damaged."""
    try:
        return ask()
    except StoreError as error:
        if not store.writable or not indexing.is_damage(error):
            raise
        indexing.rebuild(store)
        store.notice("the full-text index was damaged and has been rebuilt")
        return ask()


def _hits(found: Iterable[Row]) -> list[Hit]:
    return [_hit(list(group)) for _, group in groupby(found, key=lambda row: row[0])]


def _hit(group: list[Row]) -> Hit:
    first = group[0]
    recalls, contradicted, contradicting = first[rows.MEMORY_WIDTH : rows.MEMORY_WIDTH + 3]
    anchored = [row for row in group if row[rows.MEMORY_WIDTH + 3] is not None]
    memory = rows.memory_of(first, (rows.anchor_of(row[rows.MEMORY_WIDTH + 3 : FATE_AT]) for row in anchored))
    indexed = first[HIT_WIDTH + 1 : HIT_WIDTH + 5]
    stands = not (memory.superseded_by or memory.archived or memory.forgotten_at)
    return Hit(
        memory,
        {row[FATE_AT]: fate_of(row[FATE_AT:]) for row in anchored if row[FATE_AT] is not None},
        _ids(contradicted, contradicting) if stands else (),
        near=len(first) > HIT_WIDTH and bool(first[HIT_WIDTH]),
        recalls=recalls or 0,
        changed_at=memory.updated_at,
        indexed=dict(zip(COLUMNS, indexed, strict=True)) if indexed and indexed[0] is not None else None,
    )


def _ids(*lists: str) -> tuple[str, ...]:
    """Distinct ids of JSON lists, sorted."""
    return tuple(sorted({each for text in lists if text != "[]" for each in json.loads(text)}))

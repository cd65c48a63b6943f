"""Which memories bear on a question, and each in the few columns it is ranked by: what a recall reads. Ranks nothing.

Most of what is found is never shown; of what is, search.candidates reads the whole.
"""

import json
from collections.abc import Iterable
from itertools import starmap
from typing import NamedTuple

from anchormem.model import FateName, Source
from anchormem.store.db import Store
from anchormem.store.indexing import NOTHING_MATCHES, mending
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, SqlValue

# `few` holds one more than the limit where that many match: only then is it worth weighing them. The weighing stands
# in a materialised table of its own because bm25 fails once its rows are grouped or joined.
CHOSEN = """
WITH
few AS MATERIALIZED (
  SELECT search.rowid AS seq
  FROM main.search
  WHERE search MATCH :expression AND (:kinds = '[]' OR EXISTS (
    SELECT 1 FROM main.memories m WHERE m.seq = search.rowid AND m.kind IN (SELECT value FROM json_each(:kinds))
  ))
  LIMIT :limit + 1
),
best AS MATERIALIZED (
  SELECT search.rowid AS seq
  FROM main.search
  WHERE (SELECT count(*) FROM few) > :limit
    AND search MATCH :expression AND (:kinds = '[]' OR EXISTS (
      SELECT 1 FROM main.memories m WHERE m.seq = search.rowid AND m.kind IN (SELECT value FROM json_each(:kinds))
    ))
  ORDER BY bm25(search), search.rowid DESC
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
chosen AS (
  SELECT seq FROM few WHERE (SELECT count(*) FROM few) <= :limit
  UNION SELECT seq FROM best
  UNION SELECT seq FROM nearest
)
SELECT seq FROM chosen
"""
# What the index holds of a row stands in a table of its own, which is read many times faster than through FTS5.
LEADS = """
SELECT
  m.seq, m.id, m.body, m.source, m.imported, m.updated_at,
  (SELECT e.command FROM main.evidence e WHERE e.memory = m.seq),
  EXISTS (SELECT 1 FROM contradictions c WHERE c.of_seq = m.seq)
    OR EXISTS (SELECT 1 FROM contradictions c WHERE c.by_seq = m.seq),
  (
    SELECT json_group_array(
      json_array(anchor, path, qualified, disambiguator, name, at_path, at_qualified, at_disambiguator)
    )
    FROM (
      SELECT
        a.id AS anchor, a.path, a.qualified, a.disambiguator, f.name, f.at_path, f.at_qualified, f.at_disambiguator
      FROM main.anchors a LEFT JOIN checkout.fates f ON f.anchor = a.id
      WHERE a.memory = m.seq ORDER BY a.position
    )
  ),
  s.c0, s.c1, s.c2, s.c3
FROM json_each(:seqs) wanted
CROSS JOIN main.memories m ON m.seq = wanted.value
LEFT JOIN main.search_content s ON s.id = m.seq
WHERE m.superseded_by = '' AND m.archived = 0 AND m.forgotten_at = 0
"""
MATCHING = """
SELECT count(*)
FROM main.search
WHERE search MATCH :expression AND (:kinds = '[]' OR EXISTS (
  SELECT 1 FROM main.memories m WHERE m.seq = search.rowid AND m.kind IN (SELECT value FROM json_each(:kinds))
))
"""
CHANGES = "SELECT changes FROM checkout.told WHERE row = 1"
EMPTY = "[]"
MOST = 200  # by text


class Tie(NamedTuple):
    """One anchor: its slot as written, and what this checkout last found. `fate` None: never resolved here; `at_path`
    None: it is where it was written.
    """

    anchor: int
    path: str
    qualified: str
    disambiguator: str
    fate: FateName | None
    at_path: str | None
    at_qualified: str | None
    at_disambiguator: str | None


class Lead(NamedTuple):
    """A memory as it is ranked. `indexed`: the terms it is found by, as body, names, paths, commands, each joined by
    blanks; None where the index has no row of it. `contradicted`: a link says so, of two that both stand.
    """

    id: str
    body: str
    source: Source
    imported: bool
    updated_at: int
    command: str
    contradicted: bool
    ties: tuple[Tie, ...]
    indexed: tuple[str, str, str, str] | None


def version(store: Store) -> tuple[int, ...]:
    """Equal as long as nothing has changed that is shown of a memory here: neither memories nor fates."""
    theirs, _, ours, _ = store.version()
    return theirs, ours, int(store.rows(CHANGES)[0][0])


def chosen(
    store: Store,
    expression: str,
    *,
    near_paths: Iterable[str] = (),
    near_folders: Iterable[str] = (),
    kinds: Iterable[str] = (),
    limit: int = MOST,
) -> list[int]:
    """What a task may be about, for `leads`. Superseded, archived and forgotten memories never come.

    `expression` is of text.terms.fts_expression ("": no text search). The best `limit` by text, plus the `limit` most
    recently changed anchored in near_paths (files) or directly in near_folders ("" is the top); of `kinds` alone.
    """
    values: dict[str, SqlValue] = {
        "expression": expression or NOTHING_MATCHES,
        "paths": listed(near_paths),
        "folders": listed(near_folders),
        "kinds": listed(kinds),
        "limit": limit,
    }
    return [row[0] for row in mending(store, lambda: store.rows(CHOSEN, values))]


def matching(store: Store, expression: str, kinds: Iterable[str] = ()) -> int:
    """How many match by text, chosen or not."""
    values: dict[str, SqlValue] = {"expression": expression or NOTHING_MATCHES, "kinds": listed(kinds)}
    return int(mending(store, lambda: store.rows(MATCHING, values))[0][0])


def leads(store: Store, seqs: Iterable[int]) -> dict[int, Lead]:
    """Those chosen, but for what has been superseded, archived or forgotten since."""
    values: dict[str, SqlValue] = {"seqs": listed(seqs)}
    return {row[0]: _lead(row[1:]) for row in mending(store, lambda: store.rows(LEADS, values))}


def _lead(row: Row) -> Lead:
    name, body, source, imported, updated_at, command, contradicted, ties, *indexed = row
    return Lead(
        name,
        unpacked(body),
        source,
        bool(imported),
        updated_at,
        unpacked(command or ""),
        bool(contradicted),
        () if ties == EMPTY else tuple(starmap(Tie, json.loads(unpacked(ties)))),
        None if indexed[0] is None else (indexed[0], indexed[1], indexed[2], indexed[3]),
    )

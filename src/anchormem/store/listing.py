"""Lists and counts of memories. Ranks nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from anchormem.model import Memory
from anchormem.store.db import Store
from anchormem.store.memories import whole
from anchormem.store.odd_text import listed
from anchormem.store.opening import SqlValue

PAGE = """
SELECT m.* FROM memory_rows m
WHERE (:kinds = '[]' OR m.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:sources = '[]' OR m.source IN (SELECT value FROM json_each(:sources)))
  AND (:author = '' OR m.author = :author)
  AND (:origin = '' OR m.origin = :origin OR (:prefix <> '' AND substr(m.origin, 1, length(:prefix)) = :prefix))
  AND (:text = '' OR instr(lower(m.body), lower(:text)) > 0)
  AND (:archived IS NULL OR m.archived = :archived)
  AND (:forgotten IS NULL OR (m.forgotten_at > 0) = :forgotten)
  AND (:superseded IS NULL OR (m.superseded_by <> '') = :superseded)
  AND (:imported IS NULL OR m.imported = :imported)
  AND (:private IS NULL OR m.private = :private)
  AND (:unapproved IS NULL OR (coalesce(m.approved, 1) = 0) = :unapproved)
ORDER BY m.updated_at DESC, m.id
LIMIT :limit OFFSET :offset
"""
TOTAL = """
SELECT count(*) FROM main.memories m LEFT JOIN main.evidence e ON e.memory = m.seq
WHERE (:kinds = '[]' OR m.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:sources = '[]' OR m.source IN (SELECT value FROM json_each(:sources)))
  AND (:author = '' OR m.author = :author)
  AND (:origin = '' OR m.origin = :origin OR (:prefix <> '' AND substr(m.origin, 1, length(:prefix)) = :prefix))
  AND (:text = '' OR instr(lower(m.body), lower(:text)) > 0)
  AND (:archived IS NULL OR m.archived = :archived)
  AND (:forgotten IS NULL OR (m.forgotten_at > 0) = :forgotten)
  AND (:superseded IS NULL OR (m.superseded_by <> '') = :superseded)
  AND (:imported IS NULL OR m.imported = :imported)
  AND (:private IS NULL OR m.private = :private)
  AND (:unapproved IS NULL OR (coalesce(e.approved, 1) = 0) = :unapproved)
"""
NEWEST = "SELECT coalesce(max(max(updated_at, forgotten_at)), 0) FROM main.memories"
EVERYTHING = "SELECT m.* FROM memory_rows m ORDER BY m.id"
COUNTS = """
SELECT
  count(*) FILTER (WHERE live), count(*) FILTER (WHERE superseded AND NOT forgotten),
  count(*) FILTER (WHERE forgotten), count(*) FILTER (WHERE live AND archived),
  count(*) FILTER (WHERE live AND private), count(*) FILTER (WHERE live AND imported),
  count(*) FILTER (WHERE live AND NOT anchored)
FROM (
  SELECT
    m.superseded_by = '' AND m.forgotten_at = 0 AS live, m.superseded_by <> '' AS superseded,
    m.forgotten_at > 0 AS forgotten, m.archived, m.private, m.imported,
    EXISTS (SELECT 1 FROM main.anchors a WHERE a.memory = m.seq) AS anchored
  FROM main.memories m
)
"""
BY_KIND = """
SELECT kind, count(*) FROM main.memories WHERE superseded_by = '' AND forgotten_at = 0 GROUP BY kind ORDER BY kind
"""
BY_SOURCE = """
SELECT source, count(*) FROM main.memories WHERE superseded_by = '' AND forgotten_at = 0 GROUP BY source ORDER BY source
"""


@dataclass(frozen=True, slots=True)
class Filter:
    """Of a page. None: either. Empty tuples: any. `text`: a substring of the body, case ignored (ASCII)."""

    kinds: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    by: str = ""
    origin: str = ""  # as written; a trailing "*" makes it a prefix
    text: str = ""
    archived: bool | None = None
    forgotten: bool | None = False
    superseded: bool | None = None
    imported: bool | None = None
    private: bool | None = None
    unapproved: bool | None = None  # True: evidence whose command waits for approval


@dataclass(frozen=True, slots=True)
class Page:
    """`total` counts all that pass the filter. Newest change first, then id."""

    memories: tuple[Memory, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of memories. `live`: neither forgotten nor superseded (archived ones are live).

    `kinds`, `sources`, `unanchored`, `private`, `archived`, `imported`: of the live ones.
    """

    kinds: Mapping[str, int]
    sources: Mapping[str, int]
    live: int
    superseded: int
    forgotten: int
    archived: int
    private: int
    imported: int
    unanchored: int


def page(store: Store, wanted: Filter, *, offset: int = 0, limit: int = 20) -> Page:
    """One page of those that pass the filter."""
    values = _values(wanted)
    found = store.rows(PAGE, values | {"offset": offset, "limit": limit})
    return Page(tuple(whole(store, found)), int(store.rows(TOTAL, values)[0][0]))


def everything(store: Store) -> list[Memory]:
    """All memories, sorted by id: forgotten, superseded and archived ones too (for export)."""
    return whole(store, store.rows(EVERYTHING))


def counts(store: Store) -> Counts:
    """Counts over the whole store."""
    kinds: dict[str, int] = dict(store.rows(BY_KIND))
    sources: dict[str, int] = dict(store.rows(BY_SOURCE))
    return Counts(kinds, sources, *store.rows(COUNTS)[0])


def _values(wanted: Filter) -> dict[str, SqlValue]:
    return {
        "kinds": listed(wanted.kinds),
        "sources": listed(wanted.sources),
        "author": wanted.by,
        "origin": wanted.origin,
        "prefix": wanted.origin.removesuffix("*") if wanted.origin.endswith("*") else "",
        "text": wanted.text,
        "archived": wanted.archived,
        "forgotten": wanted.forgotten,
        "superseded": wanted.superseded,
        "imported": wanted.imported,
        "private": wanted.private,
        "unapproved": wanted.unapproved,
    }


def newest(store: Store) -> int:
    """When a memory was last changed or forgotten, 0 where there is none."""
    row = store.row(NEWEST)
    return int(row[0]) if row is not None else 0

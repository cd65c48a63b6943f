"""The full-text index over memories, and which slots are live: kept in step by whoever changes a memory.

A memory is searchable while it is neither superseded, archived nor forgotten.
"""

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from anchormem.errors import StoreDamaged, StoreError
from anchormem.store.db import Store
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, SqlValue

Answer = TypeVar("Answer")

SOME = """
SELECT
  m.seq, m.body, e.command,
  (SELECT json_group_array(a.qualified) FROM main.anchors a WHERE a.memory = m.seq) AS names,
  (SELECT json_group_array(s.path) FROM main.anchors a JOIN main.slots s ON s.anchor = a.id WHERE a.memory = m.seq)
FROM json_each(:seqs) wanted
CROSS JOIN main.memories m ON m.seq = wanted.value
LEFT JOIN main.evidence e ON e.memory = m.seq
WHERE m.superseded_by = '' AND m.archived = 0 AND m.forgotten_at = 0
"""
ALL = """
SELECT
  m.seq, m.body, e.command,
  (SELECT json_group_array(a.qualified) FROM main.anchors a WHERE a.memory = m.seq) AS names,
  (SELECT json_group_array(s.path) FROM main.anchors a JOIN main.slots s ON s.anchor = a.id WHERE a.memory = m.seq)
FROM main.memories m
LEFT JOIN main.evidence e ON e.memory = m.seq
WHERE m.superseded_by = '' AND m.archived = 0 AND m.forgotten_at = 0
"""
DELETE = "DELETE FROM main.search WHERE rowid = :seq"
INSERT = """
INSERT INTO main.search (rowid, body, names, paths, commands) VALUES (:seq, :body, :names, :paths, :commands)
"""
MARK_LIVE = """
UPDATE main.slots SET live = (
  SELECT m.superseded_by = '' AND m.forgotten_at = 0 FROM main.memories m WHERE m.seq = :seq
)
WHERE anchor IN (SELECT a.id FROM main.anchors a WHERE a.memory = :seq)
"""
DROP = ("DROP TABLE IF EXISTS main.vocabulary", "DROP TABLE IF EXISTS main.search")
# A virtual table whose own tables are gone cannot even be dropped: its name is taken out of the schema by hand.
TEAR_OUT = (
    "PRAGMA writable_schema = ON",
    "DELETE FROM main.sqlite_master WHERE name IN ('search', 'vocabulary')",
    "PRAGMA writable_schema = RESET",
    "DROP TABLE IF EXISTS main.search_data",
    "DROP TABLE IF EXISTS main.search_idx",
    "DROP TABLE IF EXISTS main.search_content",
    "DROP TABLE IF EXISTS main.search_docsize",
    "DROP TABLE IF EXISTS main.search_config",
)
CREATE = (
    "CREATE VIRTUAL TABLE main.search USING fts5(body, names, paths, commands, tokenize = 'ascii')",
    "CREATE VIRTUAL TABLE main.vocabulary USING fts5vocab('search', 'row')",
)
# Each change adds a piece to the index, and a question looks into every one: two of a size become one, a few pages at a
# time.
JOIN_PIECES = (
    "INSERT INTO main.search (search, rank) VALUES ('usermerge', 2)",
    "INSERT INTO main.search (search, rank) VALUES ('merge', 16)",
)
CHECK = "INSERT INTO main.search (search) VALUES ('integrity-check')"
INDEXED = "SELECT count(*) FROM main.search_docsize"
SEARCHABLE = """
SELECT count(*) FROM main.memories WHERE superseded_by = '' AND archived = 0 AND forgotten_at = 0
"""
NOTHING_MATCHES = '""'  # FTS5 refuses an empty expression; an empty phrase finds nothing
MADE_BY = "SELECT content FROM main.marks WHERE name = 'search.recipe'"
MARK_MADE_BY = """
INSERT INTO main.marks (name, content) VALUES ('search.recipe', :recipe)
ON CONFLICT (name) DO UPDATE SET content = excluded.content
"""


def index(store: Store, seq: int) -> None:
    """Brings index and live marks of one memory row in step with what it is now. Within `writing`."""
    store.run(MARK_LIVE, {"seq": seq})
    _index(store, (seq,), anew=True)


def index_new(store: Store, seqs: Sequence[int]) -> None:
    """Adds memory rows that the index has never seen, all at once. Within `writing`."""
    _index(store, seqs, anew=False)


def _index(store: Store, seqs: Sequence[int], *, anew: bool) -> None:
    try:
        with store.writing():
            for seq in seqs if anew else ():
                store.run(DELETE, {"seq": seq})
            store.run_many(INSERT, (_values(row) for row in store.rows(SOME, {"seqs": listed(seqs)})))
            _each(store, JOIN_PIECES)
    except StoreError as error:
        if not is_damage(error):
            raise
        rebuild(store)


def rebuild(store: Store) -> None:
    """Makes the index anew from the memories; also when it is too damaged to be read."""
    with store.writing():
        try:
            with store.writing():
                _each(store, DROP)
        except StoreDamaged:
            _each(store, TEAR_OUT)
        _each(store, CREATE)
        store.run_many(INSERT, (_values(row) for row in store.rows(ALL)))


def mending(store: Store, ask: Callable[[], Answer]) -> Answer:
    """The answer of a question to the index; asked again of a new one when the old one is damaged."""
    try:
        return ask()
    except StoreError as error:
        if not store.writable or not is_damage(error):
            raise
        rebuild(store)
        store.notice("the full-text index was damaged and has been rebuilt")
        return ask()


def is_damage(error: StoreError) -> bool:
    """Whether an error may come from a broken index; FTS5 tells some damage as a plain error."""
    return type(error) in (StoreError, StoreDamaged)


def sound(store: Store) -> bool:
    """Whether the index agrees with itself and holds as many memories as it should. Takes the write lock briefly."""
    if store.row(INDEXED) != store.row(SEARCHABLE):
        return False
    if not store.writable:
        return True
    try:
        with store.writing():
            store.run(CHECK)
    except StoreError as error:
        if is_damage(error):
            return False
        raise
    return True


def _each(store: Store, statements: tuple[str, ...]) -> None:
    for statement in statements:
        store.run(statement)


def _values(row: Row) -> dict[str, SqlValue]:
    seq, body, command, names, paths = row
    return {
        "seq": seq,
        "body": _terms(unpacked(body)),
        "names": _terms(*dict.fromkeys(json.loads(names))),
        "paths": _terms(*dict.fromkeys(json.loads(paths))),
        "commands": _terms(unpacked(command or "")),
    }


def _terms(*texts: str) -> str:
    from anchormem.text.terms import terms  # noqa: PLC0415 — reading needs none

    return " ".join(term for text in texts for term in terms(text))


def ensure(store: Store, recipe: str) -> bool:
    """Rebuilds the index when it is unsound or was made by another recipe; True then."""
    row = store.row(MADE_BY)
    if row is not None and row[0] == recipe and sound(store):
        return False
    with store.writing():
        rebuild(store)
        store.run(MARK_MADE_BY, {"recipe": recipe})
    return True

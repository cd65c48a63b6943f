"""Keeps facts.db small: what no checkout of the repository uses goes, least recently used first."""

import sqlite3
from pathlib import Path

from anchormem.store import fact_rows, opening
from anchormem.store.db import Store
from anchormem.store.odd_text import listed

SPARE = 0.4  # of the live size is kept for branches that come back
SYMBOL_BYTES = 220  # about what a symbol takes, indexes included
TRIGGER = 0.5  # `tidy` waits until there is so much more than this checkout uses, and so does not prune every time
WAIT_MS = 1000

USED_HERE = "SELECT DISTINCT content, language FROM main.files WHERE content IS NOT NULL"
CONTENTS = """
SELECT id, content, language, used, length(calls) + length(imports) + symbols * :symbol_bytes FROM facts.contents
"""
KEPT = "SELECT count(*) FROM facts.contents"
HERE = "SELECT count(*) FROM checkout.files WHERE content IS NOT NULL"
MARK = "UPDATE facts.contents SET used = :tick WHERE id IN (SELECT value FROM json_each(:ids))"


def tidy(store: Store) -> int:
    """Prunes when the facts have outgrown this checkout, as a cheap look at counts tells. How many contents went."""
    kept, here = int(store.rows(KEPT)[0][0]), int(store.rows(HERE)[0][0])
    return prune(store) if kept > here * (1 + TRIGGER) else 0


def prune(store: Store) -> int:
    """Drops facts beyond SPARE of the live size. How many contents.

    `used` 0: in use at the last prune; else the prune at which it was first found unused.
    """
    live = _in_use(store)
    size = 0
    idle: list[tuple[int, int, int]] = []
    revived: list[int] = []
    latest = 0
    for content_id, content, language, used, weight in store.rows(CONTENTS, {"symbol_bytes": SYMBOL_BYTES}):
        latest = max(latest, used)
        if (content, language) in live:
            size += weight
            if used:
                revived.append(content_id)
        else:
            idle.append((used, content_id, weight))
    dropped = _beyond([(used or latest + 1, content_id, weight) for used, content_id, weight in idle], size * SPARE)
    fallen = [content_id for used, content_id, _ in idle if not used]
    if not (dropped or fallen or revived):
        return 0
    with store.deriving():
        store.run(MARK, {"tick": 0, "ids": listed(revived)})
        store.run(MARK, {"tick": latest + 1, "ids": listed(fallen)})
        fact_rows.remove(store, dropped)
    return len(dropped)


def _beyond(idle: list[tuple[int, int, int]], room: float) -> list[int]:
    """Those that do not fit when the last used are kept first."""
    dropped = []
    for _, content_id, weight in sorted(idle, reverse=True):
        room -= weight
        if room < 0:
            dropped.append(content_id)
    return dropped


def _in_use(store: Store) -> set[tuple[bytes, str]]:
    """Contents of every checkout of the repository. One that cannot be read costs parsing again, no more."""
    found: set[tuple[bytes, str]] = set()
    for path in sorted((store.directory / "checkouts").glob("*.db")):
        found.update(_contents(path))
    return found


def _contents(path: Path) -> list[tuple[bytes, str]]:
    try:
        connection = opening.connect(path, "ro", WAIT_MS)
        try:
            return [(row[0], row[1]) for row in connection.execute(USED_HERE)]
        finally:
            connection.close()
    except sqlite3.Error:
        return []

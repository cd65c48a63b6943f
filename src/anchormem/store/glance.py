"""A quick look at one store for hook and status line, which may cost a few milliseconds in all.

Imports next to nothing (dataclasses, pathlib and the values of model would cost more than the look itself), opens
read-only, waits for nobody and creates nothing. Knows nothing of what is printed.
"""

# ruff: noqa: PTH100, PTH110, PTH116, PTH118, PTH120  # pathlib costs more to import than the whole look
import _sqlite3 as sqlite3  # the C half alone: the Python half imports datetime, for adapters that nobody uses here
import os

from anchormem.errors import StoreError

TYPE_CHECKING = False  # as of typing, which costs too much to import
if TYPE_CHECKING:
    from typing import Any

FIND = "SELECT directory, checkout_key FROM checkouts WHERE root = :root ORDER BY seen_at DESC, directory LIMIT 1"
ATTACH = "ATTACH DATABASE :uri AS checkout"
IS_OURS = "SELECT 1 FROM checkout.fates LIMIT 1"
MEMORIES = "SELECT count(*) FROM main.memories WHERE superseded_by = '' AND forgotten_at = 0 AND archived = 0"
# The rule of anchors.md §4: all gone: invalidated; any gone or stale: stale; else any unknown: unknown; else active.
STATUSES = """
SELECT status, count(*), sum(verified)
FROM (
  SELECT
    CASE
      WHEN sum(f.name = 'gone') = (SELECT count(*) FROM main.anchors o WHERE o.memory = a.memory) THEN 'invalidated'
      WHEN sum(f.name IN ('gone', 'stale')) > 0 THEN 'stale'
      ELSE 'unknown'
    END AS status,
    m.source = 'verified' AS verified
  FROM checkout.fates f INDEXED BY fates_unwell
  CROSS JOIN main.anchors a ON a.id = f.anchor
  CROSS JOIN main.memories m ON m.seq = a.memory
  WHERE f.name <> 'fresh' AND f.name <> 'followed'
    AND m.superseded_by = '' AND m.forgotten_at = 0 AND m.archived = 0
  GROUP BY a.memory
)
GROUP BY status
"""
WORST = """
SELECT m.id, m.kind, m.source, substr(m.body, 1, 300), f.reason, m.imported, max(f.touches) AS touched
FROM checkout.fates f INDEXED BY fates_unwell
CROSS JOIN main.anchors a ON a.id = f.anchor
CROSS JOIN main.memories m ON m.seq = a.memory
WHERE f.name <> 'fresh' AND f.name = 'stale' AND m.superseded_by = '' AND m.forgotten_at = 0 AND m.archived = 0
GROUP BY a.memory
ORDER BY touched DESC, m.source = 'verified' DESC, m.kind = 'decision' DESC, m.updated_at DESC, m.id
LIMIT :limit
"""
ANCHORED = """
SELECT p.path, f.inode, f.size, f.mtime_ns, f.ctime_ns
FROM (
  SELECT s.path FROM main.slots s INDEXED BY slots_place WHERE s.live = 1
  UNION
  SELECT f.at_path FROM checkout.fates f INDEXED BY fates_followed WHERE f.name = 'followed' AND f.at_path IS NOT NULL
) p
CROSS JOIN checkout.files f ON f.path = p.path
"""
ON_FILE = """
SELECT m.id, m.kind, m.source, m.imported, substr(m.body, 1, 600)
FROM (
  SELECT s.anchor FROM main.slots s INDEXED BY slots_place WHERE s.path = :path AND s.live = 1
  UNION
  SELECT f.anchor FROM checkout.fates f WHERE f.at_path = :path
) here
CROSS JOIN main.anchors a ON a.id = here.anchor
CROSS JOIN main.memories m ON m.seq = a.memory
WHERE m.superseded_by = '' AND m.forgotten_at = 0 AND m.archived = 0 AND NOT EXISTS (
  SELECT 1 FROM main.anchors o LEFT JOIN checkout.fates f ON f.anchor = o.id
  WHERE o.memory = m.seq AND (f.name IS NULL OR f.name NOT IN ('fresh', 'followed'))
)
GROUP BY m.seq
ORDER BY m.kind = 'decision' DESC, m.source = 'verified' DESC, m.updated_at DESC, m.id
LIMIT :limit
"""
SEEN = "SELECT inode, size, mtime_ns, ctime_ns FROM checkout.files WHERE path = :path"
KNOWS = """
SELECT 1
FROM (
  SELECT s.anchor FROM main.slots s INDEXED BY slots_place WHERE s.path = :path AND s.live = 1
  UNION
  SELECT f.anchor FROM checkout.fates f WHERE f.at_path = :path
) here
CROSS JOIN main.anchors a ON a.id = here.anchor
CROSS JOIN main.memories m ON m.seq = a.memory
WHERE m.superseded_by = '' AND m.forgotten_at = 0 AND m.archived = 0
LIMIT 1
"""
SAVED = "SELECT coalesce(sum(saved), 0) FROM main.ledger"
MARK = "SELECT content FROM main.marks WHERE name = :name"


def find(data: str, directory: str) -> tuple[str, str, str] | None:
    """(store directory, root, checkout key) for a real path or the nearest recorded one above it, not beyond a `.git`.

    None as well for a missing, locked or damaged map.
    """
    try:
        connection = _connect(os.path.join(data, "map.db"))
    except (sqlite3.Error, OSError):
        return None
    try:
        while True:
            row = connection.execute(FIND, {"root": directory}).fetchone()
            if row is not None:
                return os.path.join(data, row[0]), directory, row[1]
            above = os.path.dirname(directory)
            if above == directory or os.path.exists(os.path.join(directory, ".git")):
                return None
            directory = above
    except (sqlite3.Error, UnicodeEncodeError):
        return None
    finally:
        connection.close()


class Glance:
    """One read-only connection. Every method may raise StoreError."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def memories(self) -> int:
        """How many a recall may find."""
        return int(self._rows(MEMORIES)[0][0])

    def statuses(self) -> dict[str, tuple[int, int]]:
        """stale, invalidated, unknown → (how many memories, how many of these verified). The rest is active."""
        return {row[0]: (row[1], row[2]) for row in self._rows(STATUSES)}

    def worst(self, limit: int) -> list[tuple[str, str, str, str, str, bool]]:
        """The stale ones most worth attention: id, kind, source, beginning of the body, a reason, imported."""
        return [(row[0], row[1], row[2], row[3], row[4], bool(row[5])) for row in self._rows(WORST, {"limit": limit})]

    def anchored(self) -> list[tuple[str, int, int, int, int]]:
        """Anchored files as last seen: path, inode, size, mtime_ns, ctime_ns. Those never seen are left out."""
        return [(row[0], row[1] % (1 << 64), row[2], row[3], row[4]) for row in self._rows(ANCHORED)]

    def seen(self, path: str) -> tuple[int, int, int, int] | None:
        """A file as last seen: inode, size, mtime_ns, ctime_ns."""
        for row in self._rows(SEEN, {"path": path}) if _is_utf8(path) else ():
            return row[0] % (1 << 64), row[1], row[2], row[3]
        return None

    def knows(self, path: str) -> bool:
        """Whether any memory is anchored in a file, whatever became of it. No for a name that is no UTF-8."""
        return _is_utf8(path) and bool(self._rows(KNOWS, {"path": path}))

    def on_file(self, path: str, limit: int) -> list[tuple[str, str, str, bool, str]]:
        """Active memories of a file, decisions first: id, kind, source, imported, beginning of the body.

        Nothing for a name that is no UTF-8.
        """
        if not _is_utf8(path):
            return []
        found = self._rows(ON_FILE, {"path": path, "limit": limit})
        return [(row[0], row[1], row[2], bool(row[3]), row[4]) for row in found]

    def saved(self) -> int:
        """Tokens saved, all time."""
        return int(self._rows(SAVED)[0][0])

    def mark(self, name: str) -> str:
        """One mark, "" when there is none."""
        found = self._rows(MARK, {"name": name})
        return str(found[0][0]) if found else ""

    def close(self) -> None:
        self._connection.close()

    def _rows(self, sql: str, values: dict[str, str | int] | None = None) -> "list[tuple[Any, ...]]":
        try:
            return self._connection.execute(sql, values or {}).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"the store of this repository failed: {error}", "run `anchormem doctor`") from error


def look(directory: str, checkout_key: str) -> Glance | None:
    """The store open for a look; None when there is none, no index of this checkout yet, or either cannot be read."""
    checkout = os.path.join(directory, "checkouts", f"{checkout_key}.db")
    try:
        connection = _connect(os.path.join(directory, "memory.db"))
    except (sqlite3.Error, OSError):
        return None
    try:
        connection.execute(ATTACH, {"uri": _readable(checkout)})
        connection.execute(IS_OURS)
    except (sqlite3.Error, OSError):
        connection.close()
        return None
    return Glance(connection)


def _is_utf8(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)


def _connect(path: str) -> sqlite3.Connection:
    return sqlite3.connect(_readable(path), uri=True, timeout=0.1, isolation_level=None)


def _readable(path: str) -> str:
    """A URI of an existing file, immutable where SQLite cannot make the shared memory that WAL needs."""
    os.stat(path)
    escaped = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace(os.sep, "/")
    uri = f"file:{escaped if escaped.startswith('/') else '/' + escaped}"
    shared = os.path.exists(path + "-shm") or os.access(os.path.dirname(path), os.W_OK)
    return f"{uri}?{'mode=ro' if shared else 'immutable=1'}"

"""What this checkout last saw of each file, and stamps of its sweep. Derived; knows nothing of disk or git."""

from collections.abc import Iterable, Mapping

from anchormem.model import Digest, FileState, Stat
from anchormem.store.db import Store
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, SqlValue

GET = """
SELECT f.path, f.inode, f.size, f.mtime_ns, f.ctime_ns, f.looked_ns, f.content, f.language, f.status
FROM json_each(:paths) wanted CROSS JOIN checkout.files f ON f.path = wanted.value
"""
EVERY = """
SELECT path, inode, size, mtime_ns, ctime_ns, looked_ns, content, language, status FROM checkout.files ORDER BY path
"""
LOOKS = "SELECT path, inode, size, mtime_ns, ctime_ns, looked_ns FROM checkout.files"
UNDER = """
SELECT path, inode, size, mtime_ns, ctime_ns, looked_ns, content, language, status FROM checkout.files
WHERE path > :first AND path < :last ORDER BY path
"""
FAILED = """
SELECT path, inode, size, mtime_ns, ctime_ns, looked_ns, content, language, status FROM checkout.files
WHERE status IN ('too_large', 'unreadable') ORDER BY path LIMIT :limit
"""
PUT = """
INSERT INTO checkout.files (path, inode, size, mtime_ns, ctime_ns, looked_ns, content, language, status)
VALUES (:path, :inode, :size, :mtime_ns, :ctime_ns, :looked_ns, :content, :language, :status)
ON CONFLICT (path) DO UPDATE SET
  inode = excluded.inode, size = excluded.size, mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns,
  looked_ns = excluded.looked_ns, content = excluded.content, language = excluded.language, status = excluded.status
"""
REMOVE = "DELETE FROM checkout.files WHERE path IN (SELECT value FROM json_each(:paths))"
COUNT = "SELECT count(*) FROM checkout.files"
WITH_CONTENT = "SELECT path FROM checkout.files WHERE content = :digest ORDER BY path"
STAMPS = "SELECT name, content FROM checkout.stamps ORDER BY name"
PUT_STAMP = """
INSERT INTO checkout.stamps (name, content) VALUES (:name, :content)
ON CONFLICT (name) DO UPDATE SET content = excluded.content
"""
REMOVE_STAMP = "DELETE FROM checkout.stamps WHERE name = :name"

HALF, WHOLE = 1 << 63, 1 << 64  # inodes are unsigned where SQLite's integers are not
AFTER_SLASH = "0"  # the character that follows "/"
AFTER_ALL = "\U0010ffff\U0010ffff"

Seen = tuple[tuple[int, int, int, int], int]  # (inode, size, mtime_ns, ctime_ns), looked_ns


def get(store: Store, paths: Iterable[str]) -> dict[str, FileState]:
    """Those that are known."""
    return {state.path: state for state in map(file_state, store.rows(GET, {"paths": listed(paths)}))}


def every(store: Store) -> dict[str, FileState]:
    """All of them, by path."""
    return {state.path: state for state in map(file_state, store.rows(EVERY))}


def looks(store: Store) -> dict[str, Seen]:
    """What was seen of every file: `every` for a whole tree."""
    return {unpacked(row[0]): seen_of(row) for row in store.rows(LOOKS)}


def seen_of(row: Row) -> Seen:
    """From the first six columns of a file, path first."""
    _, inode, size, mtime, ctime, looked = row
    return (inode if inode >= 0 else inode + WHOLE, size, mtime, ctime), looked


def under(store: Store, folder: str) -> list[FileState]:
    """Files below a folder ("": all), by path."""
    bounds = (f"{folder}/", folder + AFTER_SLASH) if folder else ("", AFTER_ALL)
    return [file_state(row) for row in store.rows(UNDER, {"first": bounds[0], "last": bounds[1]})]


def put_many(store: Store, states: Iterable[FileState]) -> None:
    with store.deriving():
        store.run_many(PUT, (_values(state) for state in states))


def remove(store: Store, paths: Iterable[str]) -> None:
    with store.deriving():
        store.run(REMOVE, {"paths": listed(paths)})


def count(store: Store) -> int:
    return int(store.rows(COUNT)[0][0])


def files_with_content(store: Store, digest: Digest) -> list[str]:
    """Paths with this content, sorted: for following a file."""
    return [unpacked(row[0]) for row in store.rows(WITH_CONTENT, {"digest": digest})]


def failed(store: Store, limit: int = 11) -> list[FileState]:
    """Files whose status is not ok, and not merely binary, by path."""
    return [file_state(row) for row in store.rows(FAILED, {"limit": limit})]


def stamps(store: Store) -> dict[str, str]:
    """All stamps: head, index_stamp, indexed_at, sweep_complete, … whatever was put."""
    return dict(store.rows(STAMPS))


def put_stamps(store: Store, values: Mapping[str, str]) -> None:
    """Sets these, leaves others. An empty value removes."""
    with store.deriving():
        store.run_many(PUT_STAMP, ({"name": name, "content": value} for name, value in values.items() if value))
        store.run_many(REMOVE_STAMP, ({"name": name} for name, value in values.items() if not value))


def file_state(row: Row) -> FileState:
    """From the nine columns of a file, path first."""
    return FileState(
        path=unpacked(row[0]),
        stat=Stat(row[1] if row[1] >= 0 else row[1] + WHOLE, row[2], row[3], row[4]),
        looked_ns=row[5],
        content=row[6],
        language=row[7] or None,
        status=row[8],
    )


def _values(state: FileState) -> dict[str, SqlValue]:
    inode = state.stat.inode
    return {
        "path": state.path,
        "inode": inode if inode < HALF else inode - WHOLE,
        "size": state.stat.size,
        "mtime_ns": state.stat.mtime_ns,
        "ctime_ns": state.stat.ctime_ns,
        "looked_ns": state.looked_ns,
        "content": state.content,
        "language": state.language or "",
        "status": state.status,
    }

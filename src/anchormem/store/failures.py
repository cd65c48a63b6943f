"""What SQLite says, told as our errors. Knows nothing of tables."""

import errno
import sqlite3

from anchormem.errors import (
    AnchormemError,
    Cancelled,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
)

PRIMARY = 0xFF  # extended result codes keep the primary one in the lowest byte
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})


def code(error: sqlite3.Error) -> int:
    """The primary result code, 0 when Python's own layer complains."""
    return getattr(error, "sqlite_errorcode", 0) & PRIMARY


def is_busy(error: sqlite3.Error) -> bool:
    return code(error) in BUSY


def is_damage(error: sqlite3.Error) -> bool:
    return code(error) in DAMAGE


def translated(error: sqlite3.Error, place: str) -> AnchormemError:
    """The error to raise; `place` is the store directory or file, for the person who reads it."""
    primary = code(error)
    if primary in BUSY:
        return StoreLocked(f"another process holds the store {place}", "try again in a moment")
    if primary == sqlite3.SQLITE_INTERRUPT:
        return Cancelled("stopped while reading or writing the store")
    if primary == sqlite3.SQLITE_FULL:
        return StoreFull(f"no space left for the store {place}", "free some disk space and repeat")
    if primary in UNWRITABLE:
        return read_only(place)
    if primary in DAMAGE:
        return StoreDamaged(
            f"the store {place} is damaged: {error}",
            "nothing has been deleted; `anchormem doctor` gives the steps that bring it back",
        )
    return StoreError(f"the store {place} failed: {error}", "run `anchormem doctor`")


def read_only(place: str) -> StoreReadOnly:
    return StoreReadOnly(
        f"the store {place} cannot be written", "make the directory writable, or set ANCHORMEM_DATA_DIR to one that is"
    )


def from_disk(error: OSError, place: str) -> StoreError:
    """An error of the file system around the store."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"no space left for the store {place}", "free some disk space and repeat")
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return read_only(place)
    return StoreError(f"the store {place} failed: {error.strerror or error}", "run `anchormem doctor`")

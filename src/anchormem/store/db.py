"""Opens the store of one repository as one connection over its three files.

Knows nothing of what the tables mean, and no clock: times are passed in.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anchormem.errors import StoreError, StoreFull, StoreReadOnly
from anchormem.store import derived, failures, migrate, opening
from anchormem.store.handle import ATTEMPTS, BUDGET_MS, Store

__all__ = ["Store", "open_store"]


def open_store(directory: Path, checkout_key: str, *, write: bool = True, budget_ms: int = BUDGET_MS) -> Store:
    """Opens `directory` (…/<repository key>), creating it (0700, files 0600) when `write`.

    Where it cannot be written the store still opens and reads answer: `store.writable` is False, writes raise
    StoreReadOnly. `write=False` creates nothing: no store there gives an empty one with `store.exists` False.
    `budget_ms`: how long a lock of another process is waited for before StoreLocked.
    StoreNewer: memory.db was written by a newer program (nothing was touched). StoreDamaged: memory.db is not readable,
    or has vanished while the rest of the store is there; the hint names the newest backup. Derived files that are of
    another schema, foreign or truncated are rebuilt empty, and `notices()` says so.
    """
    refusal: StoreError = StoreReadOnly("the store was opened for reading", "")
    if write:
        try:
            with _telling(directory):
                return _open_writing(directory, checkout_key, budget_ms)
        except (StoreReadOnly, StoreFull) as error:
            if not (directory / "memory.db").exists():
                raise
            refusal = error
    with _telling(directory):
        return _open_reading(directory, checkout_key, budget_ms, refusal)


@contextmanager
def _telling(directory: Path) -> Iterator[None]:
    """Errors of SQLite and the disk while opening, told as ours."""
    memory = directory / "memory.db"
    try:
        yield
    except sqlite3.Error as error:
        if failures.is_damage(error):
            raise migrate.damaged(memory, str(error)) from error
        raise failures.translated(error, str(memory)) from error
    except OSError as error:
        raise failures.from_disk(error, str(directory)) from error


def _open_writing(directory: Path, checkout_key: str, budget_ms: int) -> Store:
    wait_ms = max(1, budget_ms // ATTEMPTS)
    memory = directory / "memory.db"
    if memory.exists():
        migrate.refuse_strangers(memory)
        if not opening.can_write(memory) or not opening.can_write(directory):
            raise failures.read_only(str(directory))
    else:
        _refuse_to_start_afresh(directory)
        opening.private_directory(directory / "checkouts")
        migrate.create(memory, wait_ms)
    opening.private_directory(directory / "checkouts")
    connection = opening.connect(memory, "rw", wait_ms)
    try:
        store = Store(connection, directory, checkout_key, budget_ms=budget_ms)
        version = migrate.check(connection, memory)
        store.journal = opening.choose_journal(connection, directory)
        if version < migrate.NEWEST:
            migrate.upgrade(connection, memory, directory / "backups" / f"memory-before-{migrate.NEWEST:04}.db")
        store.attach_derived()
    except BaseException:
        connection.close()
        raise
    return store


def _refuse_to_start_afresh(directory: Path) -> None:
    """A store whose memories have vanished must not look like a new one."""
    if (directory / "facts.db").exists() or migrate.newest_first(directory):
        raise migrate.damaged(directory / "memory.db", "it has vanished from a store that was used")


def _open_reading(directory: Path, checkout_key: str, budget_ms: int, refusal: StoreError) -> Store:
    wait_ms = max(1, budget_ms // ATTEMPTS)
    memory = directory / "memory.db"
    scratch: list[Path] = []
    if memory.exists():
        migrate.refuse_strangers(memory)
        connection = sqlite3.connect(
            opening.readable(memory, wait_ms, scratch),
            uri=True,
            timeout=wait_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
        )
    else:
        _refuse_to_start_afresh(directory)
        connection = opening.connect(memory, "memory", wait_ms)
        migrate.bring_forward(connection)
    try:
        if migrate.check(connection, memory) < migrate.NEWEST:
            connection = _forward_in_memory(connection)
        store = Store(connection, directory, checkout_key, budget_ms=budget_ms, refusal=refusal, scratch=scratch)
        store.exists = memory.exists()
        store.journal = "wal" if opening.companions(memory)[0].exists() else "delete"
        for kind, path in ((derived.FACTS, store.facts_path), (derived.CHECKOUT, store.checkout_path)):
            if not derived.attach_readable(connection, kind, path, wait_ms, scratch):
                store.notice(f"the index file {path.name} cannot be used; the next call that may write makes it anew")
    except BaseException:
        connection.close()
        raise
    return store


def _forward_in_memory(older: sqlite3.Connection) -> sqlite3.Connection:
    """An older memory.db that cannot be written is read through a migrated copy in memory."""
    copy = opening.connect(Path(), "memory", 1000)
    older.backup(copy)
    older.close()
    migrate.bring_forward(copy)
    return copy

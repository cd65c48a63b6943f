"""Opens the store of one repository as one connection and maps what SQLite says to our errors.

Knows nothing of what the tables mean, and no clock: times are passed in.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self


def open_store(directory: Path, checkout_key: str, *, write: bool = True, budget_ms: int = 5000) -> "Store":
    """Opens `directory` (…/<repository key>), creating it (0700, files 0600) when `write`.

    Where it cannot be written the store still opens and reads answer: `store.writable` is False, writes raise
    StoreReadOnly. `write=False` creates nothing: no store there gives an empty one with `store.exists` False.
    `budget_ms`: how long a lock of another process is waited for before StoreLocked.
    StoreNewer: memory.db was written by a newer program (nothing was touched). StoreDamaged: memory.db is not readable,
    or has vanished while the rest of the store is there; the hint names the newest backup. Derived files that are of another
    schema, foreign or truncated are rebuilt empty, and `notices()` says so.
    """
    raise NotImplementedError


class Store:
    """One connection over memory.db, facts.db and checkouts/<key>.db. For one thread at a time; any thread may interrupt."""

    directory: Path
    checkout_key: str
    exists: bool  # False: nothing on disk, every read answers empty
    writable: bool
    journal: str  # "wal", or "delete" where WAL cannot work

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction on memory.db: the write lock is taken at once, with retries and jitter; rolled back on any error.

        Joins an open one. StoreLocked, StoreReadOnly, StoreFull; ValueError inside `deriving`.
        """
        raise NotImplementedError
        yield

    @contextmanager
    def deriving(self) -> Iterator[None]:
        """A transaction on the derived files, which never holds up `writing` of anyone. Joins an open one.

        ValueError inside `writing`. On a read-only store the derived files live in memory and the writes are lost at close.
        """
        raise NotImplementedError
        yield

    def sweep_lock(self) -> AbstractContextManager[bool]:
        """True inside when this process (and this `with`) is the one sweeper of the checkout; freed when the process dies."""
        raise NotImplementedError

    def notices(self) -> tuple[str, ...]:
        """What happened to the files since the last asking (`the index was damaged and is being rebuilt`), for `warnings`."""
        raise NotImplementedError

    def sizes(self) -> dict[str, int]:
        """Bytes on disk by file: `memory`, `facts`, `checkout` (WAL included)."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """From any thread: the running statement ends with Cancelled. No effect when none runs."""
        raise NotImplementedError

    def close(self) -> None:
        """Twice is fine."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

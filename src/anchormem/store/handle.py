"""One open store: its transactions, its statements, and what SQLite says mapped to our errors.

Knows nothing of what the tables mean, and no clock.
"""

import random
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeVar

from anchormem.errors import AnchormemError, StoreDamaged, StoreError, StoreLocked
from anchormem.store import derived, failures, locks, migrate, odd_text, opening
from anchormem.store.opening import NOTHING, Row, Values

BUDGET_MS = 5000
ATTEMPTS = 5  # the budget is spent in so many waits, with a random pause between two
LONGEST_PAUSE = 0.02

BEGIN, COMMIT, ROLLBACK = "BEGIN", "COMMIT", "ROLLBACK"
SAVE, UNDO, RELEASE = "SAVEPOINT inner_part", "ROLLBACK TO inner_part", "RELEASE inner_part"
# BEGIN IMMEDIATE would lock every attached file; a first write that writes nothing locks just one.
LOCK_MEMORY = "DELETE FROM main.marks WHERE 0"
LOCK_FACTS = "DELETE FROM facts.about WHERE 0"
LOCK_CHECKOUT = "DELETE FROM checkout.about WHERE 0"
UNHURRIED = "PRAGMA main.synchronous = NORMAL"  # the system writes when it likes: only a power cut takes it back

SHRINK_LOGS = ("PRAGMA facts.wal_checkpoint(TRUNCATE)", "PRAGMA checkout.wal_checkpoint(TRUNCATE)")
DATA_VERSIONS = ("PRAGMA main.data_version", "PRAGMA checkout.data_version")

Kind = Literal["memory", "derived"]
Given = TypeVar("Given")


class Store:
    """One connection over memory.db, facts.db and checkouts/<key>.db. For one thread at a time; any may interrupt."""

    __slots__ = (
        "_budget_ms",
        "_commits",
        "_connection",
        "_noticed",
        "_refusal",
        "_scratch",
        "_stuck",
        "_transaction",
        "checkout_key",
        "directory",
        "exists",
        "journal",
    )

    def __init__(
        self,
        connection: sqlite3.Connection,
        directory: Path,
        checkout_key: str,
        *,
        budget_ms: int = BUDGET_MS,
        refusal: StoreError | None = None,
        scratch: list[Path] | None = None,
    ) -> None:
        self._connection = connection
        self._budget_ms = budget_ms
        self._refusal = refusal
        self._scratch = scratch or []
        self._stuck: set[Kind] = set()  # whose lock was not to be had within the budget when it was last asked for
        self._transaction: Kind | Literal[""] = ""
        self._commits = {"memory": 0, "derived": 0}
        self._noticed: list[str] = []
        self.directory = directory
        self.checkout_key = checkout_key
        self.exists = True  # False: nothing on disk, every read answers empty
        self.journal = "wal"  # or "delete" where WAL cannot work
        opening.prepare(connection)

    @property
    def writable(self) -> bool:
        return self._refusal is None

    @property
    def memory_path(self) -> Path:
        return self.directory / "memory.db"

    @property
    def facts_path(self) -> Path:
        return self.directory / "facts.db"

    @property
    def checkout_path(self) -> Path:
        return self.directory / "checkouts" / f"{self.checkout_key}.db"

    # ── transactions ────────────────────────────────────────────────────────────────────────────────────────────────

    def writing(self, *, patient: bool = True) -> AbstractContextManager[None]:
        """A transaction on memory.db: the write lock is taken at once, with retries and jitter; undone on any error.

        Joins an open one. StoreLocked, StoreReadOnly, StoreFull; ValueError inside `deriving`. Not `patient`: one try,
        and no wait for the disk, for what no `version` depends on (receipts, counts).
        """
        if self._refusal is not None:
            raise self._refusal
        return self._within("memory", (LOCK_MEMORY,)) if patient else self._hastily()

    @contextmanager
    def _hastily(self) -> Iterator[None]:
        unhurried = self.journal == "wal" and not self._transaction
        if unhurried:
            self._connection.execute(UNHURRIED)
        try:
            with self._within("memory", (LOCK_MEMORY,), patient=False):
                yield
        finally:
            if unhurried:
                self._connection.execute(opening.DURABLE)

    def deriving(self) -> AbstractContextManager[None]:
        """A transaction on the derived files, which never holds up `writing` of anyone. Joins an open one.

        StoreLocked, StoreReadOnly, StoreFull; ValueError inside `writing`.
        """
        if self._refusal is not None:
            raise self._refusal
        return self._within("derived", (LOCK_FACTS, LOCK_CHECKOUT))

    @contextmanager
    def _within(self, kind: Kind, locks_first: tuple[str, ...], *, patient: bool = True) -> Iterator[None]:
        if self._transaction not in ("", kind):
            raise ValueError(f"a {kind} transaction inside a {self._transaction} one would hold both locks")
        if self._transaction:
            with self._nested():
                yield
            return
        self._begin(kind, locks_first, patient=patient)
        self._transaction = kind
        try:
            yield
            self._commit()
            self._commits[kind] += patient
        finally:
            self._transaction = ""
            if self._connection.in_transaction:
                self._connection.execute(ROLLBACK)

    @contextmanager
    def _nested(self) -> Iterator[None]:
        """A part of a transaction that is undone alone when it fails."""
        self._guarded(lambda: self._connection.execute(SAVE))
        try:
            yield
            self._guarded(lambda: self._connection.execute(RELEASE))
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        """Undoes the inner part, or all when SQLite has lost count of it (a full disk, a failed release)."""
        if not self._connection.in_transaction:
            return
        try:
            self._connection.execute(UNDO)
            self._connection.execute(RELEASE)
        except sqlite3.Error:
            self._connection.execute(ROLLBACK)

    def _begin(self, kind: Kind, locks_first: tuple[str, ...], *, patient: bool) -> None:
        def begin() -> None:
            self._connection.execute(BEGIN)
            try:
                for statement in locks_first:
                    self._connection.execute(statement)
            except sqlite3.Error:
                self._connection.execute(ROLLBACK)
                raise

        try:
            (self._patiently if patient and kind not in self._stuck else self._guarded)(begin)
        except StoreLocked:
            self._stuck |= {kind} - {"memory"}  # no call waits twice for what can be made anew, nor the next as long
            raise
        self._stuck.discard(kind)

    def _commit(self) -> None:
        if not self._connection.in_transaction:
            raise StoreError(f"the store {self.directory} undid a change that had failed", "repeat the call")
        self._patiently(lambda: self._connection.execute(COMMIT))

    def version(self) -> tuple[int, ...]:
        """Equal as long as nobody has changed memories, anchors or the checkout's files: others, then we.

        Receipts of this connection leave it as it is. Compare only versions of one Store.
        """
        seen = (self.rows(statement)[0][0] for statement in DATA_VERSIONS)
        return (*seen, *self._commits.values())

    # ── statements ──────────────────────────────────────────────────────────────────────────────────────────────────

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        """All rows of a query."""
        return self._patiently(lambda: self._execute(sql, values).fetchall())

    def row(self, sql: str, values: Values = NOTHING) -> Row | None:
        """The first row of a query."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def run(self, sql: str, values: Values = NOTHING) -> int:
        """Runs a statement that changes something; how many rows it changed."""
        return self._patiently(lambda: self._execute(sql, values).rowcount)

    def run_many(self, sql: str, values: Iterable[Values]) -> None:
        """Runs a statement for each of the values."""
        prepared = [odd_text.packed_values(each) for each in values]
        self._guarded(lambda: self._connection.executemany(sql, prepared))

    def _execute(self, sql: str, values: Values) -> sqlite3.Cursor:
        if self._transaction and not self._connection.in_transaction:
            raise StoreError(f"the store {self.directory} undid a change that had failed", "repeat the call")
        return self._connection.execute(sql, odd_text.packed_values(values))

    def _patiently(self, act: Callable[[], Given]) -> Given:
        """Waits for locks within the budget, each attempt as long as the busy timeout; mends derived files once."""
        for _ in range(ATTEMPTS - 1):
            try:
                return act()
            except sqlite3.Error as error:
                if self._transaction:
                    raise self._told(error) from error
                if not failures.is_busy(error) and not self._mended(error):
                    raise self._told(error) from error
            threading.Event().wait(random.uniform(0, LONGEST_PAUSE))  # noqa: S311  spreads contenders, guards nothing
        return self._guarded(act)

    def _guarded(self, act: Callable[[], Given]) -> Given:
        try:
            return act()
        except sqlite3.Error as error:
            raise self._told(error) from error

    def _told(self, error: sqlite3.Error) -> AnchormemError:
        if failures.is_damage(error) and self._transaction == "derived":
            if self._connection.in_transaction:
                self._connection.execute(ROLLBACK)
            if self._mended(error):
                return StoreError(f"the index in {self.directory} was damaged and starts anew", "repeat the call")
        told = failures.translated(error, str(self.directory))
        if type(told) is StoreDamaged:
            return migrate.damaged(self.memory_path, str(error))
        return told

    # ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def attach_derived(self) -> None:
        """Attaches facts.db and the checkout's file, making them anew where needed."""
        wal = self.journal == "wal"
        for kind, path in ((derived.FACTS, self.facts_path), (derived.CHECKOUT, self.checkout_path)):
            if derived.attach(self._connection, kind, path, wal=wal):
                self._noticed.append(f"the index file {path.name} could not be used and is being rebuilt")

    def _mended(self, error: sqlite3.Error) -> bool:
        """Whether the damage was in a derived file, which now is an empty one."""
        if not failures.is_damage(error) or self._refusal is not None:
            return False
        wal = self.journal == "wal"
        mended = False
        for kind, path in ((derived.FACTS, self.facts_path), (derived.CHECKOUT, self.checkout_path)):
            if derived.replace_damaged(self._connection, kind, path, wal=wal):
                self._noticed.append(f"the index file {path.name} was damaged and is being rebuilt")
                mended = True
                self._commits["derived"] += 1
        return mended

    def sweep_lock(self) -> AbstractContextManager[bool]:
        """True inside when this `with` is the one sweeper of the checkout; freed when the process dies."""
        return locks.held(self.checkout_path.with_name(f"{self.checkout_key}.sweep"))

    def notices(self) -> tuple[str, ...]:
        """What happened to the files since the last asking (`… was damaged and is being rebuilt`), for `warnings`."""
        noticed = tuple(self._noticed)
        self._noticed.clear()
        return noticed

    def notice(self, text: str) -> None:
        self._noticed.append(text)

    def shrink_logs(self) -> None:
        """Empties the write-ahead logs of the derived files, which a first index fills, unless somebody reads there."""
        for statement in SHRINK_LOGS:
            self._guarded(lambda: self._connection.execute(statement))  # noqa: B023 — called at once

    def sizes(self) -> dict[str, int]:
        """Bytes on disk by file: `memory`, `facts`, `checkout` (WAL included)."""
        paths = {"memory": self.memory_path, "facts": self.facts_path, "checkout": self.checkout_path}
        return {name: opening.bytes_of(path) for name, path in paths.items()}

    def save_memory(self, target: Path) -> None:
        """A copy of memory.db by SQLite's backup call; it appears whole or not at all."""
        self._guarded(lambda: migrate.save(self._connection, target))

    def interrupt(self) -> None:
        """From any thread: the running statement ends with Cancelled. No effect when none runs."""
        self._connection.interrupt()

    def close(self) -> None:
        """Twice is fine."""
        self._connection.close()
        while self._scratch:
            shutil.rmtree(self._scratch.pop(), ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

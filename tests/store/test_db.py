"""The files under the store: made, recognised, migrated, and what is kept beside the memories."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from anchormem.errors import (
    StoreError,
    StoreLocked,
    StoreNewer,
    StoreReadOnly,
)
from anchormem.store import anchors, backups, facts, files, ledger, listing, marks, memories, migrate, opening, search
from anchormem.store.db import Store, open_store
from store.samples import memory, state

NOW = 1_764_500_000_000  # 2025-11-30
DAY = 86_400_000
FULL = 2  # what SQLite calls it


def test_a_new_store_is_private_and_in_wal(directory: Path) -> None:
    os.umask(0o022)
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        files.put_many(store, [state("a.py")])
        assert store.journal == "wal"
        assert store.exists
        assert store.writable
        assert all(size > 0 for size in store.sizes().values())
        backups.backup_daily(store, NOW)
        for path in [directory.parent, directory, *directory.rglob("*")]:
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_only_receipts_do_not_wait_for_the_disk(directory: Path) -> None:
    with open_store(directory, "checkout") as store, open_store(directory, "checkout") as other:

        def synchronous() -> int:
            return int(store.rows("PRAGMA main.synchronous")[0][0])

        with store.writing():
            assert synchronous() == FULL
            with store.writing(patient=False):
                assert synchronous() == FULL
        with store.writing(patient=False):
            assert synchronous() < FULL
        with other.writing(), pytest.raises(StoreLocked), store.writing(patient=False):
            pass
        assert synchronous() == FULL


def test_an_open_one_and_a_closed_one_hold_the_same(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        store.close()
        store.close()
    with open_store(directory, "checkout") as store:
        assert memories.one(store, memory().id).body == memory().body
        assert store.notices() == ()
    assert {path.name for path in directory.glob("memory.db*")} == {"memory.db"}


def test_reading_creates_nothing(directory: Path) -> None:
    with open_store(directory, "checkout", write=False) as store:
        assert not store.exists
        assert listing.counts(store).live == 0
        assert search.candidates(store, '"batch"') == []
        assert anchors.anchored_paths(store) == []
        assert facts.totals(store).files == 0
        with pytest.raises(StoreReadOnly):
            memories.insert(store, memory())
    assert not directory.exists()


def test_every_migration_names_its_own_number_and_ends_a_statement() -> None:
    for number, path in enumerate(migrate.MIGRATIONS, start=1):
        text = path.read_text("utf-8")
        assert path.name == f"{number:04}.sql"
        assert text.rstrip().endswith(f"PRAGMA user_version = {number};")
        assert "".join(opening.statements(text)).strip() == text.strip()


def with_one_migration_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    further = tmp_path / f"{migrate.NEWEST + 1:04}.sql"
    further.write_text(script, "utf-8")
    monkeypatch.setattr(migrate, "MIGRATIONS", (*migrate.MIGRATIONS, further))
    monkeypatch.setattr(migrate, "NEWEST", migrate.NEWEST + 1)


def test_a_migration_keeps_a_copy_of_what_was(directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
    with_one_migration_more(
        tmp_path, monkeypatch, "ALTER TABLE memories ADD COLUMN mood TEXT;\nPRAGMA user_version = 2;\n"
    )
    with open_store(directory, "checkout", write=False) as store:  # read through a migrated copy in memory
        assert store.rows("SELECT mood FROM main.memories") == [(None,)]
    assert backups.backups(directory) == ()
    with open_store(directory, "checkout") as store:
        assert store.rows("SELECT mood FROM main.memories") == [(None,)]
        assert memories.one(store, memory().id).body == memory().body
    [copy] = backups.backups(directory)
    assert copy.name == "memory-before-0002.db"
    assert migrate.header(copy) == migrate.Header(migrate.APPLICATION, 1)


def test_a_failing_migration_changes_nothing(directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
    with monkeypatch.context() as patched:
        with_one_migration_more(tmp_path, patched, "ALTER TABLE memories ADD COLUMN mood TEXT;\nSELECT nonsense;\n")
        with pytest.raises(StoreError, match="nonsense"):
            open_store(directory, "checkout")
    with open_store(directory, "checkout") as store:
        assert memories.one(store, memory().id).body == memory().body


@pytest.mark.parametrize("write", [True, False])
def test_a_newer_store_is_refused_before_anything_is_touched(directory: Path, *, write: bool) -> None:
    open_store(directory, "checkout").close()
    with sqlite3.connect(directory / "memory.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in directory.rglob("*") if path.is_file()}
    with pytest.raises(StoreNewer, match="99") as refusal:
        open_store(directory, "checkout", write=write)
    assert "newer" in refusal.value.hint
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in directory.rglob("*") if path.is_file()}
    assert after == before


def test_the_ledger_adds_up_and_starts_anew(store: Store) -> None:
    def add(saved: int, question: bytes, session: str) -> None:
        ledger.add(store, served=10, saved=saved, reads_avoided=1, question=question, session=session, now=NOW)

    add(100, b"q1", "s1")
    add(-30, b"q1", "s2")
    add(50, b"q2", "s2")
    assert ledger.totals(store) == ledger.Totals(3, 30, 120, 3, 2, NOW)
    assert ledger.totals(store, "s2") == ledger.Totals(2, 20, 20, 2, 2, NOW)
    assert ledger.totals(store, "none") == ledger.Totals()
    assert ledger.reset(store).saved == 120
    assert ledger.totals(store) == ledger.Totals()


def test_marks_and_users_are_remembered(store: Store) -> None:
    marks.put(store, {"import.at": "5", "import.digest": "abc"})
    marks.put(store, {"import.at": ""})
    assert (marks.get(store, "import.at", "never"), marks.get(store, "import.digest")) == ("never", "abc")
    first = marks.Checkout("/w/a", "a-1", "/w/a/.git", NOW)
    assert marks.record(store, first, "host/a")
    assert not marks.record(store, first, "host/a")
    assert marks.record(store, first, "host/renamed")
    assert marks.checkouts(store) == [first]
    assert marks.identities(store) == ["host/a", "host/renamed"]
    assert marks.forget_checkout(store, "/w/a")
    assert not marks.forget_checkout(store, "/w/a")


def test_the_logs_of_the_index_are_emptied_unless_somebody_reads(directory: Path) -> None:
    log = directory / "checkouts" / "checkout.db-wal"
    with open_store(directory, "checkout") as store, open_store(directory, "checkout", write=False) as reader:
        files.put_many(store, [state(f"src/{number:05}.py") for number in range(3_000)])
        assert log.stat().st_size > 100_000
        with sqlite3.connect(reader.checkout_path) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM files").fetchall()
            store.shrink_logs()
        other.close()
        store.shrink_logs()
        assert log.stat().st_size == 0
        assert len(files.every(reader)) == 3_000

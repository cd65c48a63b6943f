"""Places that cannot be written: reads answer, writes say why not."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormem.errors import (
    StoreFull,
    StoreReadOnly,
)
from anchormem.store import anchors, backups, files, listing, memories, opening, search
from anchormem.store.db import Store, open_store
from store.samples import memory, state

NOW = 1_764_500_000_000  # 2025-11-30


@pytest.fixture
def shared_directory() -> Iterator[Path]:
    """A store directory that another user could reach."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    yield top / "store"
    shutil.rmtree(top)


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """Modes bind everybody but the superuser."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


def unwritable_store(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        files.put_many(store, [state("src/queue.py")])
    freeze(directory)


def freeze(directory: Path) -> None:
    for path in [*directory.rglob("*"), directory]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def assert_readable_only(directory: Path) -> None:
    for write in (True, False):
        with open_store(directory, "checkout", write=write) as store:
            assert not store.writable
            assert memories.one(store, memory().id).body == memory().body
            assert len(search.candidates(store, '"batch"')) == 1
            assert [path for path, _ in anchors.anchored_paths(store)] == ["src/queue.py"]
            assert search.sound(store)
            assert backups.backup_daily(store, NOW) is None
            with pytest.raises(StoreReadOnly):
                memories.insert(store, memory("b2"))
            with pytest.raises(StoreReadOnly):
                files.put_many(store, [state("a.py")])


def test_a_read_only_directory_answers_reads(shared_directory: Path, request: pytest.FixtureRequest) -> None:
    unwritable_store(shared_directory)
    before = sorted(shared_directory.rglob("*"))
    request.getfixturevalue("ordinary_user")
    assert_readable_only(shared_directory)
    assert sorted(shared_directory.rglob("*")) == before
    assert backups.check(shared_directory) == ()


def test_what_a_killed_process_left_in_the_wal_is_read_where_nothing_can_be_written(
    shared_directory: Path, request: pytest.FixtureRequest
) -> None:
    with open_store(shared_directory, "checkout") as store:
        files.put_many(store, [state("src/queue.py")])
        memories.insert(store, memory())
        left = shared_directory.parent / "left"
        shutil.copytree(shared_directory, left, ignore=shutil.ignore_patterns("*-shm"))
    assert (left / "memory.db-wal").stat().st_size > 0
    freeze(left)
    request.getfixturevalue("ordinary_user")
    assert_readable_only(left)


def test_no_store_can_be_made_where_nothing_can_be_written(
    shared_directory: Path, request: pytest.FixtureRequest
) -> None:
    shared_directory.mkdir()
    freeze(shared_directory)
    request.getfixturevalue("ordinary_user")
    with pytest.raises(StoreReadOnly):
        open_store(shared_directory / "deep" / "store", "checkout")
    with open_store(shared_directory / "deep" / "store", "checkout", write=False) as store:
        assert not store.exists


def test_a_full_disk_refuses_writes_and_answers_reads(store: Store) -> None:
    memories.insert(store, memory())
    pages = store.rows("PRAGMA main.page_count")[0][0]
    store._connection.execute(f"PRAGMA main.max_page_count = {pages}")
    with pytest.raises(StoreFull), store.writing():  # noqa: PT012  which of the many rows fails does not matter
        for number in range(100):
            memories.insert(store, memory(f"a{number}", body="x" * 10_000))
    assert listing.counts(store).live == 1
    assert len(search.candidates(store, '"batch"')) == 1


def test_a_rollback_journal_serves_where_wal_cannot(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = directory.parent.parent / "mounts"
    mounts.write_text(f"host:/x {directory.parent.parent} nfs4 rw 0 0\n/dev/sda / ext4 rw 0 0\n")
    monkeypatch.setattr(opening, "MOUNTS", mounts)
    with open_store(directory, "checkout") as store:
        assert store.journal == "delete"
        memories.insert(store, memory())
        files.put_many(store, [state("a.py")])
        assert not list(directory.rglob("*-wal"))
    with open_store(directory, "checkout", write=False) as store:
        assert memories.one(store, memory().id)

"""Copies that hold something: when one is made, and which one comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormem.store import backups, memories
from anchormem.store.db import Store, open_store
from store.samples import memory

NOW = 1_764_547_200_000
DAY = 86_400_000


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "store", "key")
    yield store
    store.close()


def learn(store: Store, *names: str) -> None:
    with store.writing():
        for name in names:
            memories.insert(store, memory(name, body=f"what {name} says"))


def test_an_empty_store_is_not_copied_and_a_copy_is_made_anew_when_there_is_twice_as_much(opened: Store) -> None:
    assert backups.backup_daily(opened, NOW) is None
    learn(opened, "a")
    copy = backups.backup_daily(opened, NOW)
    assert copy is not None
    assert backups.held(copy) == 1
    assert backups.backup_daily(opened, NOW + 1) is None
    learn(opened, "b")
    assert backups.backup_daily(opened, NOW + 2) == copy
    assert backups.held(copy) == 2
    learn(opened, "c")
    assert backups.backup_daily(opened, NOW + 3) is None


def test_the_newest_copy_with_memories_comes_back_and_one_of_noise_never(opened: Store) -> None:
    learn(opened, "a", "b")
    first = backups.backup_daily(opened, NOW)
    assert first is not None
    (first.parent / "memory-2099-01-01.db").write_bytes(b"noise")
    assert backups.held(first.parent / "memory-2099-01-01.db") is None
    assert backups.best(opened.directory) == first

"""Damaged files: what is precious is said and set aside, what is derived is made anew."""

import os
import sqlite3
from pathlib import Path

import pytest

from anchormem.errors import (
    AnchormemError,
    NotFound,
    Refused,
    StoreDamaged,
    StoreError,
)
from anchormem.store import backups, facts, files, listing, memories
from anchormem.store.db import Store, open_store
from store import samples
from store.samples import memory, state, symbol

NOW = 1_764_500_000_000  # 2025-11-30
DAY = 86_400_000


def spoil(memory_file: Path, how: str) -> None:
    content = memory_file.read_bytes()
    if how == "empty":
        memory_file.write_bytes(b"")
    elif how == "foreign":
        memory_file.unlink()
        with sqlite3.connect(memory_file) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
    elif how == "text":
        memory_file.write_bytes(b"this is no database, but it is long enough to be looked at twice" * 20)
    elif how == "cut":
        memory_file.write_bytes(content[: len(content) // 2])
    elif how == "gone":
        memory_file.unlink()


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("how", ["empty", "foreign", "text", "cut", "gone"])
def test_a_damaged_memory_file_is_said_and_never_an_empty_success(directory: Path, how: str, *, write: bool) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        copy = backups.backup_daily(store, NOW)
    spoil(directory / "memory.db", how)
    with pytest.raises(StoreDamaged) as damage, open_store(directory, "checkout", write=write) as store:
        listing.counts(store)
    assert str(copy) in damage.value.hint
    assert backups.check(directory)
    aside = backups.recover(directory, NOW, copy)
    assert (aside is None) == (how == "gone")
    if aside is not None:
        assert aside.name == "memory.db.damaged-2025-11-30"
    with open_store(directory, "checkout") as store:
        assert memories.one(store, memory().id).body == memory().body
    with pytest.raises(Refused, match="sound"):
        backups.recover(directory, NOW)


def test_pages_broken_in_the_middle_are_found(directory: Path) -> None:
    with open_store(directory, "checkout") as store, store.writing():
        for number in range(300):
            memories.insert(store, memory(f"a{number:03}", body=f"body {number} " * 30))
    path = directory / "memory.db"
    content = bytearray(path.read_bytes())
    for page in range(50, len(content) // 4096):
        content[page * 4096 : page * 4096 + 1024] = os.urandom(1024)
    path.write_bytes(content)
    assert backups.check(directory)
    with open_store(directory, "checkout") as store:
        with pytest.raises(StoreDamaged):
            listing.everything(store)
        with pytest.raises(AnchormemError):
            memories.insert(store, memory("new"))


def test_recovering_without_a_copy_starts_empty_and_keeps_every_damaged_file(directory: Path) -> None:
    for number in range(3):
        open_store(directory, "checkout").close()
        spoil(directory / "memory.db", "text")
        aside = backups.recover(directory, NOW)
        assert aside is not None
        assert aside.name == "memory.db.damaged-2025-11-30" + (f"-{number}" if number else "")
    with pytest.raises(NotFound):
        backups.recover(directory, NOW, directory / "none.db")


def test_three_daily_copies_are_kept(store: Store) -> None:
    for day in range(5):
        memories.insert(store, memory(f"a{day}"))
        assert backups.backup_daily(store, NOW + day * DAY)
        assert backups.backup_daily(store, NOW + day * DAY + 5) is None
    names = [path.name for path in backups.backups(store.directory)]
    assert names == ["memory-2025-12-04.db", "memory-2025-12-03.db", "memory-2025-12-02.db"]
    copy = sqlite3.connect(backups.backups(store.directory)[0])
    assert copy.execute("SELECT count(*) FROM memories").fetchone() == (5,)
    copy.close()


def test_what_processes_killed_while_copying_have_left_is_taken_away(store: Store) -> None:
    copies = store.directory / "backups"
    memories.insert(store, memory())
    assert backups.backup_daily(store, NOW)
    hour_ago = store.memory_path.stat().st_mtime - 3600
    left = [copies / "memory-2025-11-30.db.new-7-8", copies / "memory-2025-11-30.db.new-7-8-journal"]
    left.append(store.directory / "memory.db.new-7-8")
    under_way = copies / "memory-2025-11-30.db.new-9-9"
    for path in (*left, under_way):
        path.write_bytes(b"half a copy")
    for path in left:
        os.utime(path, (hour_ago, hour_ago))
    assert backups.backup_daily(store, NOW + DAY)
    assert not any(path.exists() for path in left)
    assert under_way.exists()


@pytest.mark.parametrize("how", ["empty", "foreign", "text", "cut", "schema"])
@pytest.mark.parametrize("name", ["facts.db", "checkouts/checkout.db"])
def test_an_unusable_derived_file_is_made_anew(directory: Path, name: str, how: str) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        facts.put_many(store, [samples.facts(number, symbol("f")) for number in range(200)])
        files.put_many(store, [state(f"f{number}.py") for number in range(500)])
    if how == "schema":
        with sqlite3.connect(directory / name) as connection:
            connection.execute("UPDATE about SET content = 'another'")
        connection.close()
    else:
        spoil(directory / name, how)
    with open_store(directory, "checkout", write=False) as store:  # reads answer at once, from nothing
        assert memories.one(store, memory().id)
        assert min(files.count(store), len(facts.known(store, [(samples.digest(1), "python", "1.python")]))) == 0
    with open_store(directory, "checkout") as store:
        assert bool(store.notices()) == (how != "empty")
        assert memories.one(store, memory().id)
        facts.put_many(store, [samples.facts(1, symbol("f"))])
        files.put_many(store, [state("a.py", 1)])
        assert len(facts.symbols_of(store, "a.py")) == 1
    with open_store(directory, "checkout") as store:
        assert store.notices() == ()
        assert len(facts.symbols_of(store, "a.py")) == 1
    assert len(list(directory.rglob("*.set-aside"))) == (how != "empty")


def test_damage_met_while_reading_is_mended_at_once(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        files.put_many(store, [state(f"some/long/path/f{number}.py") for number in range(3000)])
    path = directory / "checkouts" / "checkout.db"
    content = bytearray(path.read_bytes())
    for page in range(6, len(content) // 4096):
        content[page * 4096 : (page + 1) * 4096] = os.urandom(4096)
    path.write_bytes(content)
    with open_store(directory, "checkout") as store:
        assert files.every(store) == {}
        assert "rebuilt" in " ".join(store.notices())
        files.put_many(store, [state("a.py")])
        assert files.count(store) == 1


def test_damage_met_while_writing_fails_once(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        files.put_many(store, [state(f"some/long/path/f{number}.py") for number in range(3000)])
    path = directory / "checkouts" / "checkout.db"
    content = bytearray(path.read_bytes())
    for page in range(6, len(content) // 4096):
        content[page * 4096 : (page + 1) * 4096] = os.urandom(4096)
    path.write_bytes(content)
    with open_store(directory, "checkout") as store:
        with pytest.raises(StoreError, match="starts anew"):
            files.put_many(store, [state(f"some/long/path/f{number}.py", "new") for number in range(3000)])
        files.put_many(store, [state("a.py")])
        assert files.count(store) == 1

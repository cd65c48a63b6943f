"""The quick look of hook and status line says what the full store says."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anchormem.errors import StoreError
from anchormem.model import Change, Fate, FateName, Slot, Stat
from anchormem.store import fates, files, glance, ledger, marks, memories, repositories
from anchormem.store.db import Store, open_store
from anchormem.store.fates import FateRow
from store.samples import anchor, memory, state


@pytest.fixture
def look(store: Store) -> Iterator[glance.Glance]:
    opened = glance.look(str(store.directory), "checkout")
    assert opened is not None
    yield opened
    opened.close()


def settle(store: Store, memory_id: str, *named: FateName, reason: str = "", touches: bool = False) -> None:
    """A memory with an anchor for each fate, in files of its own."""
    given = tuple(anchor(f"{memory_id}/{number}.py") for number in range(len(named)))
    stored = memories.insert(store, memory(memory_id, body=f"body of {memory_id}", anchors=given))
    rows = [
        FateRow(kept.id, 0, Fate(name, reason, change=Change(touches=touches)))
        for kept, name in zip(stored.anchors, named, strict=True)
    ]
    fates.put_many(store, rows)


def test_statuses_follow_the_rule_of_anchors(store: Store, look: glance.Glance) -> None:
    settle(store, "active1", "fresh", "followed")
    settle(store, "active2")
    settle(store, "gone1", "gone", "gone")
    settle(store, "stale1", "fresh", "stale", "unknown")
    settle(store, "stale2", "fresh", "gone")
    settle(store, "unknown1", "fresh", "unknown")
    settle(store, "hidden1", "stale")
    settle(store, "dead1", "stale")
    memories.set_archived(store, "hidden1", 5, archived=True)
    memories.forget(store, "dead1", 5)
    memories.replace(store, replace(memories.one(store, "stale1"), source="verified"), "reverify", 5)
    assert look.memories() == 6
    assert look.statuses() == {"invalidated": (1, 0), "stale": (2, 1), "unknown": (1, 0)}


def test_the_worst_come_first(store: Store, look: glance.Glance) -> None:
    settle(store, "a1", "stale", reason="body_edited")
    settle(store, "b2", "stale", reason="quote_gone", touches=True)
    settle(store, "c3", "unknown")
    assert look.worst(5) == [
        ("b2", "fact", "explicit", "body of b2", "quote_gone", False),
        ("a1", "fact", "explicit", "body of a1", "body_edited", False),
    ]
    assert len(look.worst(1)) == 1


def test_anchored_files_come_as_last_seen(store: Store, look: glance.Glance) -> None:
    settle(store, "a1", "fresh", "fresh")
    [first, _] = memories.one(store, "a1").anchors
    fates.put_many(store, [FateRow(first.id, 0, Fate("followed", at=Slot("now.py", "f")))])
    odd = replace(state("now.py"), stat=Stat(2**64 - 1, 5, 6, 7))
    files.put_many(store, [state("a1/1.py"), odd, state("other.py")])
    assert look.seen("now.py") == (2**64 - 1, 5, 6, 7)
    assert (look.seen("none.py"), look.seen("\ud800")) == (None, None)
    assert look.anchored() == [("a1/1.py", 1, 100, 2, 3), ("now.py", 2**64 - 1, 5, 6, 7)]


def test_only_active_memories_of_a_file_are_told(store: Store, look: glance.Glance) -> None:
    settle(store, "a1", "fresh")
    settle(store, "b2", "stale")
    memories.insert(store, memory("c3", anchors=(anchor("a1/0.py"),)))
    assert [row[0] for row in look.on_file("a1/0.py", 3)] == ["a1"]
    assert look.on_file("b2/0.py", 3) == []
    assert [look.knows(path) for path in ("a1/0.py", "b2/0.py", "c3.py", "\ud800")] == [True, True, False, False]
    memories.replace(store, replace(memories.one(store, "c3"), kind="decision"), "update", 5)
    [kept] = memories.one(store, "c3").anchors
    fates.put_many(store, [FateRow(kept.id, 1, Fate("fresh"))])
    assert [row[0] for row in look.on_file("a1/0.py", 3)] == ["c3", "a1"]


def test_savings_and_marks_are_read(store: Store, look: glance.Glance) -> None:
    assert look.saved() == 0
    ledger.add(store, served=1, saved=1234, reads_avoided=0, question=b"q", session="s", now=5)
    marks.put(store, {"import.digest": "abc"})
    assert (look.saved(), look.mark("import.digest"), look.mark("none")) == (1234, "abc", "")


def test_there_is_nothing_to_see_without_a_store_or_an_index(directory: Path) -> None:
    assert glance.look(str(directory), "checkout") is None
    open_store(directory, "checkout").close()
    assert glance.look(str(directory), "another") is None
    (directory / "checkouts" / "checkout.db").write_bytes(b"broken" * 1000)
    assert glance.look(str(directory), "checkout") is None
    (directory / "memory.db").write_bytes(b"broken" * 1000)
    assert glance.look(str(directory), "checkout") is None


def test_damage_met_later_is_an_error_of_the_store(store: Store, look: glance.Glance) -> None:
    with store.writing():
        store.run("DROP TABLE main.ledger")
    with pytest.raises(StoreError):
        look.saved()


def test_the_map_gives_the_nearest_recorded_directory(tmp_path: Path) -> None:
    data, root = tmp_path / "data %23?#", tmp_path / "w" / "a"
    nested = root / "vendor"
    (nested / ".git").mkdir(parents=True)
    repositories.locate(
        data, identity="host/a", key="host-a", root=str(root), checkout_key="ca", common_dir="", now=5, write=True
    )
    expected = (str(data / "host-a"), str(root), "ca")
    assert glance.find(str(data), str(root)) == expected
    assert glance.find(str(data), str(root / "src" / "deep")) == expected
    assert glance.find(str(data), str(nested)) is None
    assert glance.find(str(data), str(tmp_path)) is None
    assert glance.find(str(tmp_path / "none"), str(root)) is None
    (data / "map.db").write_bytes(b"broken" * 1000)
    assert glance.find(str(data), str(root)) is None

"""What is to be resolved again is found by what changed, and is always what a look at every anchor finds."""

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.errors import AnchormemError
from anchormem.model import Fate
from anchormem.store import anchors, fates, links, memories
from anchormem.store.db import Store, open_store
from anchormem.store.fates import FateRow
from store.samples import anchor, memory

EVERY = """
SELECT a.id
FROM main.memories m
CROSS JOIN main.anchors a ON a.memory = m.seq
LEFT JOIN checkout.fates f ON f.anchor = a.id
WHERE m.superseded_by = '' AND m.forgotten_at = 0 AND (f.anchor IS NULL OR f.revision <> m.revision)
ORDER BY a.id
"""
SETTLED = "SELECT count(*) FROM checkout.settled"
NAMES = [f"m{number}" for number in range(6)]


class History:
    """One memory.db with two checkouts, one of them open twice, and a copy that may come back."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random, self.now = folder, random.Random(seed), 1
        self.stores = [open_store(folder, key) for key in ("one", "two", "one")]

    @property
    def store(self) -> Store:
        return self.random.choice(self.stores)

    def pick(self) -> str:
        return self.random.choice(NAMES)

    def close(self) -> None:
        for store in self.stores:
            store.close()

    def check(self) -> None:
        for store in self.stores:
            assert fates.outdated(store) == [row[0] for row in store.rows(EVERY)]


def remember(here: History) -> None:
    made = [anchor(f"{here.random.randrange(3)}.py") for _ in range(here.random.randrange(3))]
    memories.insert(here.store, memory(here.pick(), anchors=tuple(made)))


def update(here: History) -> None:
    store = here.store
    memories.replace(store, replace(memories.one(store, here.pick()), body=f"body {here.now}"), "update", here.now)


def reanchor(here: History) -> None:
    store = here.store
    held = memories.one(store, here.pick())
    made = (*held.anchors[1:], anchor(f"{here.random.randrange(3)}.py", body=here.now))
    memories.replace(store, replace(held, anchors=made), here.random.choice(["reanchor", memories.IMPORT]), 7)


def supersede(here: History) -> None:
    links.supersede(here.store, here.pick(), here.pick(), here.now)


def take_back(here: History) -> None:
    store = here.store
    for said, of in links.replacing(store):
        links.unlink(store, said, of, "supersedes", here.now)


def forget(here: History) -> None:
    memories.forget(here.store, here.pick(), here.now)


def restore(here: History) -> None:
    memories.unforget(here.store, here.pick(), here.now)


def archive(here: History) -> None:
    memories.set_archived(here.store, here.pick(), here.now, archived=here.random.random() < 0.5)


def purge(here: History) -> None:
    memories.purge(here.store, here.now + 1_000_000)


def entomb(here: History) -> None:
    memories.entomb(here.store, (memory(here.pick(), anchors=(anchor("t.py"),), forgotten_at=5),))


def outdate(here: History) -> None:
    store = here.store
    some = [one.anchor.id for one in anchors.every_live(store)]
    fates.outdate(store, here.random.choice([None, some[:1], some]))


def drop(here: History) -> None:
    fates.drop_orphans(here.store)


def resolve(here: History, share: float = 1.0) -> None:
    store = here.store
    with store.deriving():
        held = anchors.get(store, fates.outdated(store))
        done = [one for one in held if here.random.random() < share]
        fates.put_many(store, (FateRow(one.anchor.id, one.revision, Fate("fresh")) for one in done))
        fates.settle(store)


def resolve_some(here: History) -> None:
    resolve(here, 0.5)


def copy(here: History) -> None:
    kept = here.folder / "kept.db"
    kept.unlink(missing_ok=True)
    here.store.save_memory(kept)


def come_back(here: History) -> None:
    """The copy takes the place of the memories; what the checkouts know stays as it is."""
    kept = here.folder / "kept.db"
    if not kept.exists():
        return
    here.close()
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        (here.folder / name).unlink(missing_ok=True)
    shutil.copy(kept, here.folder / "memory.db")
    here.stores = [open_store(here.folder, key) for key in ("one", "two", "one")]


ACTS: list[Callable[[History], None]] = [
    remember, remember, update, reanchor, supersede, take_back, forget, restore, archive, purge, entomb, outdate, drop,
    resolve, resolve, resolve, resolve_some, copy, come_back,
]  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(acts=st.lists(st.sampled_from(ACTS), min_size=5, max_size=30), seed=st.integers(0, 1 << 30))
def test_what_changed_finds_what_a_look_at_every_anchor_finds(
    tmp_path_factory: pytest.TempPathFactory, acts: list[Callable[[History], None]], seed: int
) -> None:
    here = History(tmp_path_factory.mktemp("history"), seed)
    try:
        for act in acts:
            here.now += 10
            try:
                act(here)
            except AnchormemError:  # not of this memory, not now
                continue
            here.check()
    finally:
        here.close()


@pytest.fixture
def settled(store: Store) -> Store:
    """Three memories, all resolved."""
    for name in ("a1", "b2", "c3"):
        memories.insert(store, memory(name, anchors=(anchor(f"{name}.py"),)))
    _resolve(store)
    return store


def _resolve(store: Store) -> None:
    with store.deriving():
        held = anchors.get(store, fates.outdated(store))
        fates.put_many(store, (FateRow(one.anchor.id, one.revision, Fate("fresh")) for one in held))
        fates.settle(store)


def test_what_is_settled_is_not_looked_at_again(settled: Store) -> None:
    first = memories.one(settled, "a1").anchors[0]
    with settled.deriving():
        settled.run("DELETE FROM checkout.fates WHERE anchor = :anchor", {"anchor": first.id})
    assert fates.outdated(settled) == []  # nobody takes out the row of a living anchor; so nobody has to look


def test_nothing_is_settled_while_an_anchor_lacks_its_row(settled: Store) -> None:
    memories.insert(settled, memory("d4", anchors=(anchor("d4.py"),)))
    [new] = fates.outdated(settled)
    fates.settle(settled)
    memories.insert(settled, memory("e5", anchors=()))
    fates.settle(settled)
    assert fates.outdated(settled) == [new]


def test_another_history_of_the_memories_is_looked_at_whole(settled: Store, directory: Path) -> None:
    """The same import after a copy came back makes the same rows, with other anchors."""
    settled.save_memory(directory / "kept.db")

    def taken_in(store: Store) -> None:
        held = memories.one(store, "a1")
        memories.replace(store, replace(held, anchors=(anchor("other.py"),)), memories.IMPORT, 9)
        memories.replace(store, replace(memories.one(store, "b2"), body="other words"), memories.IMPORT, 9)

    taken_in(settled)
    _resolve(settled)
    settled.close()
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        (directory / name).unlink(missing_ok=True)
    shutil.copy(directory / "kept.db", directory / "memory.db")
    with open_store(directory, "checkout") as again:
        taken_in(again)
        [anchored] = memories.one(again, "a1").anchors
        assert fates.outdated(again) == [anchored.id]

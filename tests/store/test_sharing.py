"""Several processes and threads on one store, and what a killed one leaves behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from anchormem.errors import (
    Cancelled,
    StoreLocked,
)
from anchormem.store import backups, files, listing, memories, search
from anchormem.store.db import Store, open_store
from store.samples import memory, state


def run(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own with the tests' folder on its path."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


INSERT_MANY = """
import sys
from pathlib import Path
from anchormem.store import memories
from anchormem.store.db import open_store
from store.samples import memory
store = open_store(Path(sys.argv[1]), "checkout")
for number in range(int(sys.argv[3])):
    memories.insert(store, memory(f"{sys.argv[2]}{number:04}", body=f"body {number}"))
    print(f"{sys.argv[2]}{number:04}", flush=True)
"""


def test_two_processes_lose_nothing(directory: Path) -> None:
    writers = [run(INSERT_MANY, directory, name, 200) for name in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
    with open_store(directory, "checkout") as store:
        assert listing.counts(store).live == 400
        assert search.documents(store) == 400
        assert search.sound(store)


def test_a_killed_process_keeps_what_it_acknowledged(directory: Path) -> None:
    for round_number in range(3):
        writer = run(INSERT_MANY, directory, "abc"[round_number], 5000)
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline().strip() for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().split("\n")[:-1]
        writer.wait(10)
        writer.stdout.close()
        with open_store(directory, "checkout", write=False) as store:
            assert len(memories.get(store, acknowledged)) == len(acknowledged)
        with open_store(directory, "checkout") as store:
            assert len(memories.get(store, acknowledged)) == len(acknowledged)
            assert search.sound(store)
            assert backups.check(directory) == ()
    assert not list(directory.glob("*new-*"))


def test_a_sweep_does_not_hold_up_a_memory_nor_the_reverse(directory: Path) -> None:
    with open_store(directory, "checkout") as sweeper, open_store(directory, "checkout", budget_ms=100) as other:
        with sweeper.deriving():
            files.put_many(sweeper, [state("a.py")])
            memories.insert(other, memory())
            assert files.count(other) == 0
        assert files.count(other) == 1
        with sweeper.writing():
            memories.insert(sweeper, memory("b2"))
            files.put_many(other, [state("b.py")])
        assert listing.counts(other).live == 2


def test_a_lock_held_too_long_is_said(directory: Path) -> None:
    with open_store(directory, "checkout") as holder, open_store(directory, "checkout", budget_ms=100) as other:
        with holder.writing():
            with pytest.raises(StoreLocked):
                memories.insert(other, memory())
            assert listing.counts(other).live == 0
        with holder.deriving(), pytest.raises(StoreLocked):
            files.put_many(other, [state("a.py")])
        memories.insert(other, memory())


def test_an_index_that_somebody_holds_for_long_is_waited_for_once(directory: Path) -> None:
    """A stopped process must not cost every call the whole budget, and remember twice of it."""

    def tried(store: Store) -> float:
        began = time.monotonic()
        with pytest.raises(StoreLocked):
            files.put_many(store, [state("a.py")])
        return time.monotonic() - began

    with open_store(directory, "checkout") as holder, open_store(directory, "checkout", budget_ms=500) as other:
        with holder.deriving():
            assert tried(other) > 0.4
            assert min(tried(other) for _ in range(3)) < 0.3
        files.put_many(other, [state("a.py")])
        with holder.deriving():
            assert tried(other) > 0.4, "it was free meanwhile"
        with holder.writing():
            for _ in range(2):
                began = time.monotonic()
                with pytest.raises(StoreLocked):
                    memories.insert(other, memory())
                assert time.monotonic() - began > 0.4, "what is precious is always worth the wait"


def test_a_lock_is_waited_for(directory: Path) -> None:
    with open_store(directory, "checkout") as holder, open_store(directory, "checkout") as other:
        taken, freed = threading.Event(), threading.Event()

        def hold() -> None:
            with holder.writing():
                taken.set()
                freed.wait(0.3)

        thread = threading.Thread(target=hold)
        thread.start()
        taken.wait()
        memories.insert(other, memory())
        thread.join()


def test_one_sweeper_per_checkout(directory: Path) -> None:
    with open_store(directory, "checkout") as one, open_store(directory, "checkout") as two:
        with one.sweep_lock() as mine, two.sweep_lock() as theirs:
            assert (mine, theirs) == (True, False)
        with two.sweep_lock() as mine:
            assert mine


def test_opening_at_once_makes_one_store(directory: Path) -> None:
    script = "import sys; from pathlib import Path; from anchormem.store.db import open_store;"
    openers = [run(script + "open_store(Path(sys.argv[1]), 'checkout').close()", directory) for _ in range(6)]
    assert [opener.wait(30) for opener in openers] == [0] * 6
    for opener in openers:
        assert opener.stdout is not None
        opener.stdout.close()
    assert not list(directory.rglob("*set-aside"))
    assert not list(directory.rglob("*new-*"))


def test_a_running_statement_can_be_interrupted(store: Store) -> None:
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    timer = threading.Timer(0.1, store.interrupt)
    timer.start()
    with pytest.raises(Cancelled):
        store.rows(endless)
    with pytest.raises(Cancelled), store.writing():  # noqa: PT012  what came before the interruption is undone
        memories.insert(store, memory())
        threading.Timer(0.1, store.interrupt).start()
        store.rows(endless)
    assert listing.counts(store).live == 0


@pytest.mark.parametrize("name", ["main", "facts", "checkout"])
def test_no_journal_stays_large_after_a_large_change(store: Store, name: str) -> None:
    assert store.rows(f"PRAGMA {name}.journal_size_limit") == [(16 * 1024 * 1024,)]
    assert store.rows(f"PRAGMA {name}.wal_autocheckpoint") == [(1000,)]

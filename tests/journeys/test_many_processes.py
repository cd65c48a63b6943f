"""Servers, commands, hooks and status lines on one store at once: nothing lost, doubled or held up."""

import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from anchormem.store import listing, memories, search
from anchormem.store.db import Store
from cli.cold import CODE, edit, known, run, start, store_of
from journeys.nursery import Born, nursery
from server.wire import PATIENCE, Json, Pipes
from store.samples import anchor, memory

Git = Callable[..., str]
SERVERS = 5
EACH = 8
LOG_BYTES = 16_777_216  # the journal size limit
CALLS = 180

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


def insert(store: Store, name: str, body: str) -> None:
    memories.insert(store, memory(name, body=body, anchors=(anchor("jobs.py", "send"),)))


def converse(server: Born, name: int, problems: list[str], ids: list[str]) -> None:
    """Stores, asks, edits' fates: one question at a time, as an agent does."""
    for turn in range(EACH):
        body = f"server {name} learnt {turn}"
        server.call("remember", kind="fact", body=body, anchors=["jobs.py::send"], force=True)
        server.call("recall", task=f"what did server {name} learn", working_set=["jobs.py"])
        server.call("map", target="jobs.py")
    for asked, answer in zip(range(EACH * 3), server.answers(), strict=False):
        result = answer["result"]
        assert isinstance(result, dict)
        reply = json.loads(result["content"][0]["text"])
        if "error" in reply:
            problems.append(str(reply["error"]))
        elif asked % 3 == 0:
            ids.append(str(reply["data"]["id"]))


def beside(root: Path, problems: list[str], ids: list[str]) -> None:
    """What runs between the calls of agents."""
    place = ("--root", str(root))
    stored = run("remember", "the command line learnt", "--kind", "fact", "--anchor", "jobs.py", "--json", *place)
    ids.append(str(json.loads(stored.out)["data"]["id"]))
    said = [
        run("hook", event=start(root)),
        run("statusline", event={"cwd": str(root)}),
        run("hook", event=edit("PostToolUse", root, "jobs.py")),
        run("recall", "batch", *place),
        stored,
    ]
    problems += [one.err for one in said if one.code or one.err]


@needs_fork
def test_five_servers_commands_hooks_and_status_lines_at_once_lose_and_double_nothing(
    repository: Path, git: Git, tmp_path: Path
) -> None:
    known(repository, git)
    problems: list[str] = []
    ids: list[str] = []
    with nursery(tmp_path / "nursery") as servers:
        opened = [servers.born(repository) for _ in range(SERVERS)]
        threads = [
            threading.Thread(target=converse, args=(one, name, problems, ids)) for name, one in enumerate(opened)
        ]
        threads.append(threading.Thread(target=beside, args=(repository, problems, ids)))
        for thread in threads:
            thread.start()
        for number in range(10):
            # as an editor saves: a file cut to nothing for a moment truly has no symbol `send`
            (tmp_path / "saved.py").write_text(CODE.replace("50", str(60 + number)), "utf-8")
            (tmp_path / "saved.py").replace(repository / "jobs.py")
            time.sleep(0.1)
        for thread in threads:
            thread.join(120)
        for one in opened:
            one.close()
    assert problems == []
    with store_of(repository) as store:
        kept = listing.everything(store)
        assert {one.id for one in kept} >= set(ids)
        assert len(kept) == len(set(ids)) + 1 == SERVERS * EACH + 2
        assert len({one.body for one in kept}) == len(kept)
        assert search.sound(store)


def test_a_log_stays_bounded_beside_a_long_reader_and_one_more_server_starts_at_once(
    repository: Path, git: Git
) -> None:
    """The reader holds back the log for as long as it reads: what was written meanwhile, and no more, is kept."""
    known(repository, git)
    with ExitStack() as opened:
        stores = [opened.enter_context(store_of(repository)) for _ in range(SERVERS)]
        log = stores[0].memory_path.with_name("memory.db-wal")
        reader = opened.enter_context(closing(sqlite3.connect(stores[0].memory_path, isolation_level=None)))
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchall()
        one = stores[0]
        for turn in range(20):
            one = stores[turn % SERVERS]
            with one.writing():
                for number in range(50):
                    insert(one, f"t{turn:02}{number:02}", f"turn {turn} number {number}")
        held = log.stat().st_size
        assert held < 2 * one.memory_path.stat().st_size + 2 * LOG_BYTES
        began = time.monotonic()
        with Pipes(repository) as late:
            late.shake_hands()
            failed, reply = late.call("recall", task="turn 7 number 7")
            took = time.monotonic() - began
            assert not failed, reply
        began = time.monotonic()
        subprocess.run([sys.executable, "-c", "import mcp.server.lowlevel.server"], check=True)
        assert took < 2.0 + 4 * (time.monotonic() - began)
        reader.execute("COMMIT")
        for turn in range(3):
            insert(one, f"last{turn}", f"after the reader {turn}")
        assert log.stat().st_size <= LOG_BYTES


def only(reply: Json) -> Json:
    """The one memory of an answer."""
    data = reply["data"]
    assert isinstance(data, list)
    (item,) = data
    assert isinstance(item, dict)
    return item


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Another process writes to every file of the store and does not finish."""
    with store_of(root) as store:
        paths = (store.memory_path, store.facts_path, store.checkout_path)
    with ExitStack() as opened:
        for path in paths:
            other = opened.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
            other.execute("BEGIN IMMEDIATE")
        yield


def test_while_another_process_holds_the_store_for_long_questions_are_answered_and_truthful(
    repository: Path, git: Git
) -> None:
    known(repository, git)
    run("index", "--root", str(repository))
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        assert not pipes.call("recall", task="batch")[0]
        with held(repository):
            failed, reply = pipes.call("recall", task="batch")
            assert not failed, reply
            assert "status" not in only(reply)
            (repository / "jobs.py").write_text(CODE.replace("50", "90"), "utf-8")
            assert run("hook", event=start(repository)).code == 0
            assert run("statusline", "--root", str(repository)).out
            after = run("hook", event=edit("PostToolUse", repository, "jobs.py"))
            assert (after.code, after.err) == (0, "")
            began = time.monotonic()
            failed, reply = pipes.call("recall", task="batch")
            assert not failed, reply
            assert only(reply)["status"] == "stale"
            assert time.monotonic() - began < 9, "the budget of one wait, and what a busy machine adds"
        failed, reply = pipes.call("recall", task="batch")
        assert only(reply)["status"] == "stale"


def resident(number: int) -> int:
    """Bytes of memory that a process holds."""
    pages = Path(f"/proc/{number}/statm").read_text("utf-8").split()[1]
    return int(pages) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_hundreds_of_calls_leave_the_memory_of_a_server_where_it_was(repository: Path, git: Git) -> None:
    known(repository, git, *(f"a batch of kind {number} holds 50 rows" for number in range(20)))
    calls: tuple[tuple[str, dict[str, object]], ...] = (
        ("recall", {"task": "how many rows does a batch hold", "working_set": ["jobs.py"]}),
        ("map", {"target": "jobs.py::send"}),
        ("verify_queue", {}),
        ("recall", {"task": "kind 7"}),
        ("admin", {"op": "status"}),
    )
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        levels = []
        for number in range(CALLS):
            name, arguments = calls[number % len(calls)] if number % 18 else ("affected", {})
            if number % 15 == 0:
                (repository / "jobs.py").write_text(CODE + f"# {number}\n" + "x = 1\n" * (number % 7), "utf-8")
            failed, reply = pipes.call(name, PATIENCE, **arguments)
            assert not failed, reply
            if number % (CALLS // 6) == CALLS // 6 - 1:
                levels.append(resident(pipes.child.pid))
    assert levels[-1] - levels[1] < 2_000_000, levels

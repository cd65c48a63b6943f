"""Servers killed in the middle of their work: what they had acknowledged is there, and nothing piles up."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import StoreNewer
from anchormem.store import backups, listing, memories
from anchormem.store.db import open_store
from anchormem.workspace.checkup import checks
from anchormem.workspace.session import close
from journeys.nursery import Born, Json, nursery
from store.samples import memory
from workspace.answers.desk import Desk

Git = Callable[..., str]
TIMES = 20

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


def told(answer: Json) -> Json:
    result = answer["result"]
    assert isinstance(result, dict)
    reply = json.loads(result["content"][0]["text"])
    assert "error" not in reply, reply
    data = reply["data"]
    assert isinstance(data, dict)
    return data


def work_until_killed(server: Born, rng: random.Random, turn: int) -> list[str]:
    """Stores one memory after the other, in some turns beside a full index; the ids that were acknowledged."""
    index = server.call("admin", op="index", full=True) if turn % 3 == 0 else 0
    wanted, sent, acknowledged = rng.randrange(4), 0, []

    def remember() -> None:
        nonlocal sent
        sent += 1
        anchors = [f"m{rng.randrange(40)}.py"]
        server.call("remember", kind="fact", body=f"turn {turn} learnt {sent}", anchors=anchors, force=True)

    remember()
    if wanted == 0:
        time.sleep(rng.uniform(0, 0.2))
        os.kill(server.number, signal.SIGKILL)
    for answer in server.answers():
        if answer.get("id") in (index, None):
            continue
        acknowledged.append(str(told(answer)["id"]))
        if len(acknowledged) <= wanted:
            remember()
        if len(acknowledged) == wanted:
            time.sleep(rng.uniform(0, 0.04))
            os.kill(server.number, signal.SIGKILL)
    return acknowledged


def left_on_disk(data: Path) -> set[str]:
    """Every file by its name; a log and its index come and go."""
    files = (path for path in data.rglob("*") if path.is_file())
    return {str(path.relative_to(data)) for path in files if not path.name.endswith(("-wal", "-shm", "-journal"))}


def an_hour_passes(data: Path) -> None:
    """For what is on disk, so that nobody can be writing to it still."""
    for path in data.rglob("*"):
        if path.is_file():
            os.utime(path, (path.stat().st_atime - 3600, path.stat().st_mtime - 3600))


def test_twenty_servers_killed_at_any_moment_lose_nothing_and_leave_nothing_that_grows(
    repository: Path, git: Git, tmp_path: Path, private_home: Path
) -> None:
    for number in range(40):
        text = "\n\n".join(f"def f{i}(rows):\n    return [{number}, {i}, *rows]" for i in range(8))
        (repository / f"m{number}.py").write_text(text + "\n", "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "all")
    rng = random.Random(4)
    acknowledged: list[str] = []
    with nursery(tmp_path / "nursery") as servers:
        for turn in range(TIMES):
            one = servers.born(repository)
            acknowledged += work_until_killed(one, rng, turn)
            one.close()
    assert len(acknowledged) > TIMES
    desk = Desk(repository, git)
    try:
        kept = [str(one["id"]) for one in desk.found_all()]
        assert set(kept) >= set(acknowledged)
        assert len(kept) == len(set(kept)) <= len(acknowledged) + TIMES, "one at most was on its way at each death"
        bodies = [str(one["body"]) for one in desk.found_all()]
        assert len(bodies) == len(set(bodies))
        desk.admin("index")
        an_hour_passes(private_home / "data")
        assert backups.backup_daily(desk.ws.store, desk.ws.now() + 24 * 60 * 60_000)
    finally:
        close(desk.ws)
    left = left_on_disk(private_home / "data" / desk.ws.store.directory.name)
    key = desk.ws.checkout
    assert {name for name in left if not name.startswith("backups/")} == {
        "memory.db",
        *(f"facts.db{suffix}" for suffix in ("", ".lock")),
        *(f"checkouts/{key}{suffix}" for suffix in (".db", ".db.lock", ".sweep")),
    }
    assert len(left) == 6 + 2, "a copy of today and one of tomorrow, and no draft of a copy that was killed"
    assert {one.verdict for one in checks(repository)} == {"ok"}, checks(repository)


MIGRATE = """
import sys
from pathlib import Path
from anchormem.store import migrate
from anchormem.store.db import open_store
migrate.MIGRATIONS = (*migrate.MIGRATIONS, Path(sys.argv[2]))
migrate.NEWEST += 1
print("opening", flush=True)
with open_store(Path(sys.argv[1]), "checkout") as store:
    print("opened", store.row("SELECT count(mood), min(body) FROM main.memories"), flush=True)
"""
SLOW = """ALTER TABLE memories ADD COLUMN mood TEXT;
UPDATE memories SET mood = (
    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 600000) SELECT max(x) FROM n
);
PRAGMA user_version = 2;
"""


def test_a_migration_killed_at_any_moment_is_undone_or_done_and_can_be_repeated(tmp_path: Path) -> None:
    directory, step = tmp_path / "store", tmp_path / "0002.sql"
    step.write_text(SLOW, "utf-8")
    with open_store(directory, "checkout") as store:
        for number in range(20):
            memories.insert(store, memory(f"m{number}", body="what was learnt"))
    rng = random.Random(5)
    for _ in range(3):
        with migrating(directory, step) as process:
            assert process.stdout
            assert process.stdout.readline() == "opening\n"
            time.sleep(rng.uniform(0, 0.2))
            process.kill()
        # What is half done never counts: a program of before reads all of it, or is told that the store is newer.
        try:
            with open_store(directory, "checkout", write=False) as store:
                assert listing.counts(store).live == 20
        except StoreNewer:
            continue
    with migrating(directory, step) as process:
        assert process.stdout
        assert "opened (20, 'what was learnt')" in process.stdout.read()
    assert backups.check(directory) == ()
    assert sorted(path.name for path in (directory / "backups").iterdir()) == ["memory-before-0002.db"]


def migrating(directory: Path, step: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", MIGRATE, str(directory), str(step)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

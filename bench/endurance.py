"""What a store and a server have to stand: kill -9 in every act, two that store at once, ten thousand calls.

Used by load_bench. Linux only.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import generated
from generated import Made
from wire import Server

ACTS = ("remember", "index", "migrate", "export")
LATEST = {"remember": 0.8, "index": 0.5, "migrate": 0.25, "export": 0.8}  # seconds
KNOWN = 60  # memories that are there from the first
EACH = 500
CALLS, SETTLED = 10_000, 1_000
GROWTH_BYTES = 8_000_000
MEMORIES = 200  # how many the ten thousand calls store before they only change them
OLD_SECONDS = 3600

# A process that has loaded everything, and forks one for each line it is given.
FORGE = r"""
import os, signal, sys
from pathlib import Path
from anchormem.cli import main
from anchormem.store import migrate
from anchormem.store.db import open_store
from anchormem.workspace import remember, sweep
from anchormem.workspace.session import open_workspace
import anchormem.workspace.transfer, anchormem.cli.export

def told(what):
    acks = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(acks, f"{what}\n".encode())
    os.close(acks)

def learnt(ws):
    body = f"{os.getpid()} learnt {os.urandom(6).hex()}"
    reply = remember.remember(ws, {"kind": "fact", "body": body, "anchors": [sys.argv[3]], "force": True})
    told(reply.data["id"])

def do(act, root, begun):
    if act == "migrate":
        os.write(begun, f"begun {os.getpid()}\n".encode())
        migrate.MIGRATIONS = (*migrate.MIGRATIONS, Path(sys.argv[2]))
        migrate.NEWEST += 1
        open_store(root, "checkout").close()
        return
    ws = open_workspace(root)
    os.write(begun, f"begun {os.getpid()}\n".encode())
    while True:
        if act == "index":
            sweep.sweep(ws, full=True)
            continue
        learnt(ws)
        if act == "export":
            main(["export", "--root", str(root)])

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    act, root = line.rstrip("\n").split("\t")
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            begun = os.dup(1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            do(act, Path(root), begun)
        except BaseException as error:
            told(f"ERROR {act} {error!r}")
            os.write(begun, f"begun {os.getpid()}\n".encode())
        os._exit(0)
    os.write(1, f"{child}\n".encode())
"""
SLOW_STEP = """ALTER TABLE memories ADD COLUMN mood TEXT;
UPDATE memories SET mood = (
    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 15000) SELECT max(x) FROM n
);
PRAGMA user_version = {version};
"""


@dataclass
class Killed:
    """What two hundred deaths have left."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    unsound: int = 0
    torn_exports: int = 0
    left_over: int = 0
    errors: list[str] = field(default_factory=list)


# ── kill -9 ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def killed_in_the_store(scratch: Path, times: int) -> Killed:
    """Every act in turn, killed at a random moment of it; the store is looked at after each death."""
    root, data = scratch / "killed", scratch / "killed-data"
    root.mkdir()
    made = generated.build(root, 120, anchored=20, large=0)
    rng, seen = random.Random(23), Killed()
    acks = scratch / "acks"
    with Server(root, data) as server:
        for number in range(KNOWN):
            server.call("remember", kind="fact", body=f"known before {number}", anchors=[made[0].path], force=True)
        server.call("admin", op="index")
        server.call("admin", op="export")
    store = next(data.glob("*/memory.db"))
    version = _ask(store, "PRAGMA user_version")[0][0]
    step = scratch / f"{int(str(version)) + 1:04}.sql"
    step.write_text(SLOW_STEP.format(version=int(str(version)) + 1))
    migrating = scratch / "migrating" / "store"
    with _forge(acks, step, made[0].path, data) as forge:
        before = _files(data, root)
        for turn in range(times):
            act = ACTS[turn % len(ACTS)]
            if act == "migrate" and _version(migrating) != version:
                _fresh(store, migrating)
            for copy in store.parent.glob("backups/memory-2*.db"):
                copy.unlink()  # so that the next to open it makes one, and may die while it does
            place = migrating if act == "migrate" else root
            _kill(forge, act, place, rng.uniform(0, LATEST[act]), begun=turn // len(ACTS) % 3 > 0)
            seen.kills += 1
            _look(seen, store, migrating, root)
            _age(data, root, migrating)
        for act, place in (("migrate", migrating), ("export", root)):
            _kill(forge, act, place, 2.0, begun=True)
    told = acks.read_text().splitlines()
    seen.errors = [line for line in told if line.startswith("ERROR")]
    ids = {line for line in told if not line.startswith("ERROR")}
    seen.acknowledged = len(ids)
    seen.lost = len(ids - {str(row[0]) for row in _ask(store, "SELECT id FROM memories")})
    seen.left_over = len(_files(data, root) - before) + sum(1 for _ in migrating.rglob("*.new-*"))
    return seen


@contextmanager
def _forge(acks: Path, step: Path, anchor: str, data: Path) -> Generator["subprocess.Popen[str]"]:
    environment = {**os.environ, "ANCHORMEM_DATA_DIR": str(data)}
    command = [sys.executable, "-c", FORGE, str(acks), str(step), anchor]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def _kill(forge: "subprocess.Popen[str]", act: str, place: Path, after: float, *, begun: bool) -> None:
    """`begun`: the seconds count from the act itself, else from the start of whoever opens the store for it."""
    assert forge.stdin
    assert forge.stdout
    forge.stdin.write(f"{act}\t{place}\n")
    forge.stdin.flush()
    number, opened = 0, set[int]()
    while not number or (begun and number not in opened):
        word, *more = forge.stdout.readline().split()
        if word == "begun":
            opened.add(int(more[0]))  # or one before, that died before anybody asked
        else:
            number = int(word)
    time.sleep(after)
    try:
        os.kill(number, signal.SIGKILL)
        while True:
            os.kill(number, 0)
            time.sleep(0.002)
    except ProcessLookupError:
        return


def _look(seen: Killed, store: Path, migrating: Path, root: Path) -> None:
    for one in (store, migrating / "memory.db"):
        if one.exists():
            seen.unsound += [str(row[0]) for row in _ask(one, "PRAGMA quick_check")] != ["ok"]
    if (migrating / "memory.db").exists():
        seen.lost += _ask(migrating / "memory.db", "SELECT count(*) >= 60 FROM memories") != [(1,)]
    lines = (root / ".anchormem" / "memory.jsonl").read_bytes().split(b"\n")
    try:
        seen.torn_exports += lines[-1] != b"" or len([json.loads(line) for line in lines[:-1]]) < KNOWN
    except ValueError:
        seen.torn_exports += 1


def _fresh(store: Path, migrating: Path) -> None:
    """A store of before the step, whole, in the place of the one that has made it."""
    for path in migrating.glob("memory.db*"):
        path.unlink()
    migrating.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(store)) as one, closing(sqlite3.connect(migrating / "memory.db")) as other:
        one.backup(other)


def _version(directory: Path) -> object:
    memory = directory / "memory.db"
    return _ask(memory, "PRAGMA user_version")[0][0] if memory.exists() else None


def _ask(store: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store, timeout=10)) as connection:
        return connection.execute(question).fetchall()


def _files(data: Path, root: Path) -> set[str]:
    """Every file by its path; a log and its index come and go, and so does the day's copy."""
    every = [*data.rglob("*"), *(root / ".anchormem").rglob("*")]
    return {
        str(path)
        for path in every
        if path.is_file() and not path.name.endswith(("-wal", "-shm", "-journal")) and path.suffix != ".db"
    }


def _age(*folders: Path) -> None:
    """As if the dead had died an hour ago: whoever comes next may take away what they left."""
    then = time.time() - OLD_SECONDS
    for folder in folders:
        for path in [*folder.rglob("*.new-*"), *folder.rglob(".*.anchormem")]:
            os.utime(path, (then, then))


# ── two at once ─────────────────────────────────────────────────────────────────────────────────────────────────────


def two_at_once(root: Path, data: Path, path: str) -> tuple[int, list[str]]:
    """Two servers that each store `EACH` memories as fast as they can: rows that are there, and errors."""
    errors: list[str] = []

    def store(name: str) -> None:
        with Server(root, data) as server:
            for number in range(EACH):
                body = f"server {name} learnt {number}"
                reply = server.reply("remember", kind="fact", body=body, anchors=[path], force=True)
                if "error" in reply:
                    errors.append(str(reply["error"]))

    threads = [threading.Thread(target=store, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [memory] = data.glob("*/memory.db")
    return int(str(_ask(memory, "SELECT count(DISTINCT body) FROM memories")[0][0])), errors


# ── ten thousand calls ──────────────────────────────────────────────────────────────────────────────────────────────


def resident_over_calls(root: Path, data: Path, made: list[Made], calls: int = CALLS) -> tuple[int, int]:
    """Bytes of memory that one server holds after a tenth of so many mixed calls, and after all of them."""
    rng, ids, levels = random.Random(5), list[str](), list[int]()
    with Server(root, data) as server:
        for number in range(1, calls + 1):
            one = rng.choice(made)
            what = rng.choices(("recall", "remember", "map", "affected", "verify_queue", "status", "edit"), MIX)[0]
            if what == "edit":
                path = root / one.path
                path.write_text(path.read_text() + f"\n// {number}\n"[: rng.randrange(1, 9)])
            elif what == "remember":
                _remember(server, rng, one, ids)
            elif what == "recall":
                server.call("recall", task=generated.question(rng), working_set=[one.path])
            elif what == "status":
                server.call("admin", op=rng.choice(("status", "list")))
            else:
                server.call(what, **({"target": one.path} if what == "map" else {}))
            if number in (calls * SETTLED // CALLS, calls):
                levels.append(resident(server.process.pid))
            if number % 50 == 0:
                generated.git(root, "checkout", "-q", "--", ".")
    return levels[0], levels[1]


MIX = (50, 15, 12, 5, 5, 8, 5)


def _remember(server: Server, rng: random.Random, one: Made, ids: list[str]) -> None:
    body = f"{generated.note(rng, one)} ({rng.randrange(10**9)})"
    if len(ids) < MEMORIES:
        stored = server.call("remember", kind="fact", body=body, anchors=[one.path], force=True)
        assert isinstance(stored, dict)
        ids.append(str(stored["id"]))
    else:
        server.call("remember", update=rng.choice(ids), body=body, force=True)


def resident(number: int) -> int:
    pages = Path(f"/proc/{number}/statm").read_text("utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")

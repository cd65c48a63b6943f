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
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import generated
import leftovers
from crowd import guarded, largest_log
from generated import Made
from wire import Server

ACTS = ("remember", "index", "migrate", "export")
LATEST = {"remember": 0.8, "index": 0.5, "migrate": 0.25, "export": 0.8}  # seconds
KNOWN = 60  # memories that are there from the first
EACH = 500
LAST_SECONDS = 120.0
CALLS, WARM_UP = 10_000, 1_500
GROWTH_BYTES = 8_000_000
MEMORIES = 200  # then they are only changed

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
    if act != "index":
        learnt(ws)
    os.write(begun, f"begun {os.getpid()}\n".encode())
    while True:
        if act == "index":
            sweep.sweep(ws, full=True)
            continue
        if act != "remember":
            main(["export", "--root", str(root)])
        if act == "last":
            return ws.store.close()
        learnt(ws)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in os.fdopen(os.dup(0)):  # what a command does with sys.stdin, it does before the first read
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
    """What two hundred deaths have left; `left`: files that stay for good."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    unsound: int = 0
    torn_exports: int = 0
    left: list[str] = field(default_factory=list)
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
        for turn in range(times):
            act = ACTS[turn % len(ACTS)]
            if act == "migrate" and _version(migrating) != version:
                _fresh(store, migrating)
            leftovers.pass_an_hour(data, root / ".anchormem", migrating)
            place = migrating if act == "migrate" else root
            _kill(_started(forge, act, place, begun=turn // len(ACTS) % 3 > 0), rng.uniform(0, LATEST[act]))
            seen.kills += 1
            _look(seen, store, migrating, root)
        seen.acknowledged = len(_ids(acks))
        leftovers.pass_an_hour(data, root / ".anchormem", migrating)
        _fresh(store, migrating)
        for act, place in (("migrate", migrating), ("last", root)):
            if not _gone(_started(forge, act, place, begun=True), LAST_SECONDS):
                seen.errors.append(f"{act} did not end after all the deaths")
    seen.errors += [line for line in acks.read_text().splitlines() if line.startswith("ERROR")]
    seen.lost += len(_ids(acks) - {str(row[0]) for row in _ask(store, "SELECT id FROM memories")})
    seen.doubled = int(str(_ask(store, "SELECT count(*) - count(DISTINCT body) FROM memories")[0][0]))
    seen.left = leftovers.stray(store.parent, root / ".anchormem") + leftovers.stray(migrating)
    return seen


def _ids(acks: Path) -> set[str]:
    lines = acks.read_text().splitlines() if acks.exists() else []
    return {line for line in lines if not line.startswith("ERROR")}


@contextmanager
def _forge(acks: Path, step: Path, anchor: str, data: Path) -> Generator["subprocess.Popen[str]"]:
    environment = {**os.environ, "ANCHORMEM_DATA_DIR": str(data)}
    command = [sys.executable, "-c", FORGE, str(acks), str(step), anchor]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def _started(forge: "subprocess.Popen[str]", act: str, place: Path, *, begun: bool) -> int:
    """The process of an act. `begun`: it is at the act itself, with one memory stored; else anywhere from the start."""
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
    return number


def _kill(number: int, after: float) -> None:
    time.sleep(after)
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)
    _gone(number, LAST_SECONDS)


def _gone(number: int, seconds: float) -> bool:
    """Waits for a process to end."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.002)
    return False


def _look(seen: Killed, store: Path, migrating: Path, root: Path) -> None:
    for one in (store, migrating / "memory.db"):
        if one.exists():
            seen.unsound += not _sound(one)
    if (migrating / "memory.db").exists():
        seen.lost += _ask(migrating / "memory.db", "SELECT count(*) >= 60 FROM memories") != [(1,)]
    lines = (root / ".anchormem" / "memory.jsonl").read_bytes().split(b"\n")
    try:
        seen.torn_exports += lines[-1] != b"" or len([json.loads(line) for line in lines[:-1]]) < KNOWN
    except ValueError:
        seen.torn_exports += 1


def _sound(store: Path) -> bool:
    try:
        return _ask(store, "PRAGMA quick_check") == [("ok",)]
    except sqlite3.DatabaseError:
        return False


def _fresh(store: Path, migrating: Path) -> None:
    """A store of before the step, whole, in the place of the one that has made it."""
    for path in (migrating / f"memory.db{log}" for log in ("", *leftovers.LOGS)):
        path.unlink(missing_ok=True)
    migrating.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(store)) as one, closing(sqlite3.connect(migrating / "memory.db")) as other:
        one.backup(other)


def _version(directory: Path) -> object:
    memory = directory / "memory.db"
    return _ask(memory, "PRAGMA user_version")[0][0] if memory.exists() else None


def _ask(store: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store, timeout=10)) as connection:
        return connection.execute(question).fetchall()


# ── two at once ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Pair:
    """What two servers have stored at once: rows, different ones among them, errors, and the most that a log held."""

    rows: int = 0
    bodies: int = 0
    log: int = 0
    errors: list[str] = field(default_factory=list)


def two_at_once(root: Path, data: Path, path: str, each: int = EACH) -> Pair:
    """Two servers that each store so many memories as fast as they can."""
    seen = Pair()

    def store(name: str) -> None:
        with Server(root, data) as server:
            for number in range(each):
                body = f"server {name} learnt {number}"
                reply = server.reply("remember", kind="fact", body=body, anchors=[path], force=True)
                if "error" in reply:
                    seen.errors.append(str(reply["error"]))

    threads = [threading.Thread(target=guarded(seen.errors, store), args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        seen.log = max(seen.log, largest_log(data))
        time.sleep(0.05)
    [memory] = data.glob("*/memory.db")
    seen.rows, seen.bodies = (
        int(str(n)) for n in _ask(memory, "SELECT count(*), count(DISTINCT body) FROM memories")[0]
    )
    return seen


# ── ten thousand calls ──────────────────────────────────────────────────────────────────────────────────────────────


def resident_over_calls(root: Path, data: Path, made: list[Made], calls: int = CALLS) -> tuple[int, int]:
    """Bytes of memory that one server holds when warm, and after so many mixed calls more.

    Warm: it has met more bodies than it keeps in mind, and done everything else it does more than once.
    """
    with Server(root, data) as server:
        session = Session(server, root, made)
        for number in range(min(WARM_UP, calls)):
            session.step(WARMING)
            session.tidy(number)
        before = resident(server.process.pid)
        for number in range(calls):
            session.step(MIX)
            session.tidy(number)
        return before, resident(server.process.pid)


ACTIONS = ("recall", "remember", "map", "affected", "verify_queue", "status", "edit")
MIX = (50, 15, 12, 5, 5, 8, 5)
WARMING = (20, 65, 5, 2, 2, 2, 4)


class Session:
    """One server, what was stored through it, and somebody who edits the files."""

    def __init__(self, server: Server, root: Path, made: list[Made]) -> None:
        self.server, self.root, self.made = server, root, made
        self.rng = random.Random(5)
        self.ids: list[str] = []

    def step(self, mix: tuple[int, ...]) -> None:
        """One call, or one edit."""
        one, server = self.rng.choice(self.made), self.server
        match self.rng.choices(ACTIONS, mix)[0]:
            case "edit":
                path = self.root / one.path
                path.write_text(path.read_text() + "\n// what for\n"[: self.rng.randrange(1, 9)])
            case "remember":
                self.remember(one)
            case "recall":
                server.call("recall", task=generated.question(self.rng), working_set=[one.path])
            case "map":
                server.call("map", target=one.path)
            case "status":
                server.call("admin", op=self.rng.choice(("status", "list")))
            case other:
                server.call(other)

    def remember(self, one: Made) -> None:
        body = f"{generated.note(self.rng, one)} ({self.rng.randrange(10**9)})"
        if len(self.ids) < MEMORIES:
            stored = self.server.call("remember", kind="fact", body=body, anchors=[one.path], force=True)
            assert isinstance(stored, dict)
            self.ids.append(str(stored["id"]))
        else:
            self.server.call("remember", update=self.rng.choice(self.ids), body=body, force=True)

    def tidy(self, number: int) -> None:
        if number % 50 == 0:
            generated.git(self.root, "checkout", "-q", "--", ".")


def resident(number: int) -> int:
    pages = Path(f"/proc/{number}/statm").read_text("utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")

"""Five servers, cold commands, hooks and status lines on one store and one checkout, while somebody edits; then servers
that are killed in the middle of whatever they do.

Used by load_bench. Linux only.
"""

import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ParamSpec

import generated
import leftovers
from generated import Made
from wire import Server

# How often each call comes, as agents' sessions have it: much asking, some writing.
MIX = {"recall": 55, "remember": 15, "map": 12, "affected": 5, "verify_queue": 5, "status": 8}
P = ParamSpec("P")
STARTS = 2
AFTER = 3  # writes: the first takes what it can out of the log, the next begins it anew
COMMANDS = (["statusline"], ["status"], ["recall", "batch"], ["hook"])


@dataclass
class Tally:
    """Filled by many threads; each list only grows. `log`: the most bytes that a write-ahead log held beside the long
    reader, and after it. `sixth`, `first`: seconds to the first answer of one more server, and of one in a store of its
    own, each the least of a few.
    """

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)  # the same, of what was stored when the reader had gone
    seconds: float = 0.0
    log: int = 0
    log_afterwards: int = 0
    first: float = math.inf
    sixth: float = math.inf

    @property
    def calls(self) -> int:
        return sum(len(times) for what, times in self.times.items() if not what.startswith("command"))


def guarded(errors: list[str], action: Callable[P, None]) -> Callable[P, None]:
    """For a thread: a server that ended, or a bench that broke, is an error like any other."""

    def run(*given: P.args, **named: P.kwargs) -> None:
        try:
            action(*given, **named)
        except (Exception, SystemExit) as error:  # noqa: BLE001 — SystemExit would end the thread and say nothing
            errors.append(repr(error))

    return run


def together(root: Path, data: Path, made: list[Made], *, servers: int, seconds: float) -> Tally:
    """The busy time, beside a reader that keeps the snapshot it began with; then one more server; then no reader."""
    tally = Tally()
    with ExitStack() as opened:
        crowd = [opened.enter_context(Server(root, data)) for _ in range(servers)]
        crowd[0].call("admin", op="index")
        with closing(sqlite3.connect(f"file:{store_in(data)}?mode=ro", uri=True, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memories").fetchall()
            _work_all(crowd, made, tally, seconds)
            guarded(tally.errors, partial(_start_more, root, data, tally))()
        guarded(tally.errors, partial(_write_on, root, data, made, tally))()
        tally.log_afterwards = largest_log(data)
    return tally


def _start_more(root: Path, data: Path, tally: Tally) -> None:
    for _ in range(STARTS):
        tally.sixth = min(tally.sixth, first_answer(root, data))
        tally.first = min(tally.first, first_answer(root, data.with_name("alone")))


def _write_on(root: Path, data: Path, made: list[Made], tally: Tally) -> None:
    with Server(root, data) as late:
        for _ in range(AFTER):
            remember(late, random.Random(), made, tally.late)


def _work_all(crowd: list[Server], made: list[Made], tally: Tally, seconds: float) -> None:
    root, data, began = crowd[0].root, crowd[0].data, time.monotonic()
    until = began + seconds  # however long starting took
    jobs: list[Callable[[], None]] = [partial(work, one, made, tally, until, at) for at, one in enumerate(crowd)]
    jobs += [partial(edit, root, made, until), partial(commands, root, data, tally, until)]
    threads = [threading.Thread(target=guarded(tally.errors, job)) for job in jobs]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        tally.log = max(tally.log, largest_log(data))
        time.sleep(0.2)
    tally.log = max(tally.log, largest_log(data))
    tally.seconds = time.monotonic() - began


def work(server: Server, made: list[Made], tally: Tally, until: float, seed: int) -> None:
    rng = random.Random(seed)
    while time.monotonic() < until:
        what = rng.choices(list(MIX), list(MIX.values()))[0]
        started = time.perf_counter()
        reply = ask(server, what, rng, made)
        tally.times[what].append((time.perf_counter() - started) * 1000)
        if "error" in reply:
            tally.errors.append(f"{what}: {reply['error']}")
        elif what == "remember":
            data = reply["data"]
            assert isinstance(data, dict)
            tally.acknowledged.append(str(data["id"]))


def ask(server: Server, what: str, rng: random.Random, made: list[Made]) -> dict[str, object]:
    one = rng.choice(made)
    if what == "recall":
        return server.reply("recall", task=generated.question(rng), working_set=[one.path])
    if what == "remember":
        return server.reply("remember", **new(rng, one))
    if what == "map":
        return server.reply("map", target=one.path)
    if what == "affected":
        return server.reply("affected")
    if what == "verify_queue":
        return server.reply("verify_queue")
    return server.reply("admin", op="status")


def new(rng: random.Random, one: Made) -> dict[str, object]:
    """A memory unlike every other."""
    body = f"{generated.note(rng, one)} ({rng.randrange(10**12)})"
    return {"kind": "fact", "body": body, "anchors": [one.path], "force": True}


def remember(server: Server, rng: random.Random, made: list[Made], acknowledged: list[str]) -> None:
    stored = server.call("remember", **new(rng, rng.choice(made)))
    assert isinstance(stored, dict)
    acknowledged.append(str(stored["id"]))


def edit(root: Path, made: list[Made], until: float) -> None:
    """Somebody who works in the tree meanwhile: edits, undoes, again."""
    rng = random.Random(7)
    while time.monotonic() < until:
        one = rng.choice(made)
        path = root / one.path
        before = path.read_text()
        path.write_text(before.replace(" > ", " >= ", 1))
        time.sleep(0.15)
        path.write_text(before)
        time.sleep(0.15)


def commands(root: Path, data: Path, tally: Tally, until: float) -> None:
    """What runs beside servers all day: cold processes."""
    turn = 0
    while time.monotonic() < until:
        command = COMMANDS[turn % len(COMMANDS)]
        turn += 1
        event = json.dumps({"hook_event_name": "SessionStart", "cwd": str(root)}) if command == ["hook"] else ""
        place = [] if command == ["hook"] else ["--root", str(root)]
        started = time.perf_counter()
        code, said = run([*command, *place], root, data, event)
        tally.times[f"command {command[0]}"].append((time.perf_counter() - started) * 1000)
        if code:
            tally.errors.append(f"{command}: exit {code}: {said[:300]}")
        time.sleep(0.3)


def run(arguments: list[str], root: Path, data: Path, given: str = "") -> tuple[int, str]:
    """A command of anchormem, cold: its exit code and what it said on standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env={**os.environ, "ANCHORMEM_DATA_DIR": str(data)},
    )
    return done.returncode, done.stderr


def store_in(data: Path) -> Path:
    [found] = data.glob("*/memory.db")
    return found


def kept(data: Path) -> dict[str, str]:
    """Bodies by id; none where there is no store yet."""
    if not any(data.glob("*/memory.db")):
        return {}
    with closing(sqlite3.connect(f"file:{store_in(data)}?mode=ro", uri=True)) as store:
        return dict(store.execute("SELECT id, body FROM memories"))


def largest_log(data: Path) -> int:
    return max((path.stat().st_size for path in data.rglob("*-wal")), default=0)


def first_answer(root: Path, data: Path) -> float:
    """Seconds from the start of a server to its first answer."""
    started = time.monotonic()
    with Server(root, data) as server:
        server.call("recall", task="batch")
        return time.monotonic() - started


# ── killed ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Dead:
    """What servers have acknowledged before they were killed, and one more afterwards; and what they left for good."""

    acknowledged: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def killed(root: Path, data: Path, made: list[Made], times: int) -> Dead:
    """Kills servers in the middle of whatever they do.

    Every fourth dies early, perhaps before it stored anything; the others shortly after the first acknowledgements.
    """
    dead, rng = Dead(), random.Random(11)
    for turn in range(times):
        leftovers.pass_an_hour(data)
        _kill_one(Server(root, data), rng, made, dead, index=turn % 3 == 0)
    leftovers.pass_an_hour(data)
    with Server(root, data) as last:
        remember(last, rng, made, dead.last)
    dead.left = leftovers.stray(store_in(data).parent)
    return dead


def _kill_one(server: Server, rng: random.Random, made: list[Made], dead: Dead, *, index: bool) -> None:
    server.__enter__()
    process, wanted, told = server.process, rng.randrange(4), 0
    moment = threading.Timer(rng.uniform(0.0, 0.05 if wanted else 0.6), process.send_signal, [signal.SIGKILL])
    if not wanted:
        moment.start()
    try:
        if index:
            whole = {"name": "admin", "arguments": {"op": "index", "full": True}}
            server.write({"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": whole})
        while True:
            remember(server, rng, made, dead.acknowledged)
            told += 1
            if told == wanted:
                moment.start()
    except (SystemExit, BrokenPipeError, ValueError):  # it was killed, perhaps in the middle of a line
        if process.wait(60) != -signal.SIGKILL:
            dead.errors.append(f"a server ended by itself, exit {process.returncode}")
    except AssertionError as error:
        dead.errors.append(repr(error))
    finally:
        moment.cancel()
        server.drop()

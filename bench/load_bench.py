"""Five servers, commands, hooks and status lines on one store and one checkout at once, while files are edited.

    python bench/load_bench.py [--seconds N] [--servers N] [--kills N] [--store-kills N] [--calls N] [--json]

Then `--kills` servers are killed at random moments of their work, and `--store-kills` processes in the middle of
storing, indexing, migrating and exporting; every acknowledged memory is looked for. Two servers store 500 memories each
at once, and one answers `--calls` calls.
Gate: no error, nothing acknowledged lost or doubled, the write-ahead log bounded beside a long reader, no leftovers,
every store and export whole, and the server no larger after all its calls than after the first tenth of them.
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import endurance
import generated
from generated import Made
from wire import Server

FILES = 400
# How often each call comes, as agents' sessions have it: much asking, some writing.
MIX = {"recall": 55, "remember": 15, "map": 12, "affected": 5, "verify_queue": 5, "status": 8}
LOG_BYTES = 40_000_000  # what a log may hold beside a reader that keeps an old snapshot for the whole run
SIXTH_SECONDS = 2.0
SIXTH_TIMES = 1.5  # of what the first took, where a machine is busy with other things
COMMANDS = (["statusline"], ["status"], ["recall", "batch"], ["hook"])


@dataclass
class Tally:
    """Filled by many threads; each list only grows."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)


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
        body = f"{generated.note(rng, one)} ({rng.randrange(10**9)})"
        return server.reply("remember", kind="fact", body=body, anchors=[one.path], force=True)
    if what == "map":
        return server.reply("map", target=one.path)
    if what == "affected":
        return server.reply("affected")
    if what == "verify_queue":
        return server.reply("verify_queue")
    return server.reply("admin", op="status")


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
        started = time.perf_counter()
        place = [] if command == ["hook"] else ["--root", str(root)]
        done = subprocess.run(
            [sys.executable, "-m", "anchormem", *command, *place],
            input=event,
            capture_output=True,
            text=True,
            check=False,
            cwd=root,
            env={**os.environ, "ANCHORMEM_DATA_DIR": str(data)},
        )
        tally.times[f"command {command[0]}"].append((time.perf_counter() - started) * 1000)
        if done.returncode:
            tally.errors.append(f"{command}: exit {done.returncode}: {done.stderr[:300]}")
        time.sleep(0.3)


def stores(data: Path) -> Path:
    [found] = data.glob("*/memory.db")
    return found


def kept(data: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{stores(data)}?mode=ro", uri=True)) as store:
        return [row[0] for row in store.execute("SELECT id FROM memories")]


def together(root: Path, data: Path, made: list[Made], *, servers: int, seconds: float) -> tuple[Tally, int, float]:
    """The busy hour: the tally, the largest log seen beside a reader that never lets go, and how long one more server
    then takes to its first answer."""
    tally, largest = Tally(), 0
    opened = [Server(root, data) for _ in range(servers)]
    for server in opened:
        server.__enter__()
    try:
        opened[0].call("admin", op="index")
        reader = sqlite3.connect(f"file:{stores(data)}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchall()
        until = time.monotonic() + seconds  # however long starting took
        threads = [
            threading.Thread(target=work, args=(server, made, tally, until, seed)) for seed, server in enumerate(opened)
        ]
        threads.append(threading.Thread(target=edit, args=(root, made, until)))
        threads.append(threading.Thread(target=commands, args=(root, data, tally, until)))
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            largest = max([largest, *(path.stat().st_size for path in data.rglob("*-wal"))])
            time.sleep(0.2)
        largest = max([largest, *(path.stat().st_size for path in data.rglob("*-wal"))])
        sixth = first_answer(root, data)
        reader.close()
    finally:
        for server in opened:
            server.__exit__(None, None, None)
    return tally, largest, sixth


def first_answer(root: Path, data: Path) -> float:
    """Seconds from the start of a server to its first answer."""
    started = time.monotonic()
    with Server(root, data) as server:
        server.call("recall", task="batch")
        return time.monotonic() - started


def killed(root: Path, data: Path, made: list[Made], times: int) -> tuple[list[str], int]:
    """Kills servers in the middle of whatever they do. Gives what was acknowledged, and how many files are left over.

    Every fourth dies early, perhaps before it stored anything; the others shortly after the first acknowledgements.
    """
    acknowledged: list[str] = []
    rng = random.Random(11)
    before = sum(1 for _ in leftovers(data))
    for turn in range(times):
        with Doomed(Server(root, data)) as server:
            wanted, told = rng.randrange(4), 0
            latest = rng.uniform(0.0, 0.05 if wanted else 0.6)
            moment = threading.Timer(latest, server.process.send_signal, [signal.SIGKILL])
            if not wanted:
                moment.start()
            try:
                if turn % 3 == 0:
                    server.write(
                        {
                            "jsonrpc": "2.0",
                            "id": 900,
                            "method": "tools/call",
                            "params": {"name": "admin", "arguments": {"op": "index", "full": True}},
                        }
                    )
                while True:
                    one = rng.choice(made)
                    body = f"{generated.note(rng, one)} ({rng.randrange(10**9)})"
                    data_of = server.call("remember", kind="fact", body=body, anchors=[one.path], force=True)
                    assert isinstance(data_of, dict)
                    acknowledged.append(str(data_of["id"]))
                    told += 1
                    if told == wanted:
                        moment.start()
            except (SystemExit, BrokenPipeError, ValueError):
                moment.join()
    return acknowledged, sum(1 for _ in leftovers(data)) - before


def leftovers(data: Path) -> Iterator[Path]:
    """Files that a killed process may leave and that nobody would use again."""
    known = ("memory.db", "facts.db", "repositories", "map")
    for path in data.rglob("*"):
        other = not path.name.startswith(known) and path.parent.name not in ("checkouts", "backups")
        if path.is_file() and (other or ".new-" in path.name):
            yield path


class Doomed:
    """A server that will not be there any more when the block ends."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def __enter__(self) -> Server:
        return self.server.__enter__()

    def __exit__(self, *_: object) -> None:
        self.server.process.kill()
        self.server.process.wait(10)
        for stream in (self.server.process.stdin, self.server.process.stdout):
            try:
                if stream:
                    stream.close()
            except BrokenPipeError:
                continue


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--servers", type=int, default=5)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--store-kills", type=int, default=200)
    parser.add_argument("--calls", type=int, default=endurance.CALLS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root, data = Path(scratch) / "r", Path(scratch) / "d"
        root.mkdir()
        made = generated.build(root, FILES, anchored=100, large=0)
        alone = first_answer(root, data)
        tally, largest, sixth = together(root, data, made, servers=given.servers, seconds=given.seconds)
        lost = set(tally.acknowledged) - set(kept(data))
        doubled = len(kept(data)) - len(set(tally.acknowledged))
        acknowledged, left = killed(root, data, made, given.kills)
        there = set(kept(data))
        lost |= set(acknowledged) - there
        deaths = endurance.killed_in_the_store(Path(scratch), given.store_kills)
        rows_of_two, errors_of_two = endurance.two_at_once(root, Path(scratch) / "two", made[0].path)
        early, late = endurance.resident_over_calls(root, Path(scratch) / "many", made, given.calls)
        doctor = subprocess.run(
            [sys.executable, "-m", "anchormem", "check", "--root", str(root)],
            check=False,
            capture_output=True,
            env={**os.environ, "ANCHORMEM_DATA_DIR": str(data)},
        )
    calls = [ms for what, times in tally.times.items() if not what.startswith("command") for ms in times]
    rows = [
        (what, len(times), statistics.median(times), percentile(times)) for what, times in sorted(tally.times.items())
    ]
    gates = {
        "something was asked and stored": bool(calls and tally.acknowledged and acknowledged),
        "no errors": not tally.errors,
        "nothing acknowledged was lost": not lost,
        "nothing was stored twice": doubled == 0,
        "the log stayed bounded beside a long reader": largest <= LOG_BYTES,
        "killed servers leave nothing that grows": left <= 0,
        "one more server answers as soon as the first": sixth < max(SIXTH_SECONDS, SIXTH_TIMES * alone),
        "commands work afterwards": doctor.returncode == 0,
        "what was killed in the store had acknowledged something": deaths.acknowledged > 0 or not deaths.kills,
        "of what it acknowledged nothing was lost": deaths.lost == 0 and not deaths.errors,
        "every store was sound and every export whole after each death": deaths.unsound + deaths.torn_exports == 0,
        "the dead left nothing that stays": deaths.left_over == 0,
        "two that store at once have every row and no error": (rows_of_two, errors_of_two) == (2 * endurance.EACH, []),
        "memory is flat over all calls": late - early <= endurance.GROWTH_BYTES,
    }
    told = {
        "calls": len(calls),
        "calls per second": round(len(calls) / given.seconds, 1),
        "acknowledged": len(tally.acknowledged),
        "kills": given.kills,
        "acknowledged before kills": len(acknowledged),
        "largest log, MB": round(largest / 1e6, 1),
        "first server, s": round(alone, 2),
        "one more server, s": round(sixth, 2),
        "killed in the store": deaths.kills,
        "acknowledged by those": deaths.acknowledged,
        "rows of two at once": rows_of_two,
        f"MB after {given.calls // 10:,} calls": round(early / 1e6, 1),
        f"MB after {given.calls:,}": round(late / 1e6, 1),
    }
    if given.json:
        print(
            json.dumps(
                {"figures": told, "rows": rows, "gates": gates, "errors": [*tally.errors, *deaths.errors][:20]},
                indent=1,
            )
        )
    else:
        print("| call | times | p50 ms | p95 ms |\n|---|---|---|---|")
        print("\n".join(f"| {what} | {count} | {p50:.0f} | {p95:.0f} |" for what, count, p50, p95 in rows))
        print("\n" + ", ".join(f"{name} {value}" for name, value in told.items()))
        print("\n".join(f"{'kept  ' if kept_ else 'BROKEN'}  {promise}" for promise, kept_ in gates.items()))
        print("\n".join(f"  {error}" for error in [*tally.errors, *errors_of_two, *deaths.errors][:20]))
    return 0 if all(gates.values()) else 1


def percentile(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


if __name__ == "__main__":
    sys.exit(main())

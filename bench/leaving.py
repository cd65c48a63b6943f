"""How soon a server is gone that is told to leave in the middle of its first index, and what it leaves behind.

Every way out: the end of input, a client that hangs up or stops reading, signals, the death of the parent. Linux only.
Used by lag_bench; nothing here imports anchormem.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

WAYS = (
    "end of input",
    "client hangs up",
    "client stops reading",
    "SIGTERM",
    "SIGINT",
    "SIGKILL",
    "death of the parent",
)
MOMENTS = (0.0, 1.0, 6.0)  # seconds after the first progress: it reads, its workers start, they parse
LONGEST = 30.0
PARENT = """
import subprocess, sys
command = [sys.executable, "-m", "anchormem", "serve", "--root", sys.argv[1]]
child = subprocess.Popen(command, stdin=0, stdout=1, stderr=open(sys.argv[2], "wb"))
print(child.pid, file=sys.stderr, flush=True)
child.wait()
"""


@dataclass(frozen=True)
class Left:
    """`seconds` until process and children were gone; `noise`: what they printed on standard error meanwhile."""

    way: str
    seconds: float
    noise: str
    sound: bool


def leave_every_way(root: Path, scratch: Path) -> Iterator[Left]:
    """One server for each way and moment, each with a data directory of its own."""
    for way in WAYS:
        for moment in MOMENTS:
            folder = scratch / "leaving"
            folder.mkdir()
            yield _left(root, folder, way, moment)
            shutil.rmtree(folder)


def _left(root: Path, folder: Path, way: str, moment: float) -> Left:
    errors, data = folder / "errors", folder / "data"
    environment = {**os.environ, "ANCHORMEM_DATA_DIR": str(data)}
    pipe = subprocess.PIPE
    orphan = way == "death of the parent"
    command = [sys.executable, "-m", "anchormem", "serve", "--root", str(root)]
    with errors.open("wb") as printed:
        process = subprocess.Popen(
            [sys.executable, "-c", PARENT, str(root), str(errors)] if orphan else command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe if orphan else printed,
            env=environment,
        )
    number = _grandchild(process) if orphan else process.pid
    _begin(process)
    time.sleep(moment)
    family = [number, *children_of(number)]
    began = time.monotonic()
    _tell(process, number, way)
    while any(map(alive, family)) and time.monotonic() - began < LONGEST:
        time.sleep(0.01)
    seconds = time.monotonic() - began
    for one in filter(alive, family):
        os.kill(one, signal.SIGKILL)
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        try:
            if stream:
                stream.close()
        except BrokenPipeError:
            continue
    return Left(way, seconds, errors.read_text("utf-8", "replace"), all(map(sound, data.glob("*/memory.db"))))


def _grandchild(parent: "subprocess.Popen[bytes]") -> int:
    assert parent.stderr
    return int(parent.stderr.readline())


def _begin(process: "subprocess.Popen[bytes]") -> None:
    """Shakes hands, asks for an index, and waits for its first progress."""
    assert process.stdin
    assert process.stdout
    client: dict[str, object] = {"name": "bench", "version": "1"}
    for message in (
        _request(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        _request(
            2,
            "tools/call",
            {"name": "admin", "arguments": {"op": "index"}, "_meta": {"progressToken": "t"}},
        ),
    ):
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    while b"progress" not in (line := process.stdout.readline()):
        assert line, "the server ended by itself"


def _request(number: int | str, method: str, params: dict[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _tell(process: "subprocess.Popen[bytes]", number: int, way: str) -> None:
    assert process.stdin
    assert process.stdout
    match way:
        case "end of input":
            process.stdin.close()
        case "client hangs up":
            process.stdout.close()
        case "client stops reading":
            for _ in range(16):
                process.stdin.write(json.dumps(_request("long " * 2000, "ping", {})).encode() + b"\n")
            process.stdin.close()
        case "death of the parent":
            process.kill()
        case _:
            os.kill(number, signal.Signals[way])


def alive(number: int) -> bool:
    """Whether this process runs; a zombie waiting to be collected does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(number: int) -> list[int]:
    """Every process below this one."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text("utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == number:
            found += [int(stat.parent.name), *children_of(int(stat.parent.name))]
    return found


def sound(store: Path) -> bool:
    with closing(sqlite3.connect(store)) as connection:
        return [str(row[0]) for row in connection.execute("PRAGMA quick_check")] == ["ok"]

"""What a cold `statusline`, `hook` and `serve` cost with 5,000 memories, beside a Python that does nothing.

    python bench/cold_bench.py [--runs N] [--json]

A scratch store of 5,000 memories on 1,000 files, 500 of them stale. Each command is a process of its own, started in
turn with `python -c pass`, so that a busy machine slows all of them alike. The least of N runs counts: what others take
from the machine is not ours. Gates: at most 100 ms and at most four times `python -c pass`; the hook after an edit of a
file with a memory, which opens the store and parses, at most 250 ms; a status line whose input is held open and never
written, which it waits for a moment, prints within 300 ms; `serve` answers `initialize` within the import of the SDK
and 150 ms. Exit 1 otherwise.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from anchormem.model import Anchor, Change, Fate, FateName, FileState, Memory, MemoryKind, Slot, Stat
from anchormem.store import fates, files, memories, repositories
from anchormem.store.db import Store, open_store
from anchormem.store.fates import FateRow
from anchormem.workspace.session import close, open_workspace

MEMORIES = 5_000
STALE = 500
FILES = 1_000
MOST_MS = 100.0
MOST_RATIO = 4.0
AFTER_EDIT = "hook PostToolUse"
HELD = "statusline, input held"
MOST_MS_OF = {AFTER_EDIT: 250.0, HELD: 300.0}  # what does more than look: no ratio is asked of it
SDK, SERVE, OVER_SDK = "import of the SDK", "serve, initialize", 150.0
CODE = (
    "def send(rows, size=50):\n    for start in range(0, len(rows), size):\n        yield rows[start : start + size]\n"
)
KINDS: tuple[MemoryKind, ...] = ("fact", "decision", "episode", "insight", "intent")


@dataclass(frozen=True, slots=True)
class Call:
    what: str
    words: tuple[str, ...]
    event: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds of a whole process: the least and the median of all runs, and the least over that of `pass`."""

    what: str
    least_ms: float
    median_ms: float
    ratio: float
    most_ms: float
    most_ratio: float = float("inf")

    @property
    def kept(self) -> bool:
        return self.least_ms <= self.most_ms and self.ratio <= self.most_ratio


def digest(seed: object) -> bytes:
    return blake2b(repr(seed).encode(), digest_size=16).digest()


def crowd(store: Store, root: Path, stale: int) -> None:
    """Memories with a long body each, an anchor each, and every anchored file on the disk as it was last seen."""
    paths = [f"src/part{number % 40}/file{number}.py" for number in range(FILES)]
    rows: list[FateRow] = []
    with store.writing():
        for number in range(MEMORIES):
            stored = memories.insert(store, memory(number, paths[number % FILES]))
            name: FateName = "stale" if number < stale else "fresh"
            reason = "body_edited" if name == "stale" else ""
            rows.append(FateRow(stored.anchors[0].id, 0, Fate(name, reason, change=Change(touches=number % 2 == 0))))
    with store.deriving():
        fates.put_many(store, rows)
        files.put_many(store, [seen(root, path) for path in paths])


def memory(number: int, path: str) -> Memory:
    slot = Slot(path, f"function_{number}")
    anchor = Anchor(slot=slot, aspect="body", epoch="bench", body=digest(number), slots=(slot,), tokens=40)
    body = f"Rule {number}: the queue of part {number % 40} takes at most {number} rows, since the gateway " * 4
    return Memory(
        id=f"m{number:09}",
        kind=KINDS[number % len(KINDS)],
        body=body,
        source="explicit",
        confidence=0.8,
        created_at=1_000 + number,
        updated_at=1_000 + number,
        anchors=(anchor,),
    )


def seen(root: Path, path: str) -> FileState:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"# {path}\n", "utf-8")
    found = file.lstat()
    stat = Stat(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return FileState(path, stat, found.st_mtime_ns + 10_000_000_000, digest(path), "python")


def prepare(data: Path, root: Path) -> None:
    where = repositories.locate(
        data, identity="bench", key="bench", root=str(root), checkout_key="bench", common_dir="", now=1
    )
    store = open_store(where.directory, where.checkout_key)
    crowd(store, root, STALE)
    store.close()


def prepare_edits(root: Path, environment: Mapping[str, str]) -> None:
    """A repository with one real memory among as many that are fresh."""
    root.mkdir()
    (root / "jobs.py").write_text(CODE, "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    words = ("remember", "a batch holds 50 rows", "--kind", "decision", "--anchor", "jobs.py::send")
    subprocess.run(
        [sys.executable, "-m", "anchormem", *words], cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    ws = open_workspace(root)
    crowd(ws.store, root, 0)
    close(ws)


def after_edit(root: Path, number: int, environment: dict[str, str]) -> float:
    """One edit that makes the memory stale, and its undoing, which is not timed."""
    file = root / "jobs.py"
    call = Call(AFTER_EDIT, ("-m", "anchormem", "hook"), edited("PostToolUse", file))
    file.write_text(CODE.replace("50", str(1_000 + number)), "utf-8")
    took = timed(call, environment)
    file.write_text(CODE, "utf-8")
    subprocess.run(
        [sys.executable, *call.words],
        input=json.dumps(call.event), env=environment, text=True, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return took


def edited(event: str, file: Path) -> Mapping[str, object]:
    return {"hook_event_name": event, "tool_input": {"file_path": str(file)}}


def calls(root: Path) -> tuple[Call, ...]:
    start = {"hook_event_name": "SessionStart", "cwd": str(root), "session_id": "bench", "source": "startup"}
    return (
        Call("python -c pass", ("-c", "pass")),
        Call(SDK, ("-c", "import mcp.server.lowlevel, mcp.types")),
        Call("statusline --root", ("-m", "anchormem", "statusline", "--root", str(root))),
        Call("statusline", ("-m", "anchormem", "statusline"), {"workspace": {"project_dir": str(root)}}),
        Call("hook SessionStart", ("-m", "anchormem", "hook"), start),
        Call("hook PreToolUse", ("-m", "anchormem", "hook"), edited("PreToolUse", root / "src/part0/file600.py")),
    )


def timed(call: Call, environment: dict[str, str]) -> float:
    event = json.dumps(call.event) if call.event else ""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *call.words], input=event, env=environment, capture_output=True, text=True, check=True
    )
    took = (time.perf_counter() - began) * 1000
    assert call.words[0] == "-c" or done.stdout, f"{call.what} said nothing"
    return took


def held(root: Path, environment: dict[str, str]) -> float:
    """Until the line is there, with an input that stays open and silent."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "anchormem", "statusline"],
        cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout
        assert child.stdout.readline(), f"{HELD} said nothing"
        took = (time.perf_counter() - began) * 1000
        assert child.wait(10) == 0
    return took


def initialized(root: Path, environment: dict[str, str]) -> float:
    """Until a server has answered the first request, which it does before it looks at anything."""
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "anchormem", "serve", "--root", str(root)],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdin
        assert child.stdout
        child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}) + "\n")
        child.stdin.flush()
        assert '"serverInfo"' in child.stdout.readline(), f"{SERVE} was not answered"
        took = (time.perf_counter() - began) * 1000
        child.stdin.close()
        assert child.wait(10) == 0
    return took


def measure(runs: int) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="anchormem-cold-") as scratch:
        data, root = Path(scratch).resolve() / "data", Path(scratch).resolve() / "project"
        root.mkdir()
        prepare(data, root)
        environment = {**os.environ, "ANCHORMEM_DATA_DIR": str(data), "CLAUDE_CONFIG_DIR": str(data)}
        environment.pop("CLAUDE_PROJECT_DIR", None)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed packages are compiled; a source tree is by a run
        os.environ["ANCHORMEM_DATA_DIR"] = str(data)
        prepare_edits(root.with_name("edits"), environment)
        took: dict[str, list[float]] = {}
        for number in range(runs + 1):  # the first of all fills the caches
            for call in calls(root):
                took.setdefault(call.what, []).append(timed(call, environment))
            took.setdefault(HELD, []).append(held(root, environment))
            took.setdefault(SERVE, []).append(initialized(root.with_name("edits"), environment))
            took.setdefault(AFTER_EDIT, []).append(after_edit(root.with_name("edits"), number, environment))
    counted = {what: all_of[1:] for what, all_of in took.items()}
    nothing, sdk = min(counted["python -c pass"]), min(counted[SDK])
    most = {**MOST_MS_OF, SERVE: sdk + OVER_SDK, SDK: float("inf")}
    return [
        Row(
            what,
            round(min(all_of), 1),
            round(statistics.median(all_of), 1),
            round(min(all_of) / nothing, 2),
            *((round(most[what], 1),) if what in most else (MOST_MS, MOST_RATIO)),
        )
        for what, all_of in counted.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    rows = measure(options.runs)
    if options.json:
        print(json.dumps([{name: getattr(row, name) for name in Row.__slots__} for row in rows]))
    else:
        print(f"{MEMORIES:,} memories, {STALE} stale, {FILES:,} files; {options.runs} runs")
        print(f"{'process':22} {'least ms':>9} {'median ms':>10} {'× pass':>7}")
        for row in rows:
            print(f"{row.what:22} {row.least_ms:9} {row.median_ms:10} {row.ratio:7}{'' if row.kept else '  too slow'}")
    return int(not all(row.kept for row in rows))


if __name__ == "__main__":
    sys.exit(main())

"""How many calls until the truth, and what a call costs, at 2,000, 10,000 and 50,000 files.

    python bench/lag_bench.py [--files N ...] [--sources DIR] [--json]

The server is driven through its pipes over generated repositories (bench/generated.py). `--sources`: a folder to index
from nothing, such as the installed sources of sympy. Times are of this machine and this run: compare rows of one run.
Gate: every bar of the table. Exit 1 otherwise.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import generated
import leaving
from generated import Made
from wire import Server

QUIET_CALLS = 60
MOVED_FILES = 200
SWITCHED_FILES = 5_000
DRAIN_SECONDS = 60  # far more than it takes; a sweep that never comes must not be waited for without end


@dataclass(frozen=True)
class Row:
    """`bar`: the most that is allowed; None where a row only informs."""

    files: int
    what: str
    value: float
    unit: str
    bar: float | None = None

    @property
    def kept(self) -> bool:
        return self.bar is None or self.value <= self.bar


class Bench:
    """One repository of one size, its server, and what was measured."""

    def __init__(self, root: Path, files: int, server: Server, anchored: list[Made]) -> None:
        self.root, self.files, self.server, self.anchored = root, files, server, anchored
        self.rng = random.Random(files)
        self.rows: list[Row] = []
        self.ids: dict[str, Made] = {}

    def add(self, what: str, value: float, unit: str, bar: float | None = None) -> None:
        self.rows.append(Row(self.files, what, value, unit, bar))
        print(line(self.rows[-1]), flush=True, file=sys.stderr)

    def fates(self, ids: Iterable[str]) -> dict[str, str]:
        return fates_of(self.server.call("admin", op="get", ids=list(ids)))

    def calls_until(self, expected: dict[str, str], *, most: int = 5) -> tuple[int, float]:
        """How many calls until every fate is as expected (`most` + 1: never), and the ms of the first call."""
        first = 0.0
        for call in range(1, most + 1):
            started = time.perf_counter()
            found = self.fates(expected)
            first = first or (time.perf_counter() - started) * 1000
            if found == expected:
                return call, first
            time.sleep(0.5)
        wrong = [
            (self.ids[i].path, self.ids[i].symbol, expected[i], found[i]) for i in expected if found[i] != expected[i]
        ]
        print("  wrong still:", *wrong[:5], sep="\n    ", file=sys.stderr)
        return most + 1, first

    def settle(self) -> None:
        """Lets the sweep after the last reply end, and two seconds pass: the next call looks at settled files."""
        time.sleep(2.1)
        self.server.call("admin", op="index")


def fates_of(data: object) -> dict[str, str]:
    assert isinstance(data, list)
    found = {}
    for memory in data:
        anchor = memory["anchors"][0]
        reason = anchor.get("reason", "")
        found[memory["id"]] = anchor["fate"] + (f":{reason}" if reason else "")
    return found


def milliseconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


# ── the rows ────────────────────────────────────────────────────────────────────────────────────────────────────────


def first_index(bench: Bench) -> None:
    seconds = milliseconds(lambda: bench.server.call("admin", op="index")) / 1000
    size = sum(path.stat().st_size for path in bench.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    bench.add("first index", seconds, "s")
    derived = [
        path for path in bench.server.data.rglob("*.db*") if path.name.startswith("facts.") or "checkouts" in path.parts
    ]
    stored = sum(path.stat().st_size for path in derived)
    bench.add("derived files per source byte indexed", stored / size, "×", 1.5)


def remember(bench: Bench) -> None:
    def store() -> None:
        for made in bench.anchored:
            anchor = f"{made.path}::{made.symbol}"
            body = generated.note(bench.rng, made)
            stored = bench.server.call("remember", kind="decision", body=body, anchors=[anchor], force=True)
            assert isinstance(stored, dict)
            bench.ids[stored["id"]] = made

    bench.add("remember", milliseconds(store) / len(bench.anchored), "ms each")


def quiet(bench: Bench) -> None:
    bench.settle()
    times = []
    for _ in range(QUIET_CALLS):
        asked = generated.question(bench.rng)
        times.append(milliseconds(lambda: bench.server.call("recall", task=asked)))  # noqa: B023 — called at once
    bench.add("quiet recall, p50", statistics.median(times), "ms", 10)
    bench.add("quiet recall, p95", statistics.quantiles(times, n=20)[-1], "ms")
    bench.add(
        "nothing changed, explicit index", milliseconds(lambda: bench.server.call("admin", op="index")) / 1000, "s", 0.5
    )


def edits(bench: Bench) -> None:
    """Batches of every kind of edit, each seen by the first call, each undone and well again by the next."""
    for batch in (1, 32, 100):
        chosen = bench.rng.sample(list(bench.ids), batch)
        for number, memory in enumerate(chosen):
            generated.rewrite(bench.root, bench.ids[memory], generated.EDITS[number % len(generated.EDITS)][1])
        expected = {i: "stale:body_edited" if i in set(chosen) else "fresh" for i in bench.ids}
        calls, first = bench.calls_until(expected)
        bench.add(f"{batch} edited: calls until seen", calls, "calls", 1)
        bench.add(f"{batch} edited: that call", first, "ms")
        restore(bench)
        bench.add(
            f"{batch} undone: calls until well", bench.calls_until(dict.fromkeys(bench.ids, "fresh"))[0], "calls", 1
        )
        bench.settle()


def large_files(bench: Bench) -> None:
    chosen = [memory for memory, made in bench.ids.items() if (bench.root / made.path).stat().st_size > 12_000][:100]
    if len(chosen) < 100:
        return
    for memory in chosen:
        generated.rewrite(bench.root, bench.ids[memory], generated.EDITS[0][1])
    asked = generated.question(bench.rng)
    bench.add(
        "recall after 100 files of 15 KB changed",
        milliseconds(lambda: bench.server.call("recall", task=asked)),
        "ms",
        600,
    )
    calls, _ = bench.calls_until(dict.fromkeys(chosen, "stale:body_edited"))
    bench.add("and what it knew: calls until seen", calls, "calls", 1)
    restore(bench)
    bench.settle()


def same_size(bench: Bench) -> None:
    """The same file three times within one second, as many bytes each time, its old time put back."""
    memory = bench.rng.choice(list(bench.ids))
    made = bench.ids[memory]
    path = bench.root / made.path
    before, old = path.read_text(), path.stat()
    other = before.replace(made.text, made.text.replace(" > ", " < ", 1), 1)
    calls = 0
    for text, fate in (
        (other, "stale:body_edited"),
        (before, "fresh"),
        (other, "stale:body_edited"),
        (before, "fresh"),
    ):
        path.write_text(text)
        os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
        calls = max(calls, bench.calls_until({memory: fate})[0])
    bench.add("same size, same second, old time: calls until seen", calls, "calls", 1)


def touched(bench: Bench) -> None:
    for made in bench.ids.values():
        (bench.root / made.path).touch()
    calls, first = bench.calls_until(dict.fromkeys(bench.ids, "fresh"))
    bench.add("200 touched, none changed: calls until well", calls, "calls", 1)
    bench.add("200 touched: that call", first, "ms")
    bench.settle()


def folder(bench: Bench) -> None:
    """A folder of 200 files moves: what was anchored in it follows."""
    (bench.root / "home").mkdir()
    inside = list(bench.ids)[: MOVED_FILES // 4]
    moved = {bench.ids[memory].path for memory in inside}
    plain = (
        path
        for path in sorted(bench.root.glob("area*/*/Module*"))
        if path.relative_to(bench.root).as_posix() not in moved
    )
    for path in [bench.root / one for one in moved] + [next(plain) for _ in range(MOVED_FILES - len(moved))]:
        path.rename(bench.root / "home" / path.name)
    generated.git(bench.root, "add", "-A")
    generated.git(bench.root, "commit", "-qm", "home")
    shutil.move(bench.root / "home", bench.root / "away")
    calls, first = bench.calls_until(dict.fromkeys(inside, "followed"))
    bench.add(f"folder of {MOVED_FILES} moved: calls until followed", calls, "calls", 1)
    bench.add("folder moved: that call", first, "ms")
    shutil.move(bench.root / "away", bench.root / "home")
    generated.git(bench.root, "reset", "-q", "--hard", "HEAD~1")
    bench.add("put back: calls until well", bench.calls_until(dict.fromkeys(bench.ids, "fresh"))[0], "calls", 1)
    bench.settle()


def branch(bench: Bench) -> None:
    """Another branch on which every function of up to 5,000 files is another one."""
    generated.git(bench.root, "checkout", "-qb", "other")
    there = {made.path for made in bench.ids.values()}
    paths = [bench.root / path for path in sorted(there)]
    paths += [
        path
        for path in sorted(bench.root.glob("area*/*/Module*"))
        if path.relative_to(bench.root).as_posix() not in there
    ]
    for path in paths[: min(SWITCHED_FILES, bench.files // 2)]:
        path.write_text(path.read_text().replace(" > ", " >= "))
    generated.git(bench.root, "commit", "-qam", "other")
    generated.git(bench.root, "checkout", "-q", "main")
    bench.settle()
    generated.git(bench.root, "checkout", "-q", "other")
    calls, first = bench.calls_until(dict.fromkeys(bench.ids, "stale:body_edited"))
    bench.add("branch switched: calls until seen", calls, "calls", 1)
    bench.add("branch switched: that call", first, "ms")
    generated.git(bench.root, "checkout", "-q", "main")
    calls, first = bench.calls_until(dict.fromkeys(bench.ids, "fresh"))
    bench.add("switched back: calls until well", calls, "calls", 1)
    bench.add("switched back: that call", first, "ms")
    bench.settle()


def drain(bench: Bench) -> None:
    """How long after a reply the background has seen 500 changed files that no anchor names, by the functions it counts
    once each of them has got one more. Nothing that asks for the count looks at those files itself.
    """
    there = {made.path for made in bench.ids.values()}
    paths = [
        path
        for path in sorted(bench.root.glob("area*/*/Module*.py"))
        if path.relative_to(bench.root).as_posix() not in there
    ][:500]
    wanted = symbols(bench) + len(paths)
    for path in paths:
        path.write_text(f"{path.read_text()}\n\ndef drained():\n    return 1\n")
    asked = generated.question(bench.rng)
    started = time.perf_counter()
    bench.server.call("recall", task=asked)
    bench.add(f"{len(paths)} unanchored files changed: the recall", (time.perf_counter() - started) * 1000, "ms")
    while symbols(bench) != wanted and time.perf_counter() - started < 2 * DRAIN_SECONDS:
        time.sleep(0.05)
    bench.add("and until the background has them all", time.perf_counter() - started, "s", DRAIN_SECONDS)
    restore(bench)
    bench.settle()


def symbols(bench: Bench) -> int:
    status = bench.server.call("admin", op="status")
    assert isinstance(status, dict)
    return int(status["symbols"])


def restore(bench: Bench) -> None:
    generated.git(bench.root, "checkout", "-q", "--", ".")


# ── starting, and sources of the world ──────────────────────────────────────────────────────────────────────────────


def starting(root: Path, data: Path) -> list[Row]:
    """`serve` until `initialize` is answered, beside a process that only imports the SDK. Least of five each."""
    serve, sdk = [], []
    for _ in range(5):
        command = [sys.executable, "-c", "import mcp.server.lowlevel, mcp.types"]
        sdk.append(milliseconds(lambda: subprocess.run(command, check=True)))  # noqa: B023 — called at once

        def start() -> None:
            with timed_server(root, data) as seconds:
                serve.append(seconds * 1000)

        start()
    return [
        Row(0, "import of the SDK", min(sdk), "ms"),
        Row(0, "serve: start to initialize answered", min(serve), "ms", min(sdk) + 150),
    ]


def leaving_while_indexing(root: Path, scratch: Path, files: int) -> list[Row]:
    """Every way to tell a server to leave, at several moments of its first index: the slowest of each way."""
    slowest: dict[str, float] = {}
    unsound = noisy = 0
    for one in leaving.leave_every_way(root, scratch):
        slowest[one.way] = max(slowest.get(one.way, 0.0), one.seconds)
        unsound += not one.sound
        noisy += bool(one.noise)
    rows = [Row(files, f"gone in the first index: {way}", seconds, "s", 2) for way, seconds in slowest.items()]
    rows.append(Row(files, "stores unsound afterwards", unsound, "", 0))
    rows.append(Row(files, "that complained on standard error", noisy, "", 0))
    for row in rows:
        print(line(row), flush=True, file=sys.stderr)
    return rows


@contextmanager
def timed_server(root: Path, data: Path) -> Iterator[float]:
    started = time.perf_counter()
    with Server(root, data):
        yield time.perf_counter() - started


def of_sources(tree: Path, scratch: Path) -> list[Row]:
    """A first index of real sources, with the peak memory of the process and its workers."""
    root = scratch / "sources"
    shutil.copytree(tree, root, ignore=shutil.ignore_patterns("__pycache__", ".git"))
    generated.git(root, "init", "-q")
    generated.git(root, "add", "-A")
    files = len(generated.git(root, "ls-files").splitlines())
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    command = [sys.executable, "-m", "anchormem", "index", "--root", str(root)]
    environment = {**os.environ, "ANCHORMEM_DATA_DIR": str(scratch / "sources-data")}
    seconds = (
        milliseconds(lambda: subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)) / 1000
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [
        Row(files, f"first index of {tree.name}, {size / 1e6:.0f} MB", seconds, "s", 12),
        Row(files, "its largest process, peak resident", peak, "MB", 400),
    ]


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def measure(scratch: Path, files: int, *, starts: bool) -> list[Row]:
    root = scratch / f"r{files}"
    root.mkdir()
    anchored = generated.build(root, files, seed=files)
    with Server(root, scratch / f"d{files}") as server:
        bench = Bench(root, files, server, anchored)
        for row in (first_index, remember, quiet, edits, large_files, same_size, touched, drain, folder, branch, quiet):
            row(bench)
    rows = bench.rows
    if starts:
        rows += starting(root, scratch / f"d{files}")
    if Path("/proc/self/stat").exists():
        rows += leaving_while_indexing(root, scratch, files)
    shutil.rmtree(root)
    return rows


SIZES = (2_000, 10_000, 50_000)


def growth(rows: list[Row]) -> list[Row]:
    """A quiet call at the largest size against one at the smallest."""
    quiet_rows = [row for row in rows if row.what == "quiet recall, p50"]
    small, large = min(quiet_rows, key=lambda row: row.files), max(quiet_rows, key=lambda row: row.files)
    if small.files == large.files:
        return []
    return [Row(large.files, f"quiet recall against {small.files:,} files", large.value / small.value, "×", 2)]


def line(row: Row) -> str:
    bar = "" if row.bar is None else f"{'≤' if row.kept else 'OVER'} {row.bar:g}"
    return f"| {row.files or '':>6} | {row.what} | {row.value:,.2f} {row.unit} | {bar} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--files", type=int, nargs="+", default=SIZES)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        if given.sources:
            rows += of_sources(given.sources, Path(scratch))
        for files in given.files:
            rows += measure(Path(scratch), files, starts=files == min(given.files))
    rows += growth(rows)
    if given.json:
        print(json.dumps([{**asdict(row), "kept": row.kept} for row in rows], indent=1))
    else:
        print("| files | what | measured | bar |\n|---|---|---|---|")
        print("\n".join(line(row) for row in rows))
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Five servers, commands, hooks and status lines on one store and one checkout at once, while files are edited; then
what a store and a server have to stand.

    python bench/load_bench.py [--seconds N] [--servers N] [--kills N] [--store-kills N] [--each N] [--calls N] [--json]

`--kills` servers are killed at random moments of their work, and `--store-kills` processes in the middle of storing,
indexing, migrating and exporting; every acknowledged memory is looked for. Two servers store `--each` memories at once,
as fast as they can, and one answers `--calls` calls after as many to warm up as fill what it keeps in mind.
Gate: the bars of the table. No error, nothing acknowledged lost or doubled, every store and export whole, no file left
for good, the write-ahead log bounded, nobody kept waiting longer than a wait for the store may take, and the server no
larger after all its calls. Exit 1 otherwise.
"""

import argparse
import json
import statistics
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import crowd
import endurance
import generated
from crowd import Tally

FILES = 400
KILLS = 20  # of servers; as many are killed in the suite, and ten times as many processes in the store itself
STORE_KILLS = 200
BUDGET_MS = 5_000  # what anybody may wait for the store
LEAST_A_SECOND = 1  # calls; a machine with much else to do still answers
LOG_MB = 17  # the journal size limit; the log of a store that nobody reads for long
LOG_MB_A_CALL = 0.1  # beside a reader that keeps an old snapshot, nothing can be taken out of the log
SIXTH_SECONDS, SIXTH_TIMES = 2.0, 2.0  # of the first answer of a server in a store of its own, whichever is more


@dataclass(frozen=True)
class Row:
    """`most`, `least`: what is allowed; None where a row only informs."""

    what: str
    value: float
    unit: str = ""
    most: float | None = None
    least: float | None = None
    part: str = ""

    @property
    def kept(self) -> bool:
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)


class Bench:
    """What was measured so far, and the errors behind it."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.root, self.data = scratch / "r", scratch / "d"
        self.root.mkdir()
        self.made = generated.build(self.root, FILES, anchored=100, large=0)
        self.rows: list[Row] = []
        self.errors: list[str] = []

    def do(self, part: str, action: Callable[[], None]) -> None:
        """One part of the bench; what breaks it off is a row, and the others are measured all the same."""
        try:
            action()
        except (Exception, SystemExit) as error:  # noqa: BLE001 — a product may be broken in any way
            self.add(part, Row("broke off", 1, "", 0), errors=["".join(traceback.format_exception(error))[-2000:]])

    def add(self, part: str, *rows: Row, errors: Sequence[str] = ()) -> None:
        of_part = [replace(row, part=part) for row in rows]
        self.rows += of_part
        self.errors += errors
        print("\n".join(map(line, of_part)), flush=True, file=sys.stderr)


# ── the rows ────────────────────────────────────────────────────────────────────────────────────────────────────────


def together(bench: Bench, servers: int, seconds: float) -> None:
    tally = crowd.together(bench.root, bench.data, bench.made, servers=servers, seconds=seconds)
    bench.add("at once", *times(tally))
    kept, known = crowd.kept(bench.data), {*tally.acknowledged, *tally.late}
    bench.add(
        "at once",
        Row(f"calls of {servers} servers", tally.calls, "", least=1),
        Row("of them a second", tally.calls / tally.seconds, "", least=LEAST_A_SECOND),
        Row("errors", len(tally.errors), "", 0),
        Row("memories acknowledged", len(tally.acknowledged), "", least=1),
        Row("of them lost", len(known - kept.keys()), "", 0),
        Row("stored and not acknowledged", len(kept.keys() - known), "", 0),
        Row(
            "largest log beside a long reader, a call",
            tally.log / 1e6 / max(1, tally.calls),
            "MB",
            LOG_MB_A_CALL,
        ),
        Row("largest log after it", tally.log_afterwards / 1e6, "MB", LOG_MB),
        Row(
            "one more server: its first answer",
            tally.sixth,
            "s",
            max(SIXTH_SECONDS, SIXTH_TIMES * tally.first),
        ),
        errors=tally.errors,
    )


def times(tally: Tally) -> list[Row]:
    """What starts processes, a command or `affected` with its questions to git, takes what the machine leaves it."""
    found = []
    for what, taken in sorted(tally.times.items()):
        found.append(Row(f"{what}, {len(taken)} times: p50", statistics.median(taken), "ms"))
        bar = None if what.startswith("command") or what == "affected" else BUDGET_MS
        found.append(Row(f"{what}: p95", percentile(taken), "ms", bar))
    return found


def killed(bench: Bench, times: int) -> None:
    before = len(crowd.kept(bench.data))
    dead = crowd.killed(bench.root, bench.data, bench.made, times)
    kept, known = crowd.kept(bench.data), {*dead.acknowledged, *dead.last}
    code, said = crowd.run(["check", "--root", str(bench.root)], bench.root, bench.data)
    bench.add(
        "servers killed",
        Row(f"memories that {times} acknowledged", len(dead.acknowledged), "", least=1),
        Row("of them lost", len(known - kept.keys()), "", 0),
        Row("stored more than one each unacknowledged", max(0, len(kept) - before - len(known) - times), "", 0),
        Row("memories stored twice", len(kept) - len(set(kept.values())), "", 0),
        Row("files left for good", len(dead.left), "", 0),
        Row("errors", len(dead.errors), "", 0),
        Row("a command afterwards: exit code", code, "", 0),
        errors=[*dead.errors, *dead.left, *([said] if code else [])],
    )


def killed_in_the_store(bench: Bench, times: int) -> None:
    seen = endurance.killed_in_the_store(bench.scratch, times)
    bench.add(
        "killed in the store",
        Row("processes", seen.kills),
        Row("memories they acknowledged", seen.acknowledged, "", least=1),
        Row("of them lost", seen.lost, "", 0),
        Row("memories stored twice", seen.doubled, "", 0),
        Row("stores unsound after a death", seen.unsound, "", 0),
        Row("exports torn after a death", seen.torn_exports, "", 0),
        Row("files left for good", len(seen.left), "", 0),
        Row("errors", len(seen.errors), "", 0),
        errors=[*seen.errors, *seen.left],
    )


def two_at_once(bench: Bench, each: int) -> None:
    pair = endurance.two_at_once(bench.root, bench.scratch / "two", bench.made[0].path, each)
    bench.add(
        "two that store",
        Row(f"rows of 2 × {each}", pair.rows, "", 2 * each, 2 * each),
        Row("different ones", pair.bodies, "", 2 * each, 2 * each),
        Row("errors", len(pair.errors), "", 0),
        Row("largest log", pair.log / 1e6, "MB", LOG_MB),
        errors=pair.errors,
    )


def resident(bench: Bench, calls: int) -> None:
    before, after = endurance.resident_over_calls(bench.root, bench.scratch / "many", bench.made, calls)
    bench.add(
        "memory",
        Row("a server after its warm-up", before / 1e6, "MB"),
        Row(f"after {calls:,} calls more", after / 1e6, "MB"),
        Row("grown by", (after - before) / 1e6, "MB", endurance.GROWTH_BYTES / 1e6),
    )


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def line(row: Row) -> str:
    bars = [f"≥ {row.least:g}"] if row.least is not None else []
    bars += [f"≤ {row.most:g}"] if row.most is not None else []
    verdict = " and ".join(bars) if row.kept else f"BROKEN: {' and '.join(bars)}"
    return f"| {row.part} | {row.what} | {row.value:,.4g} {row.unit} | {verdict} |"


def percentile(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--servers", type=int, default=5)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--store-kills", type=int, default=STORE_KILLS)
    parser.add_argument("--each", type=int, default=endurance.EACH)
    parser.add_argument("--calls", type=int, default=endurance.CALLS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="anchormem-load-") as scratch:
        bench = Bench(Path(scratch).resolve())
        parts: dict[str, tuple[int, Callable[[], None]]] = {
            "at once": (given.servers, lambda: together(bench, given.servers, given.seconds)),
            "servers killed": (given.kills, lambda: killed(bench, given.kills)),
            "killed in the store": (given.store_kills, lambda: killed_in_the_store(bench, given.store_kills)),
            "two that store": (given.each, lambda: two_at_once(bench, given.each)),
            "memory": (given.calls, lambda: resident(bench, given.calls)),
        }
        for part, (wanted, action) in parts.items():
            if wanted:
                bench.do(part, action)
    if given.json:
        rows = [{**asdict(row), "kept": row.kept} for row in bench.rows]
        print(json.dumps({"rows": rows, "errors": bench.errors[:20]}, indent=1))
    else:
        print("| part | what | measured | gate |", "|---|---|---|---|", *map(line, bench.rows), sep="\n")
        print("\n".join(f"  {error}" for error in bench.errors[:20]))
    return 0 if all(row.kept for row in bench.rows) else 1


if __name__ == "__main__":
    sys.exit(main())

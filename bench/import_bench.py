"""What an import costs a line, also of a file that somebody made to hurt, beside the least that any store does.

    python bench/import_bench.py [--lines N] [--json]

A repository of 100 files; exports of memories with two anchors each, to a function and to its file, taken in by stores
that have never seen them. Of the hostile file, eight lines of ten are wrong, each in another way: git's marks, cut off,
an id twice, a forged proof, a secret, a date in the future, an unknown kind, a path outside. "Least" is the same file
through `json.loads` into one table and a full-text index. CPU time counts: what others take from the machine is not
ours. Gates: a line of the whole file costs at most 1.5 times one of a fifth of it, and at most 100 times the least; a
hostile one no more than 1.5 times a good one; what is there already at most a third of the first time; the hostile file
is counted to the line, and the store beside it is as it was. Exit 1 otherwise.
"""

import argparse
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import generated
from generated import Made
from scale_bench import of_file, of_symbol, symbols

from anchormem.model import Evidence, JsonObject, Memory
from anchormem.store import listing
from anchormem.workspace import exported, ids
from anchormem.workspace.session import Workspace, close, open_workspace
from anchormem.workspace.sweep import sweep
from anchormem.workspace.transfer import import_shared

LINES = 5_000
FILES = 100
DAY = 86_400_000
GROWTH, LEAST, HOSTILE, AGAIN = 1.5, 100, 1.5, 0.34
TOKEN = "ghp_" + "a8Kd93jQz7Lm2Xc5Vb6Nw4Rt1Yp0Us8He3Fg"  # made up; a scanner of secrets may find its parts here


@dataclass(frozen=True)
class Row:
    what: str
    value: float
    unit: str
    bar: float | None = None

    @property
    def kept(self) -> bool:
        return self.bar is None or self.value <= self.bar


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A hostile file, and what has to be said of it."""

    lines: tuple[str, ...]
    new: int
    refused: int
    clashes: int


def good(ws: Workspace, count: int) -> list[Memory]:
    """Memories as another machine would have written them yesterday."""
    rng, places, at = random.Random(count), symbols(ws), ws.now() - DAY
    made = []
    for number in range(count):
        path, symbol = places[rng.randrange(len(places))]
        body = f"{generated.note(rng, Made(path, symbol.qualified, ''))}, item {number}"
        anchors = (of_symbol(ws, path, symbol), of_file(ws, path))
        made.append(Memory(ids.derived(f"line {number}"), "decision", body, "explicit", 0.8, at, at, anchors=anchors))
    return made


def spoiled(memories: Sequence[Memory], now: int) -> Spoiled:
    """Of every ten lines: two as they were, and eight that are wrong, each in its own way."""
    proof = Evidence("rm -rf /", "ok", b"\1" * 16, 0, now, approved=True)
    lines: list[str] = []
    for start in range(0, len(memories) - 9, 10):
        ten = memories[start : start + 10]
        whole = [exported.line(memory) for memory in ten]
        said: list[JsonObject] = [json.loads(text) for text in whole]
        outside = {"slot": ["../../etc/passwd", "f", ""], "aspect": "body", "body": "00" * 16}
        lines += [
            whole[0],
            "<<<<<<< HEAD",
            whole[2][: len(whole[2]) // 2],
            json.dumps({**said[0], "created_at": 5, "updated_at": 6, "body": "another body"}),
            exported.line(replace(ten[4], source="verified", confidence=0.95, evidence=proof)),
            json.dumps({**said[5], "body": f"the token is {TOKEN}"}),
            json.dumps({**said[6], "updated_at": now + 400 * DAY}),
            json.dumps({**said[7], "kind": "rumour"}),
            json.dumps({**said[8], "anchors": [outside]}),
            whole[9],
        ]
    tens = len(lines) // 10
    return Spoiled(tuple(lines), new=4 * tens, refused=5 * tens, clashes=tens)


# ── measuring ───────────────────────────────────────────────────────────────────────────────────────────────────────


def taken_in(root: Path, data: Path, lines: Sequence[str]) -> tuple[float, JsonObject]:
    """CPU seconds of an import, and what it says."""
    os.environ["ANCHORMEM_DATA_DIR"] = str(data)
    (root / exported.PATH).unlink(missing_ok=True)
    ws = open_workspace(root)
    (root / exported.PATH).parent.mkdir(exist_ok=True)
    (root / exported.PATH).write_bytes(exported.whole(lines))
    began = time.process_time()
    told = import_shared(ws, {}).data
    took = time.process_time() - began
    close(ws)
    assert isinstance(told, dict)
    return took, told


def least(place: Path, lines: Sequence[str]) -> float:
    """CPU seconds of reading the lines into one table and a full-text index, and nothing else."""
    data = exported.whole(lines)
    began = time.process_time()
    with sqlite3.connect(place) as connection:
        connection.execute("CREATE TABLE memories (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, body TEXT, line TEXT)")
        connection.execute("CREATE VIRTUAL TABLE search USING fts5(body)")
        for raw in data.splitlines()[1:]:
            said = json.loads(raw)
            connection.execute(
                "INSERT INTO memories (id, body, line) VALUES (?, ?, ?)", (said["id"], said["body"], raw.decode())
            )
            connection.execute("INSERT INTO search (body) VALUES (?)", (said["body"],))
    connection.close()
    return time.process_time() - began


def everything(root: Path, data: Path) -> set[str]:
    os.environ["ANCHORMEM_DATA_DIR"] = str(data)
    ws = open_workspace(root)
    try:
        return {exported.line(one) for one in listing.everything(ws.store)}
    finally:
        close(ws)


def measure(scratch: Path, count: int) -> list[Row]:
    root = scratch / "root"
    root.mkdir()
    os.environ["ANCHORMEM_DATA_DIR"] = str(scratch / "author")
    generated.build(root, FILES, anchored=FILES, large=10)
    ws = open_workspace(root)
    sweep(ws)
    memories, now = good(ws, count), ws.now()
    close(ws)
    lines = [exported.line(memory) for memory in memories]
    taken_in(root, scratch / "warm", lines[:100])
    fifth, _ = taken_in(root, scratch / "fifth", lines[: count // 5])
    whole, _ = taken_in(root, scratch / "whole", lines)
    again, _ = taken_in(root, scratch / "whole", lines)
    before = everything(root, scratch / "fifth")
    bad = spoiled([replace(one, id=ids.derived(f"bad {one.id}")) for one in memories], now)
    hostile, told = taken_in(root, scratch / "fifth", bad.lines)
    wrong = sum(
        told.get(name) != wanted for name, wanted in (("new", bad.new), ("refused", bad.refused), ("changed", 0))
    )
    harmed = len(before - everything(root, scratch / "fifth"))
    bare = least(scratch / "least.db", lines)
    return [
        Row(f"{count // 5:,} lines", fifth, "s"),
        Row(f"{count:,} lines", whole, "s"),
        Row("a line of many against one of few", whole / fifth / 5, "×", GROWTH),
        Row("against the least", whole / bare, "×", LEAST),
        Row("again, against the first time", again / whole, "×", AGAIN),
        Row(f"{count:,} hostile lines", hostile, "s"),
        Row("a hostile line against a good one", hostile / whole, "×", HOSTILE),
        Row("hostile lines: wrong counts", wrong, "", 0),
        Row("memories that were there before: harmed", harmed, "", 0),
    ]


def line(row: Row) -> str:
    bar = "" if row.bar is None else f"{'≤' if row.kept else 'OVER'} {row.bar:g}"
    return f"| {row.what} | {row.value:,.2f} {row.unit} | {bar} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="anchormem-import-") as scratch:
        rows = measure(Path(scratch).resolve(), given.lines)
    if given.json:
        print(json.dumps([{**asdict(row), "kept": row.kept} for row in rows], indent=1))
    else:
        print("| what | measured | gate |", "|---|---|---|", *map(line, rows), sep="\n")
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

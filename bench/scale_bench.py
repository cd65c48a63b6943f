"""How recall, remember and resolving grow from a hundred memories to a hundred thousand.

    python bench/scale_bench.py [--memories N ...] [--json]

The stores are filled through anchormem's own store (a hundred thousand calls of `remember` would take a day); what is
measured goes through the server. Every memory has two anchors, to a function and to its file.
Gate: with 5,000 memories and 10,000 anchors the p95 of a recall is at most 50 ms; a recall over a hundred thousand
costs at most thirty times one over a thousand; an edit shows in the first call at any size.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import generated
from generated import Made
from wire import Server

from anchormem.model import Anchor, Memory, Slot, Symbol
from anchormem.store import facts, files, memories
from anchormem.workspace import ids
from anchormem.workspace.session import Workspace, close, open_workspace
from anchormem.workspace.sweep import sweep

SIZES = (100, 1_000, 5_000, 20_000, 100_000)
FILES = 2_000
RECALLS, REMEMBERS, EDITS = 60, 10, 10
GROWTH = 30


@dataclass(frozen=True)
class Row:
    memories: int
    what: str
    value: float
    unit: str
    bar: float | None = None

    @property
    def kept(self) -> bool:
        return self.bar is None or self.value <= self.bar


def fill(root: Path, count: int) -> None:
    """Memories as `remember` would have written them, in one transaction."""
    ws = open_workspace(root)
    sweep(ws)
    rng = random.Random(count)
    places = symbols(ws)
    now = ws.now()
    with ws.store.writing():
        for number in range(count):
            path, symbol = places[rng.randrange(len(places))]
            one = Made(path, symbol.qualified, "")
            memories.insert(
                ws.store,
                Memory(
                    id=ids.new_id(),
                    kind="decision",
                    body=f"{generated.note(rng, one)}, item {number} of {rng.randrange(10**6)}",
                    source="explicit",
                    confidence=0.8,
                    created_at=now - rng.randrange(10**10),
                    updated_at=now,
                    anchors=(of_symbol(ws, path, symbol), of_file(ws, path)),
                ),
            )
    sweep(ws)
    close(ws)


def symbols(ws: Workspace) -> list[tuple[str, Symbol]]:
    found = []
    for path, state in files.every(ws.store).items():
        if state.content is None or state.language is None:
            continue
        known = facts.get_many(ws.store, {(state.content, state.language)}, symbols_only=True)
        found += [(path, symbol) for fact in known.values() for symbol in fact.symbols]
    return sorted(found, key=lambda pair: (pair[0], pair[1].start_byte))


def of_symbol(ws: Workspace, path: str, symbol: Symbol) -> Anchor:
    slot = Slot(path, symbol.qualified, symbol.disambiguator)
    state = files.get(ws.store, [path])[path]
    assert state.content is not None
    [fact] = facts.get_many(ws.store, {(state.content, state.language or "")}, symbols_only=True).values()
    return Anchor(
        slot=slot,
        aspect="body",
        epoch=fact.epoch,
        body=symbol.body,
        signature=symbol.signature,
        doc=symbol.doc,
        raw=symbol.raw,
        tokens=symbol.tokens,
        kind=symbol.kind,
        slots=(slot,),
    )


def of_file(ws: Workspace, path: str) -> Anchor:
    state = files.get(ws.store, [path])[path]
    slot = Slot(path)
    return Anchor(slot=slot, aspect="file", epoch="", body=state.content, tokens=1_000, kind="file", slots=(slot,))


def measure(scratch: Path, count: int) -> list[Row]:
    root, data = scratch / f"r{count}", scratch / f"d{count}"
    root.mkdir()
    os.environ["ANCHORMEM_DATA_DIR"] = str(data)
    made = generated.build(root, FILES, anchored=FILES, large=0)
    fill(root, count)
    time.sleep(2.1)  # files younger than that are read again by each call
    rng = random.Random(count + 1)
    rows: list[Row] = []
    with Server(root, data) as server:
        server.call("recall", task="warm")
        times = [timed(server, "recall", task=generated.question(rng)) for _ in range(RECALLS)]
        rows.append(Row(count, "recall, p50", statistics.median(times), "ms"))
        bar = 50 if count == 5_000 else None
        rows.append(Row(count, "recall, p95", statistics.quantiles(times, n=20)[-1], "ms", bar))
        stored = [
            timed(
                server,
                "remember",
                kind="fact",
                body=f"{generated.note(rng, one)} seen {rng.random()}",
                anchors=[f"{one.path}::{one.symbol}"],
                force=True,
            )
            for one in rng.sample(made, REMEMBERS)
        ]
        rows.append(Row(count, "remember, p50", statistics.median(stored), "ms"))
        rows += edits(server, root, rng, made, count)
    size = sum(path.stat().st_size for path in data.rglob("memory.db"))
    rows.append(Row(count, "memory.db per memory", size / (count + REMEMBERS), "bytes"))
    return rows


def edits(server: Server, root: Path, rng: random.Random, made: list[Made], count: int) -> list[Row]:
    """New memories on functions that are then edited: seen by the first call, whatever else the store holds."""
    chosen = rng.sample(made, EDITS)
    found: dict[str, Made] = {}
    for one in chosen:
        stored = server.call(
            "remember", kind="fact", body=f"edited {rng.random()}", anchors=[f"{one.path}::{one.symbol}"], force=True
        )
        assert isinstance(stored, dict)
        found[stored["id"]] = one
    for one in chosen:
        generated.rewrite(root, one, generated.EDITS[0][1])
    started = time.perf_counter()
    data = server.call("admin", op="get", ids=list(found))
    took = (time.perf_counter() - started) * 1000
    assert isinstance(data, list)
    seen = sum(1 for memory in data if memory["anchors"][0]["fate"] == "stale")
    return [
        Row(count, f"{EDITS} functions edited: not seen by the first call", EDITS - seen, "of them", 0),
        Row(count, "that call", took, "ms"),
    ]


def timed(server: Server, tool: str, **arguments: object) -> float:
    started = time.perf_counter()
    server.call(tool, **arguments)
    return (time.perf_counter() - started) * 1000


def growth(rows: list[Row]) -> list[Row]:
    p50 = {row.memories: row.value for row in rows if row.what == "recall, p50"}
    if 1_000 not in p50 or max(p50) <= 1_000:
        return []
    most = max(p50)
    return [Row(most, "recall against 1,000 memories", p50[most] / p50[1_000], "×", GROWTH)]


def line(row: Row) -> str:
    bar = "" if row.bar is None else f"{'≤' if row.kept else 'OVER'} {row.bar:g}"
    return f"| {row.memories:>7,} | {row.what} | {row.value:,.1f} {row.unit} | {bar} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--memories", type=int, nargs="+", default=SIZES)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        for count in given.memories:
            rows += measure(Path(scratch), count)
    rows += growth(rows)
    if given.json:
        print(json.dumps([{**asdict(row), "kept": row.kept} for row in rows], indent=1))
    else:
        print("| memories | what | measured | bar |\n|---|---|---|---|")
        print("\n".join(line(row) for row in rows))
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""What a question costs in tokens: asked of the server, or answered by searching and reading files.

    python bench/token_savings.py [--json]

A service of nine files in three languages, twelve memories of one sentence on functions of it, and ten questions that
an agent asks again in every session; the answers to eight of them stand in no file. Both sides are bytes / 4, rounded
up. The server is charged with every byte that it writes to its pipe for a question. Reading is charged with 300 tokens
of searching and each file that the returned items are anchored in, once a question. The right memory must be in the
reply. Lineage questions go through `map`; reading is charged with the files that hold the callers and heirs it names.
Gates: 8 times fewer for recall, 5 times for lineage. Exit 1 below a gate.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from wire import Server

HERE = Path(__file__).parent / "savings"
SEARCHING = 300  # tokens: two or three searches and what they list
RECALL_GATE, LINEAGE_GATE = 8.0, 5.0
FILES, LANGUAGES, LINES = 9, 3, range(60, 181)


@dataclass(frozen=True, slots=True)
class Cost:
    """`right`: what was asked for is in the reply. Costs in tokens."""

    tool: str
    ask: str
    served: int
    reading: int
    right: bool

    @property
    def times(self) -> float:
        return self.reading / self.served


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="token-savings-"))
    try:
        costs = measured(work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    recall = [cost for cost in costs if cost.tool == "recall"]
    lineage = [cost for cost in costs if cost.tool == "map"]
    gates = {
        f"recall at least {RECALL_GATE:.0f} times cheaper": (times(recall), times(recall) >= RECALL_GATE),
        f"lineage at least {LINEAGE_GATE:.0f} times cheaper": (times(lineage), times(lineage) >= LINEAGE_GATE),
        "the right answer in every reply": (sum(cost.right for cost in costs), all(cost.right for cost in costs)),
    }
    print(as_json(costs, gates) if given.json else as_text(recall, lineage, gates))
    return 0 if all(kept for _, kept in gates.values()) else 1


def measured(work: Path) -> list[Cost]:
    root = work / "service"
    shutil.copytree(HERE / "service", root)
    check_service(root)
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "service"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    with Server(root, work / "data") as server:
        server.call("admin", op="index")
        names = {note["id"]: remembered(server, note) for note in rows("memories")}
    with Server(root, work / "data") as server:  # a new session, as agents have them
        asked = [recall(server, root, row, names) for row in rows("questions")]
        return asked + [lineage_of(server, root, row) for row in rows("lineage")]


def check_service(root: Path) -> None:
    """The service is what the docstring says it is."""
    files = [path for path in root.rglob("*") if path.is_file()]
    assert len(files) == FILES
    assert len({path.suffix for path in files}) >= LANGUAGES
    assert all(len(path.read_text().splitlines()) in LINES for path in files)


def remembered(server: Server, note: Mapping[str, str]) -> str:
    made = server.call("remember", kind=note["kind"], body=note["body"], anchors=[note["at"]])
    assert isinstance(made, dict)
    return str(made["id"])


def recall(server: Server, root: Path, row: Mapping[str, str], names: Mapping[str, str]) -> Cost:
    items = server.call("recall", task=row["ask"])
    assert isinstance(items, list)
    paths = {anchor.split("::")[0] for item in items for anchor in item.get("anchors", ())}
    right = names[row["wants"]] in {item["id"] for item in items}
    return Cost("recall", row["ask"], written(server), SEARCHING + read(root, paths), right)


def lineage_of(server: Server, root: Path, row: Mapping[str, str]) -> Cost:
    found = server.call("map", target=row["target"])
    assert isinstance(found, dict)
    places = [row["target"], *(str(one["at"]) for each in found.get("lineage", {}).values() for one in each)]
    right = all(any(place.endswith(wanted) for place in places) for wanted in row["wants"])
    paths = {place.split("::")[0] for place in places if "::" in place}  # a base from outside has no file here
    return Cost("map", row["ask"], written(server), SEARCHING + read(root, paths), right)


def written(server: Server) -> int:
    """Tokens of the line that the server wrote last, its end included."""
    return tokens(len(server.last_reply))


def read(root: Path, paths: Iterable[str]) -> int:
    return sum(tokens((root / path).stat().st_size) for path in paths)


def tokens(size: int) -> int:
    return -(-size // 4)


def rows(name: str) -> Iterator[dict[str, str]]:
    return map(json.loads, (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())


def times(costs: Sequence[Cost]) -> float:
    """How much cheaper the replies are in sum."""
    return sum(cost.reading for cost in costs) / sum(cost.served for cost in costs)


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def as_json(costs: Iterable[Cost], gates: Mapping[str, tuple[float, bool]]) -> str:
    told = [{"promise": promise, "value": value, "kept": kept} for promise, (value, kept) in gates.items()]
    return json.dumps({"costs": [asdict(cost) for cost in costs], "gates": told}, indent=1)


def as_text(recall: Sequence[Cost], lineage: Sequence[Cost], gates: Mapping[str, tuple[float, bool]]) -> str:
    lines = ["| question | tool | served | reading files | times cheaper | right |", "|---|---|---|---|---|---|"]
    for costs in (recall, lineage):
        lines += [line(cost.ask, cost.tool, cost.served, cost.reading, right=cost.right) for cost in costs]
        served, reading = sum(cost.served for cost in costs), sum(cost.reading for cost in costs)
        lines.append(line("all", costs[0].tool, served, reading, right=all(cost.right for cost in costs)))
    lines += [""] + [f"{'ok' if kept else 'BELOW'}: {name} ({value:.1f})" for name, (value, kept) in gates.items()]
    return "\n".join(lines)


def line(ask: str, tool: str, served: int, reading: int, *, right: bool) -> str:
    return f"| {ask} | {tool} | {served:,} | {reading:,} | {reading / served:.1f} | {'yes' if right else 'NO'} |"


if __name__ == "__main__":
    sys.exit(main())

"""The receipt of recalls: exact, apart by session where a server asks, and never the reason that a call fails."""

from collections.abc import Callable
from pathlib import Path

from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import compact
from anchormem.workspace.receipt import SEARCH_TOKENS
from anchormem.workspace.session import settle
from anchormem.workspace.stats import stats
from workspace.answers.desk import Desk, part, record, records

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
MAIN = {"file": "lib/use.py", "symbol": "main"}
FIGURES = ("recalls", "questions", "served_tokens", "saved_tokens", "reads_avoided")


def tokens(size: int) -> int:
    return -(-size // 4)


def served(reply: Reply) -> int:
    return tokens(len(compact({"data": reply.data, "meta": reply.meta}).encode()))


def figures(told: JsonObject) -> tuple[object, ...]:
    return tuple(told[name] for name in FIGURES)


def ledger(desk: Desk) -> JsonObject:
    return record(desk.admin("ledger"))


def test_each_file_is_counted_once_and_only_what_holds_spares_a_reading(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.know("paths reach seed in batches", BATCH)
    desk.know("main gives its paths to seed", MAIN)
    desk.know("seed paths are counted on Thursdays")
    desk.edit("lib/use.py", "return queue.seed(paths)", "return list(queue.seed(paths))")
    reply = desk.recall("seed paths")
    assert len(records(reply)) == 4
    files = sum(tokens((desk.root / name).stat().st_size) for name in ("lib/queue.py", "lib/use.py"))
    saved = SEARCH_TOKENS + files - served(reply)
    assert figures(part(ledger(desk), "all_time")) == (1, 1, served(reply), saved, 1)  # main's file has to be read


def test_sums_are_exact_sessions_apart_and_outside_a_server_there_is_all_time_only(
    desk: Desk, open_desk: Callable[[Path], Desk]
) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    other, bare = open_desk(desk.root), open_desk(desk.root)
    other.ws.session, bare.ws.session = "session-two", ""
    file = tokens((desk.root / "lib/queue.py").stat().st_size)
    ours, theirs = [desk.recall("seed paths")], [other.recall("seed paths"), other.recall("nothing of the kind")]
    settle(other.ws)
    costs = [sum(map(served, replies)) for replies in (ours, theirs)]
    one, two = (
        (1, 1, costs[0], SEARCH_TOKENS + file - costs[0], 1),
        (2, 2, costs[1], SEARCH_TOKENS + file - costs[1], 1),
    )
    total = (3, 2, sum(costs), 2 * (SEARCH_TOKENS + file) - sum(costs), 2)
    assert figures(part(ledger(desk), "session")) == one
    assert figures(part(ledger(other), "session")) == two
    told = record(stats(desk.ws, {}))
    assert figures(told) == figures(part(ledger(bare), "all_time")) == total
    assert "session" not in told
    assert "session" not in ledger(bare)


def test_what_costs_more_than_it_saves_is_shown_so(desk: Desk) -> None:
    desk.recall("nothing is known of this")
    told = record(stats(desk.ws, {}))
    assert told["saved_tokens"] == -int(str(told["served_tokens"])) < 0
    assert told["ratio"] == 0.0


def test_no_receipt_is_the_reason_that_a_recall_fails(desk: Desk) -> None:
    known = desk.know("seed takes at most 200 paths", SEED)
    for session in ("s" * 100_000, "a\0b", "broken \udcff\ud800"):
        desk.ws.session = session
        assert [item["id"] for item in desk.found("seed paths")] == [known]
        assert part(ledger(desk), "session")["recalls"] == 1
    with desk.ws.store.writing():
        desk.ws.store.run("DROP TABLE main.ledger")
    assert [item["id"] for item in desk.found("seed paths \udcff")] == [known]
    settle(desk.ws)
    assert [item["id"] for item in desk.found("seed paths")] == [known]

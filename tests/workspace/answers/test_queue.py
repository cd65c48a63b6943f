"""The verify queue: order, proofs, ways out."""

from anchormem.reason.envelope import compact
from anchormem.workspace.verify import queue
from workspace.answers.desk import Desk, part

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
RUN = {"file": "lib/queue.py", "symbol": "Base.run"}
PROOF = {"command": "pytest -q tests/test_queue.py", "output": "3 passed"}


def test_a_quiet_store_has_nothing_to_decide(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    assert desk.queue() == []


def test_what_touches_its_words_comes_first_then_what_has_a_proof(desk: Desk) -> None:
    plain = desk.know("run leaves some paths out", RUN)
    proved = desk.know("batch cuts slices", BATCH, evidence=PROOF)
    touched = desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.edit("lib/queue.py", "total = len(chosen)", "total = len(chosen) + 0")
    desk.edit("lib/queue.py", "path.exists()", "path.is_file()")
    assert [item["id"] for item in desk.queue()] == [touched, proved, plain]


def test_a_stale_verified_memory_shows_its_command_date_diff_and_ways(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED, evidence=PROOF)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    (item,) = desk.queue()
    assert item["command"] == "pytest -q tests/test_queue.py"
    assert len(str(item["proved"])) == 10
    assert "+def seed(self, paths, limit=500):" in compact(item["changes"])
    assert item["ways"] == ["reverify", "confirm", "update", "supersede", "forget"]


def test_what_is_nowhere_can_only_be_anchored_anew_or_changed(desk: Desk) -> None:
    desk.know("run leaves some paths out", RUN, evidence=PROOF)
    text = (desk.root / "lib/queue.py").read_text()
    start, end = text.index("class Base"), text.index("class ScanQueue")
    desk.write("lib/queue.py", (text[:start] + text[end:]).replace("(Base)", ""))
    desk.commit()
    (item,) = desk.queue()
    assert item["status"] == "invalidated"
    assert item["ways"] == ["reanchor", "update", "supersede", "forget"]


def test_code_moved_to_two_places_asks_which_one_and_takes_the_answer(desk: Desk) -> None:
    text = (desk.root / "lib/queue.py").read_text()
    start, end = text.index("class Base"), text.index("class ScanQueue")
    known = desk.know("run leaves some paths out", RUN)
    desk.write("lib/base.py", text[start:end])
    desk.write("lib/other.py", text[start:end])
    desk.write("lib/queue.py", (text[:start] + text[end:]).replace("(Base)", ""))
    (item,) = desk.queue()
    assert item["ways"] == ["reanchor", "update", "supersede", "forget"]
    assert "lib/base.py::Base.run" in compact(item)
    desk.admin("reanchor", ids=[known], anchors=[{"file": "lib/base.py", "symbol": "Base.run"}])
    assert desk.queue() == []


def test_a_contradicted_pair_is_one_entry(desk: Desk) -> None:
    one = desk.know("seed keeps the order of its paths", SEED)
    other = desk.know("callers of seed must not expect any order", SEED, links=[{"target": one, "rel": "contradicts"}])
    (item,) = desk.queue()
    assert {item["id"], part(item, "other")["id"]} == {one, other}
    assert item["ways"] == ["supersede", "update", "unlink", "forget"]


def test_two_figures_for_one_thing_wait_for_a_decision(desk: Desk) -> None:
    desk.know("the batch size is 50", BATCH)
    desk.know("the batch size is 100", BATCH)
    (item,) = desk.queue()
    assert (item["body"], part(item, "other")["body"]) == ("the batch size is 50", "the batch size is 100")
    assert item["ways"] == ["supersede", "update", "forget"]


def test_archived_and_superseded_ones_do_not_wait(desk: Desk) -> None:
    old = desk.know("seed takes at most 200 paths", SEED)
    shelved = desk.know("batch cuts slices", BATCH)
    desk.know("seed takes at most 300 paths", RUN, supersedes=old)
    desk.admin("archive", ids=[shelved])
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.edit("lib/queue.py", "total = len(chosen)", "total = len(chosen) + 0")
    assert desk.queue() == []


def test_limit_kinds_and_budget_are_kept_and_said(desk: Desk) -> None:
    for word in ("sockets", "threads", "caches", "locks", "timers", "files"):
        desk.know(f"seed leaves {word} alone because {word[:-1]} owners call it themselves", SEED, force=True)
    desk.know("seed never sorts", SEED, kind="decision")
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    assert len(desk.queue(kinds=["decision"])) == 1
    reply = queue(desk.ws, {"limit": 3})
    assert reply.meta["completeness"] == {"matched": 7, "returned": 3, "omitted_reason": "limit"}
    small = queue(desk.ws, {"budget_tokens": 500})
    assert len(compact({"data": small.data, "meta": small.meta}).encode()) <= 2000
    assert isinstance(small.data, list)
    assert len(small.data) >= 1

"""Recall: what is returned, how it is flagged, and what it costs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchormem.errors import NotFound
from anchormem.model import JsonObject, Reply
from anchormem.reason import rank
from anchormem.reason.envelope import compact
from anchormem.workspace import receipt
from anchormem.workspace.recall import _telling
from workspace.answers.desk import Desk, records, rows

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
PROOF = {"command": "pytest -q tests/test_queue.py", "output": "3 passed"}


def size(reply: Reply) -> int:
    return len(compact({"data": reply.data, "meta": reply.meta}).encode())


def test_a_fresh_memory_comes_with_its_anchor_and_the_words_that_found_it(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths from the caller", SEED)
    item = desk.found("how many paths does seed take")[0]
    assert item["id"] == name
    assert item["anchors"] == ["lib/queue.py::ScanQueue.seed"]
    assert {"seed", "paths"} <= set(str(item["matched"]).split())
    assert set(item) <= {"id", "kind", "body", "conf", "on", "anchors", "matched"}


def test_the_very_next_recall_after_an_edit_says_stale_what_changed_and_that_it_touches_the_words(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    item = desk.found("how many paths does seed take")[0]
    assert item["status"] == "stale"
    assert item["flags"] == ["stale:body_edited"]
    assert item["changed"] == "200 → 500"
    assert item["touches"] is True
    assert item["conf"] == pytest.approx(0.48)


def test_undoing_the_edit_heals(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    assert desk.found("seed paths")[0]["status"] == "stale"
    desk.edit("lib/queue.py", "limit=500", "limit=200")
    assert "status" not in desk.found("seed paths")[0]


def test_a_stale_verified_memory_offers_its_own_proof(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED, evidence=PROOF)
    assert desk.found("seed paths")[0]["source"] == "verified"
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    item = desk.found("seed paths")[0]
    assert item["flags"] == ["stale:body_edited", "reverify:pytest -q tests/test_queue.py"]
    assert item["conf"] == pytest.approx(0.5)


def test_a_changed_docstring_is_a_note_and_not_staleness(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "Takes the first paths.", "Takes the first few paths.")
    item = desk.found("seed paths")[0]
    assert item["doc_changed"] is True
    assert "status" not in item


def test_a_memory_whose_code_is_deleted_is_shown_as_invalidated(desk: Desk) -> None:
    desk.know("run leaves symbolic links out", {"file": "lib/queue.py", "symbol": "Base"})
    text = (desk.root / "lib/queue.py").read_text()
    start, end = text.index("class Base"), text.index("class ScanQueue")
    desk.write("lib/queue.py", (text[:start] + text[end:]).replace("(Base)", ""))
    desk.commit()
    item = desk.found("symbolic links")[0]
    assert item["status"] == "invalidated"
    assert item["flags"] == ["invalidated:anchor_deleted"]


def test_superseded_and_archived_memories_never_appear_for_a_task(desk: Desk) -> None:
    old = desk.know("seed takes at most 100 paths", SEED)
    desk.know("seed takes at most 200 paths", SEED, supersedes=old)
    kept = desk.know("the batch helper slices by index", BATCH)
    desk.admin("archive", ids=[kept])
    found = {item["id"] for item in desk.found("seed paths batch helper slices")}
    assert old not in found
    assert kept not in found
    assert desk.whole(old)["status"] == "superseded"
    assert desk.whole(kept)["archived"] is True


def test_a_contradiction_is_flagged_on_both_sides_while_both_stand(desk: Desk) -> None:
    one = desk.know("seed keeps the order of its paths", SEED)
    other = desk.know("callers of seed must not expect any order", SEED, links=[{"target": one, "rel": "contradicts"}])
    flags = {item["id"]: item["flags"] for item in desk.found("order of seed paths callers")}
    assert flags == {one: [f"contradicted-by:{other}"], other: [f"contradicted-by:{one}"]}
    assert desk.recall("order of seed paths callers").meta["staleness"] == {"stale": 0, "contradicted": 2}
    desk.admin("forget", ids=[other])
    assert all("flags" not in item for item in desk.found("order of seed paths callers"))


def test_two_figures_for_one_thing_are_flagged_without_a_link(desk: Desk) -> None:
    one = desk.know("the batch size is 50", BATCH)
    other = desk.know("the batch size is 100", BATCH)
    elsewhere = desk.know("the batch size is 70", SEED)
    flags = {item["id"]: item.get("flags") for item in desk.found("batch size")}
    assert flags == {one: [f"contradicted-by:{other}"], other: [f"contradicted-by:{one}"], elsewhere: None}
    assert desk.whole(one)["flags"] == [f"contradicted-by:{other}"]


def test_the_same_fact_in_five_wordings_is_one_entry(desk: Desk) -> None:
    wordings = [
        "callers of seed rely on the order of the paths they gave",
        "callers of seed rely on the order of paths they gave",
        "the callers of seed rely on the order of the given paths",
        "seed callers rely on the order of the paths they gave",
        "callers of seed relied on the order of the paths they give",
    ]
    names = [desk.know(body, SEED, force=True) for body in wordings]
    found = desk.found("do callers of seed rely on order")
    assert len(found) < len(names)
    told = {str(item["id"]) for item in found} | {str(name) for item in found for name in rows_of(item)}
    assert told == set(names)


def rows_of(item: JsonObject) -> list[object]:
    also = item.get("also", [])
    assert isinstance(also, list)
    return also


def test_a_memory_without_anchor_says_so(desk: Desk) -> None:
    desk.know("releases are cut on Thursdays")
    assert desk.found("when are releases cut")[0]["flags"] == ["unanchored"]


def test_an_unusable_working_set_path_is_a_warning_not_an_error(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    reply = desk.recall("seed paths", working_set=["/etc/passwd", "../up", "nowhere.py", "lib/queue.py", "a\0b"])
    assert len(records(reply)) == 1
    warnings = reply.meta["warnings"]
    assert isinstance(warnings, list)
    assert "ignored 4 unusable" in warnings[0]


def test_the_working_set_lifts_what_is_anchored_near(desk: Desk) -> None:
    far = desk.know("never write limits as positional values in a shell: keyword arguments only", {"file": "NOTES.md"})
    near = desk.know("limits are keyword arguments with defaults here", SEED)
    ranked = [item["id"] for item in desk.found("limits keyword arguments", working_set=["lib/queue.py"])]
    assert ranked == [near, far]


def test_an_empty_task_is_answered_plainly(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    assert desk.found("") == []
    assert [item["id"] for item in desk.found("", working_set=["lib/queue.py"])] == [name]


def test_a_recall_that_asks_nothing_is_told_so(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    assert "nothing was asked" in str(desk.recall("  ").meta["warnings"])
    assert "warnings" not in desk.recall("", working_set=["lib/queue.py"]).meta
    assert "warnings" not in desk.recall("seed").meta


def test_nothing_found_is_an_empty_list(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    reply = desk.recall("kubernetes ingress certificate rotation")
    assert reply.data == []
    assert reply.meta["completeness"] == {"matched": 0, "returned": 0}


def test_kinds_restrict(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    choice = desk.know("seed never sorts its paths", SEED, kind="decision")
    assert [item["id"] for item in desk.found("seed paths", kinds=["decision"])] == [choice]


def test_why_shows_the_ranking_terms(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    assert "why" not in desk.found("seed paths")[0]
    assert isinstance(desk.found("seed paths", why=True)[0]["why"], dict)


@pytest.mark.parametrize(
    "task", ["isn't re-try v1.9 lib/x.py \"open NEAR( * ABC-12 ^", "x" * 10_000, "a\0b", "'", '"', "\ud800"]
)
def test_any_text_is_a_valid_question(desk: Desk, task: str) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    assert isinstance(desk.recall(task).data, list)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(task=st.text(max_size=60), budget=st.integers(256, 600))
def test_no_question_costs_more_than_its_budget(desk: Desk, task: str, budget: int) -> None:
    if not records(desk.admin("list")):
        for number in range(8):
            desk.know(f"path rule {number}: " + "the order of paths matters to callers of seed " * number, force=True)
    assert size(desk.recall(task + " order of paths callers", budget_tokens=budget)) <= budget * 4


def test_what_the_budget_leaves_out_is_counted(desk: Desk) -> None:
    for number in range(14):
        desk.know(
            f"rule {number} of {number * 7}: seed must keep paths in caller order number {number * 13}",
            SEED,
            force=True,
        )
    reply = desk.recall("seed caller order paths", budget_tokens=400)
    completeness = reply.meta["completeness"]
    assert isinstance(completeness, dict)
    assert completeness["matched"] == 14
    assert 0 < completeness["returned"] < 14
    assert "budget" in str(completeness["omitted_reason"])


# ── whole memories ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_memory_asked_for_by_id_comes_whole(desk: Desk) -> None:
    other = desk.know("callers rely on the order", BATCH)
    name = desk.know(
        "seed takes at most 200 paths",
        SEED,
        evidence=PROOF,
        links=[{"target": other, "rel": "supports"}],
        origin="note:1",
    )
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.commit("raise the limit")
    item = desk.whole(name[:6])
    assert item["id"] == name
    assert item["links"] == [{"target": other, "rel": "supports"}]
    assert isinstance(item["evidence"], dict)
    assert item["evidence"]["output"] == "3 passed"
    assert item["origin"] == "note:1"
    (anchor,) = rows(item, "anchors")
    assert anchor["at"] == "lib/queue.py::ScanQueue.seed"
    assert (anchor["fate"], anchor["reason"], anchor["changed"], anchor["touches"]) == (
        "stale",
        "body_edited",
        "200 → 500",
        True,
    )
    assert str(anchor["commit"]).startswith(desk.git("rev-parse", "HEAD")[:10])
    assert "+def seed(self, paths, limit=500):" in compact(item["changes"])


def test_a_moved_anchor_says_where_it_is_and_where_it_was(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    (desk.root / "core").mkdir()
    (desk.root / "lib/queue.py").rename(desk.root / "core/queue.py")
    (anchor,) = rows(desk.whole(name), "anchors")
    assert anchor["at"] == "core/queue.py::ScanQueue.seed"
    assert anchor["was"] == "lib/queue.py::ScanQueue.seed"
    assert anchor["fate"] == "followed"


def test_a_long_body_is_read_in_pages(desk: Desk) -> None:
    body = " ".join(f"Sentence number {number} tells one more thing about seed." for number in range(600))
    name = desk.know(body, SEED)
    read, offset = "", 0
    for _ in range(50):
        item = desk.whole(name, budget_tokens=2000, offset=offset)
        read += str(item["body"])
        if "next_offset" not in item:
            break
        offset = int(str(item["next_offset"]))
    assert read == body


def test_an_unknown_or_forgotten_id_is_an_error(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.admin("forget", ids=[name])
    for wanted in (name, "zzzzzzzzzz", "not an id", "é", name[:1] * 11):
        with pytest.raises(NotFound):
            desk.whole(wanted)


# ── the receipt ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_receipt_counts_what_was_served_and_what_reading_would_have_cost(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.know("batch slices by index, the last slice is shorter", BATCH)
    reply = desk.recall("seed paths batch slices")
    served = -(-size(reply) // 4)
    file = -(-(desk.root / "lib/queue.py").stat().st_size // 4)
    ledger = desk.admin("ledger").data
    assert isinstance(ledger, dict)
    expected = {
        "recalls": 1,
        "questions": 1,
        "served_tokens": served,
        "saved_tokens": 300 + file - served,
        "reads_avoided": 1,
    }
    for part in ("session", "all_time"):
        assert {key: value for key, value in ledger[part].items() if key != "since"} == expected
    assert "ceil(bytes/4)" in ledger["method"]


def test_the_same_question_twice_is_one_question(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.recall("seed paths")
    desk.recall("Seed  paths")
    ledger = desk.admin("ledger").data
    assert isinstance(ledger, dict)
    assert (ledger["all_time"]["recalls"], ledger["all_time"]["questions"]) == (2, 1)


def test_a_recall_that_returns_nothing_saves_nothing(desk: Desk) -> None:
    desk.recall("nothing is known of this")
    ledger = desk.admin("ledger_reset").data
    assert isinstance(ledger, dict)
    assert ledger["dropped"]["saved_tokens"] < 0
    assert ledger["all_time"]["recalls"] == 0


def test_recall_answers_while_another_process_holds_the_store(desk: Desk, open_desk: Callable[[Path], Desk]) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    other = open_desk(desk.root)
    with other.ws.store.writing():
        assert len(desk.found("seed paths")) == 1


def test_a_recall_without_leave_to_write_leaves_no_trace(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.ws.write = False
    assert len(desk.found("seed paths")) == 1
    desk.ws.write = True
    assert receipt.SEARCH_TOKENS == 300
    ledger = desk.admin("ledger").data
    assert isinstance(ledger, dict)
    assert ledger["all_time"]["recalls"] == 0


def test_in_a_large_store_a_rare_word_finds_what_a_common_one_drowns() -> None:
    asked = rank.query("batch drain cursor quota")
    held = {"batch": 1_500, "drain": 40, "cursor": 3, "quota": 2}
    assert list(_telling(asked, rank.Corpus(2_000, held))) == ["drain", "cursor", "quota"]
    assert list(_telling(asked, rank.Corpus(500, held))) == ["batch", "drain", "cursor", "quota"]
    assert list(_telling(asked, rank.Corpus(2_000, {**held, "drain": 900}))) == list(held)

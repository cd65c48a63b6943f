"""Administration: what each operation does, says, and refuses."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from anchormem.errors import AmbiguousSymbol, AnchormemError, NotFound, Refused, SecretFound, UsageError
from anchormem.model import JsonObject
from anchormem.store import memories
from workspace.answers.desk import QUEUE, Desk, part, record, records, rows

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
RUN = {"file": "lib/queue.py", "symbol": "Base.run"}
PROOF = {"command": "pytest -q tests/test_queue.py", "output": "3 passed"}
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def did(desk: Desk, op: str, **more: object) -> JsonObject:
    return record(desk.admin(op, **more))


# ── index, status, gc ───────────────────────────────────────────────────────────────────────────────────────────────


def test_index_counts_reads_only_what_changed_and_shows_progress(desk: Desk) -> None:
    desk.know("seed takes the first paths", SEED)
    told: list[tuple[int, int]] = []
    desk.write("lib/new.py", "X = 1\n")
    answer = did(desk, "index", progress=lambda done, todo: told.append((done, todo)))
    assert (answer["outcome"], answer["files"], answer["parsed"]) == ("complete", 4, 1)
    assert answer["anchors"] == {"fresh": 1}
    assert told
    assert did(desk, "index", full=True)["read"] == 4


def test_after_an_index_nothing_waits_to_be_searched_for(desk: Desk) -> None:
    desk.know("main drains the queue once", {"file": "lib/use.py", "symbol": "main"})
    desk.write("lib/use.py", "")
    for _ in range(2):
        assert "unchecked" not in str(desk.admin("index").meta["freshness"])


def test_index_can_be_cancelled(desk: Desk) -> None:
    desk.write("lib/new.py", "X = 1\n")
    assert did(desk, "index", full=True, cancelled=lambda: True)["outcome"] == "cancelled"


def test_status_counts_memories_by_status_and_kind(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.know("batch cuts slices", BATCH, kind="decision", private=True)
    shelved = desk.know("run leaves some out", RUN)
    old = desk.know("releases are cut on Mondays")
    desk.know("releases are cut on Thursdays", supersedes=old)
    gone = desk.know("nobody knows why")
    desk.admin("archive", ids=[shelved])
    desk.admin("forget", ids=[gone])
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    answer = did(desk, "status")
    assert answer["root"] == str(desk.root)
    assert (answer["files"], answer["symbols"]) == (3, 8) or answer["files"] == 3
    held = answer["memories"]
    assert isinstance(held, dict)
    assert held["status"] == {"active": 2, "stale": 1}
    assert held["kinds"] == {"decision": 1, "fact": 3}
    assert [held[name] for name in ("total", "private", "archived", "superseded", "forgotten", "unanchored")] == [
        4,
        1,
        1,
        1,
        1,
        1,
    ]
    store = answer["store"]
    assert isinstance(store, dict)
    assert store["bytes"] > 0
    assert store["path"] == str(desk.ws.directory)


def test_gc_only_tells_unless_asked_and_never_takes_memories(
    desk: Desk, open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    for name in ("gone", "empty"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("def a():\n    return 1\n")
    gone, empty = open_desk(tmp_path / "gone"), open_desk(tmp_path / "empty")
    gone.know("a returns one", {"file": "a.py", "symbol": "a"})
    gone.admin("index")
    for one in (gone, empty):
        one.ws.store.close()
        shutil.rmtree(one.root)
    rows = did(desk, "gc")["repositories_gone"]
    assert isinstance(rows, list)
    assert {row["store"] for row in rows} == {str(gone.ws.directory), str(empty.ws.directory)}
    assert (gone.ws.directory / "facts.db").exists()
    assert did(desk, "status")["orphans"] == 2
    rows = did(desk, "gc", dry_run=False)["repositories_gone"]
    assert isinstance(rows, list)
    assert "1 memories" in str(next(row for row in rows if row["store"] == str(gone.ws.directory))["kept"])
    assert (gone.ws.directory / "memory.db").exists()
    assert not (gone.ws.directory / "facts.db").exists()
    assert not empty.ws.directory.exists()
    assert desk.know("seed takes the first paths", SEED)


def test_a_worktree_that_was_removed_is_collected_and_its_memories_stay(
    desk: Desk, open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    desk.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = open_desk(tmp_path / "tree")
    name = tree.know("seed takes at most 200 paths", SEED)
    tree.ws.store.close()
    shutil.rmtree(tmp_path / "tree")
    assert did(desk, "gc")["checkouts_gone"] == [str(tmp_path / "tree")]
    did(desk, "gc", dry_run=False)
    assert did(desk, "gc")["checkouts_gone"] == []
    assert desk.found("seed paths")[0]["id"] == name


def test_tombstones_are_emptied_after_thirty_days(desk: Desk) -> None:
    name = desk.know("nobody knows why")
    desk.admin("forget", ids=[name])
    now = desk.ws.now()
    assert part(did(desk, "gc", dry_run=False), "tombstones")["purged"] == 0
    desk.ws.now = lambda: now + 31 * 86_400_000
    assert did(desk, "gc")["tombstones"] == {"to_purge": 1}
    assert part(did(desk, "gc", dry_run=False), "tombstones")["purged"] == 1
    with pytest.raises(AnchormemError):
        desk.admin("restore", ids=[name])


# ── get, list, history, consolidate ─────────────────────────────────────────────────────────────────────────────────


def test_get_explains_each_fate(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    (item,) = records(desk.admin("get", ids=[name[:5]]))
    (anchor,) = rows(item, "anchors")
    (tried,) = rows(part(anchor, "why"), "tried")
    assert tried["slot"] == "lib/queue.py::ScanQueue.seed"
    assert tried["hashes"] != [part(anchor, "why")["written"]]
    assert item["base_confidence"] == pytest.approx(0.8)


def test_get_tells_why_an_equal_body_was_not_followed(desk: Desk) -> None:
    desk.write("lib/a.py", "def one():\n    return 1\n")
    name = desk.know("one is one", {"file": "lib/a.py", "symbol": "one"})
    desk.write("lib/a.py", "VALUE = 3\n")
    desk.write("lib/b.py", "def uno():\n    return 1\n")
    desk.admin("index")
    (item,) = records(desk.admin("get", ids=[name]))
    (anchor,) = rows(item, "anchors")
    assert anchor["reason"] == "low_entropy"
    assert "tokens" in str(part(anchor, "why")["not_followed"])


def test_list_includes_everything_and_filters(desk: Desk) -> None:
    old = desk.know("releases are cut on Mondays", kind="decision")
    new = desk.know("releases are cut on Thursdays", supersedes=old, kind="decision")
    shelved = desk.know("run leaves some out", RUN)
    gone = desk.know("nobody knows why")
    stale = desk.know("seed takes at most 200 paths", SEED)
    desk.admin("archive", ids=[shelved])
    desk.admin("forget", ids=[gone])
    desk.edit("lib/queue.py", "limit=200", "limit=500")

    def listed(**more: object) -> set[str]:
        return {str(item["id"]) for item in records(desk.admin("list", **more))}

    assert listed() == {old, new, shelved, gone, stale}
    assert listed(kinds=["decision"]) == {old, new}
    assert listed(status="superseded") == {old}
    assert listed(status="archived") == {shelved}
    assert listed(status="forgotten") == {gone}
    assert listed(status="stale") == {stale}
    assert listed(status="active") == {new}
    assert listed(path="lib") == {shelved, stale}
    assert listed(path="NOTES.md") == set()
    assert listed(text="thursdays") == {new}
    page = desk.admin("list", limit=2, offset=1)
    assert page.meta["completeness"] == {"matched": 5, "returned": 2, "omitted_reason": "limit"}


def test_a_revision_is_restored_as_a_new_act(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.update(name, body="seed takes any number of paths")
    desk.update(name, body="seed takes no paths")
    answer = did(desk, "history", ids=[name])
    assert [(row["revision"], row["before"], row["body"]) for row in rows(answer, "history")] == [
        (1, "update", "seed takes at most 200 paths"),
        (2, "update", "seed takes any number of paths"),
    ]
    answer = did(desk, "history", ids=[name], restore_revision=1)
    assert part(answer, "restored")["revision"] == 1
    assert desk.whole(name)["body"] == "seed takes at most 200 paths"
    assert len(rows(did(desk, "history", ids=[name]), "history")) == 3
    with pytest.raises(NotFound):
        desk.admin("history", ids=[name], restore_revision=9)


def test_consolidate_groups_what_overlaps_in_one_place(desk: Desk) -> None:
    one = desk.know("seed keeps the order of the paths its callers gave", SEED)
    two = desk.know("callers of seed gave paths in an order that it keeps for them", SEED, force=True)
    desk.know("batch cuts slices by index", BATCH)
    groups = records(desk.admin("consolidate"))
    assert [{item["id"] for item in rows(group, "memories")} for group in groups] == [{one, two}]
    assert desk.count() == 3


# ── forget, archive, restore, unlink ────────────────────────────────────────────────────────────────────────────────


def test_a_forgotten_memory_is_gone_from_every_answer_and_comes_back(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    answer = did(desk, "forget", ids=[name])
    assert answer["forgotten"] == [{"id": name, "body": "seed takes at most 200 paths"}]
    assert desk.found("seed paths") == []
    assert "memories" not in desk.map("lib/queue.py")
    with pytest.raises(NotFound):
        desk.admin("get", ids=[name])
    with pytest.raises(NotFound):
        desk.admin("forget", ids=[name])
    assert did(desk, "restore", ids=[name]) == {"remembered_again": [name]}
    assert desk.found("seed paths")[0]["id"] == name


def test_forgetting_a_successor_says_what_stays_superseded(desk: Desk) -> None:
    old = desk.know("seed takes at most 100 paths", SEED)
    new = desk.know("seed takes at most 200 paths", SEED, supersedes=old)
    (told,) = rows(did(desk, "forget", ids=[new]), "forgotten")
    assert told["stay_superseded"] == [old]
    assert desk.found("seed paths") == []
    assert did(desk, "unlink", ids=[new], target=old, rel="supersedes")["stands_again"] == [old]
    assert [item["id"] for item in desk.found("seed paths")] == [old]


def test_archiving_hides_while_the_state_stays_true_underneath(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    assert did(desk, "archive", ids=[name]) == {"archived": [name]}
    assert did(desk, "archive", ids=[name]) == {"already_archived": [name]}
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    assert desk.found("seed paths") == []
    assert desk.queue() == []
    assert "memories" not in desk.affected()
    assert desk.whole(name)["status"] == "stale"
    assert did(desk, "restore", ids=[name]) == {"unarchived": [name]}
    assert desk.found("seed paths")[0]["status"] == "stale"
    assert did(desk, "restore", ids=[name]) == {"were_neither": [name]}


def test_destructive_operations_want_the_whole_id(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    for op, more in (("forget", {}), ("archive", {}), ("reanchor", {"anchors": ["NOTES.md"]})):
        with pytest.raises(Refused):
            desk.admin(op, ids=[name[:6]], **more)
    assert desk.whole(name[:6])["id"] == name


def test_one_bad_id_among_several_changes_nothing(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    for op in ("forget", "archive", "confirm"):
        with pytest.raises(NotFound):
            desk.admin(op, ids=[name, "zzzzzzzzzz"])
    assert "archived" not in desk.whole(name)
    assert "history" not in desk.whole(name)


def test_a_link_that_is_not_there_cannot_be_taken_back(desk: Desk) -> None:
    one, other = desk.know("seed keeps order", SEED), desk.know("batch cuts slices", BATCH)
    with pytest.raises(NotFound):
        desk.admin("unlink", ids=[one], target=other, rel="contradicts")


# ── reverify, confirm, reanchor ─────────────────────────────────────────────────────────────────────────────────────


def test_reverify_rebinds_to_todays_code_and_says_what_changed(desk: Desk) -> None:
    name = desk.know("seed has a default limit", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    (told,) = rows(did(desk, "reverify", ids=[name], **PROOF), "reverified")
    assert told["source"] == "explicit → verified"
    assert told["confidence"] == "0.80 → 0.95"
    item = desk.whole(name)
    assert (item["source"], item.get("status", "active"), item["conf"]) == ("verified", "active", 0.95)
    desk.edit("lib/queue.py", "limit=500", "limit=200")
    assert desk.whole(name)["status"] == "stale"


@pytest.mark.parametrize(
    ("proof", "error"),
    [
        ({"command": "make", "output": ""}, Refused),
        ({"command": "make", "output": "ok", "exit_code": 2}, Refused),
        ({"command": f"curl {TOKEN}", "output": "ok"}, SecretFound),
        ({"command": "make", "output": TOKEN}, SecretFound),
    ],
)
def test_a_bad_proof_changes_nothing(desk: Desk, proof: dict[str, object], error: type[AnchormemError]) -> None:
    name = desk.know("seed has a default limit", SEED)
    with pytest.raises(error):
        desk.admin("reverify", ids=[name], **proof)
    assert "source" not in desk.whole(name)


def test_neither_proof_nor_word_can_renew_what_has_no_place_or_no_standing(desk: Desk) -> None:
    lost = desk.know("run leaves some out", RUN)
    old = desk.know("batch cuts slices", BATCH)
    desk.know("batch cuts even slices", BATCH, supersedes=old, force=True)
    shelved = desk.know("seed has a default limit", SEED)
    desk.admin("archive", ids=[shelved])
    text = (desk.root / "lib/queue.py").read_text()
    start, end = text.index("class Base"), text.index("class ScanQueue")
    desk.write("lib/queue.py", (text[:start] + text[end:]).replace("(Base)", ""))
    for name in (lost, old, shelved):
        with pytest.raises(Refused):
            desk.admin("reverify", ids=[name], **PROOF)
        with pytest.raises(Refused):
            desk.admin("confirm", ids=[name])
        assert "history" not in desk.whole(name) or name != lost


def test_confirm_makes_verified_explicit_and_keeps_the_old_command_on_offer(desk: Desk) -> None:
    name = desk.know("seed has a default limit", SEED, evidence=PROOF)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    (told,) = rows(did(desk, "confirm", ids=[name]), "confirmed")
    assert told["source"] == "verified → explicit"
    assert told["confidence"] == "0.95 → 0.80"
    assert told["still_offered"] == PROOF["command"]
    item = desk.whole(name)
    assert (item.get("source"), item.get("status"), item["conf"]) == (None, None, 0.8)
    desk.edit("lib/queue.py", "limit=500", "limit=900")
    assert desk.queue()[0]["command"] == PROOF["command"]


def test_reanchor_replaces_the_anchors_and_takes_the_proof_off(desk: Desk) -> None:
    name = desk.know("slices are even", SEED, evidence=PROOF)
    (told,) = rows(did(desk, "reanchor", ids=[name], anchors=[BATCH]), "reanchored")
    assert told["anchors"] == ["lib/queue.py::ScanQueue.batch"]
    assert told["were"] == ["lib/queue.py::ScanQueue.seed"]
    assert told["source"] == "verified → explicit"
    with pytest.raises(NotFound):
        desk.admin("reanchor", ids=[name], anchors=["lib/nothing.py"])
    with pytest.raises(UsageError):
        desk.admin("reanchor", ids=[name], anchors=[])
    desk.write("lib/twice.py", "class A:\n    def run(self): return 1\n\n\nclass B:\n    def run(self): return 2\n")
    with pytest.raises(AmbiguousSymbol):
        desk.admin("reanchor", ids=[name], anchors=[{"file": "lib/twice.py", "symbol": "run"}])
    assert rows(desk.whole(name), "anchors")[0]["at"] == "lib/queue.py::ScanQueue.batch"


def test_an_imported_memory_offers_no_command_until_it_is_proved_here(desk: Desk) -> None:
    name = desk.know("seed has a default limit", SEED, evidence=PROOF)
    held = memories.one(desk.ws.store, name)
    foreign = replace(held, imported=True, evidence=replace(held.evidence, approved=False)) if held.evidence else held
    memories.replace(desk.ws.store, foreign, "import", desk.ws.now())
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    item = desk.found("default limit of seed")[0]
    assert item["imported"] is True
    assert item["flags"] == ["stale:body_edited"]
    (waiting,) = desk.queue()
    assert "command" not in waiting
    assert waiting["command_text"] == PROOF["command"]
    desk.admin("reverify", ids=[name], **PROOF)
    assert "imported" not in desk.found("default limit of seed")[0]


def test_the_project_here_is_the_one_the_tests_describe() -> None:
    assert QUEUE.count("def ") == 3

"""`check`: what a change leaves stale, judged from git and the shared export alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotARepository, NotFound
from anchormem.model import JsonObject
from anchormem.store import memories
from anchormem.workspace import exported
from anchormem.workspace.check import check
from workspace.answers.desk import Desk, record

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
PROOF = {"command": "pytest -q tests/test_queue.py", "output": "3 passed"}


def share(desk: Desk) -> None:
    """As an export would: every memory a line, committed."""
    everything = memories.get(desk.ws.store, [str(item["id"]) for item in desk.found_all()])
    lines = ['{"anchormem":1}', *sorted(exported.line(one) for one in everything)]
    desk.write(exported.PATH, "\n".join(lines) + "\n")
    desk.commit("share")


def judged(desk: Desk, **more: object) -> JsonObject:
    return record(check(desk.root, more))


def findings(desk: Desk, **more: object) -> list[JsonObject]:
    found = judged(desk, **more)["findings"]
    assert isinstance(found, list)
    return found


def test_without_an_export_it_says_that_nothing_was_checked(desk: Desk) -> None:
    reply = check(desk.root, {})
    assert record(reply)["export"] == "none"
    assert "nothing was checked" in str(reply.meta["warnings"])


def test_a_staged_edit_under_a_decision_is_found_with_place_and_reason(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    desk.know("a mere fact about batch", BATCH)
    share(desk)
    assert findings(desk, staged=True) == []
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.edit("lib/queue.py", "total = len(chosen)", "total = len(chosen) + 0")
    assert findings(desk, staged=True) == []
    desk.git("add", "-A")
    (found,) = findings(desk, staged=True)
    assert (found["id"], found["reason"], found["path"]) == (name, "body_edited", "lib/queue.py")
    assert found["line"] == 15


def test_a_verified_fact_counts_and_a_branch_is_judged_from_where_it_left(desk: Desk) -> None:
    name = desk.know("batch cuts slices", BATCH, evidence=PROOF)
    share(desk)
    desk.git("checkout", "-qb", "feature")
    desk.edit("lib/queue.py", "total = len(chosen)", "total = len(chosen) + 0")
    desk.commit()
    assert [found["id"] for found in findings(desk, base="main")] == [name]
    assert findings(desk, base="HEAD") == []


def test_a_move_is_followed_and_a_deletion_found(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    share(desk)
    first = desk.git("rev-parse", "HEAD")
    desk.git("mv", "lib/queue.py", "lib/line.py")
    desk.commit()
    assert findings(desk, base=first) == []
    text = (desk.root / "lib/line.py").read_text()
    start, end = text.index("    def seed"), text.index("    def batch")
    desk.write("lib/line.py", text[:start] + text[end:])
    desk.commit()
    (found,) = findings(desk, base=first)
    assert (found["id"], found["status"]) == (name, "invalidated")


def test_a_change_that_renews_its_memory_passes(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    share(desk)
    first = desk.git("rev-parse", "HEAD")
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.update(name, body="seed takes at most 500 paths")
    share(desk)
    assert findings(desk, base=first) == []


def test_formatting_is_no_finding(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED, kind="decision")
    share(desk)
    desk.edit("lib/queue.py", "chosen = []", "chosen = []  # what is taken")
    desk.git("add", "-A")
    assert findings(desk) == []


def test_a_missing_base_names_the_fix_and_a_folder_outside_git_is_an_error(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        judged(desk, base="origin/main")
    assert "git fetch origin main" in caught.value.hint
    with pytest.raises(NotFound) as caught:
        judged(desk, base="HEAD~30")
    assert "git log" in caught.value.hint
    (desk.root / ".git/shallow").write_text("")
    with pytest.raises(NotFound) as caught:
        judged(desk, base="HEAD~30")
    assert "--unshallow" in caught.value.hint
    (tmp_path / "plain").mkdir()
    with pytest.raises(NotARepository):
        check(tmp_path / "plain", {})


def test_before_the_first_commit_nothing_can_have_become_stale(
    repository: Path, open_desk: Callable[[Path], Desk]
) -> None:
    desk = open_desk(repository)
    desk.write("a.py", "A = 1\n")
    desk.git("add", "-A")
    assert findings(desk) == []


def test_a_line_of_the_export_gives_the_memory_back(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", {**SEED, "quote": "limit=200"}, evidence=PROOF, origin="é\n1")
    held = memories.one(desk.ws.store, name)
    read = exported.read(exported.line(held))
    assert read is not None
    assert exported.line(read) == exported.line(held)
    assert read.anchors[0].quote_tokens == held.anchors[0].quote_tokens


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "<<<<<<< ours", '{"id": 3}', '{"id": "x", "kind": "rumour"}', "[" * 100_000]
)
def test_a_line_that_is_no_memory_is_passed_over(line: str) -> None:
    assert exported.read(line) is None

"""`check`: what a change leaves stale, judged from git by what the local store and the shared export say."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotARepository, NotFound, Refused, StoreError
from anchormem.model import JsonObject, Memory
from anchormem.store import memories
from anchormem.workspace import exported
from anchormem.workspace.check import check
from anchormem.workspace.session import close
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


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From then on, as on a machine that has no store of this repository."""
    return lambda: monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / "nobody"))


def test_where_nothing_is_remembered_it_says_that_nothing_was_checked(desk: Desk) -> None:
    reply = check(desk.root, {})
    assert (record(reply)["export"], record(reply)["store"]) == ("none", 0)
    assert "nothing was checked" in str(reply.meta["warnings"])


def test_without_an_export_the_local_store_is_what_is_judged_by(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision", private=True)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.git("add", "-A")
    assert [found["id"] for found in findings(desk)] == [name]
    assert (judged(desk)["export"], judged(desk)["store"]) == ("none", 1)


def test_of_store_and_export_the_later_word_counts(desk: Desk, elsewhere: Callable[[], None]) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    share(desk)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.git("add", "-A")
    assert [found["id"] for found in findings(desk)] == [name]
    desk.admin("forget", ids=[name])
    assert findings(desk) == []
    elsewhere()
    assert [found["id"] for found in findings(desk)] == [name]
    assert judged(desk)["store"] == 0


def test_a_change_that_leaves_the_line_of_a_memory_out_is_judged_by_it_all_the_same(
    desk: Desk, elsewhere: Callable[[], None]
) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    share(desk)
    first = desk.git("rev-parse", "HEAD")
    elsewhere()
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.write(exported.PATH, '{"anchormem":1}\n')
    desk.commit()
    assert [found["id"] for found in findings(desk, base=first)] == [name]


def test_lines_that_are_no_memories_are_counted_and_harm_nothing(desk: Desk, elsewhere: Callable[[], None]) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    share(desk)
    elsewhere()
    text = (desk.root / exported.PATH).read_text("utf-8")
    desk.write(exported.PATH, f"{text}<<<<<<< ours\n{text.splitlines()[1][:40]}\n>>>>>>> theirs\n")
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.git("add", "-A")
    reply = check(desk.root, {})
    assert "3 of 4 lines" in str(reply.meta["warnings"])
    assert name in str(reply.data)


def test_a_store_that_cannot_be_read_is_said_and_the_export_is_used(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, kind="decision")
    close(desk.ws)
    (desk.ws.directory / "memory.db").write_bytes(b"no store at all" * 400)
    with pytest.raises(StoreError):
        check(desk.root, {})
    line = exported.line(Memory(name, "decision", "b", "explicit", 0.8, 1, 1))
    desk.write(exported.PATH, f'{{"anchormem":1}}\n{line}\n')
    reply = check(desk.root, {})
    assert "the local store was left out" in str(reply.meta["warnings"])


def test_an_export_of_a_newer_version_is_no_clean_bill(desk: Desk) -> None:
    desk.write(exported.PATH, '{"anchormem":99}\n')
    with pytest.raises(Refused, match="newer"):
        check(desk.root, {})


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


def test_a_file_that_moved_as_it_is_takes_small_code_along_and_one_of_two_copies_does_not(desk: Desk) -> None:
    desk.write("settings.py", "LIMIT = 50\n\n\ndef name(self):\n    return self.name\n\n\nOTHER = [LIMIT, LIMIT, 3]\n")
    desk.commit()
    desk.remember("the gateway takes fifty rows", "settings.py::LIMIT", kind="decision")
    desk.git("mv", "settings.py", "lib/settings.py")
    assert findings(desk) == []
    desk.write("twice.py", (desk.root / "lib/settings.py").read_text())
    desk.git("add", "-A")
    assert [one["reason"] for one in findings(desk)] == ["low_entropy"]


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

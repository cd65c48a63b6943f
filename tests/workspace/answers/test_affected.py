"""Affected: a change, its symbols, the memories it puts at risk, and who calls what changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotARepository, NotFound
from anchormem.reason.envelope import compact
from anchormem.workspace.affected import affected
from anchormem.workspace.session import open_workspace
from workspace.answers.desk import Desk, record, rows

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}


def test_a_quiet_tree_is_affected_by_nothing(desk: Desk) -> None:
    answer = desk.affected()
    assert set(answer) == {"base"}


def test_an_edit_names_its_symbol_its_memories_before_and_after_and_its_callers(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.know("batch cuts slices", BATCH)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    answer = desk.affected()
    assert rows(answer, "files") == [{"change": "modified", "path": "lib/queue.py"}]
    assert [(row["change"], row["at"]) for row in rows(answer, "symbols")] == [
        ("edited", "lib/queue.py::ScanQueue.seed")
    ]
    (risk,) = rows(answer, "memories")
    assert (risk["id"], risk["was"], risk["status"]) == (name, "active", "stale")
    assert risk["fates"] == [{"at": "lib/queue.py::ScanQueue.seed", "before": "fresh", "after": "stale:body_edited"}]
    assert rows(answer, "callers") == [
        {"at": "lib/use.py::main", "calls": "lib/queue.py::ScanQueue.seed", "line": 6, "is": "unique"}
    ]


def test_formatting_and_comments_change_a_file_and_no_symbol(desk: Desk) -> None:
    desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "chosen = []", "chosen = []  # what is taken")
    answer = desk.affected()
    assert rows(answer, "files") == [{"change": "modified", "path": "lib/queue.py"}]
    assert rows(answer, "symbols") == []
    assert rows(answer, "memories") == []


def test_added_deleted_and_renamed_symbols_are_told_apart(desk: Desk) -> None:
    desk.edit("lib/queue.py", "def batch", "def slices")
    desk.edit("lib/queue.py", "self.batch", "self.slices")
    desk.edit("lib/queue.py", "RETRIES = 7\n", "PATIENCE = {'first': 1, 'then': 5}\n")
    found = {(row["change"], row["at"], row.get("was", "")) for row in rows(desk.affected(), "symbols")}
    assert ("renamed", "lib/queue.py::ScanQueue.slices", "lib/queue.py::ScanQueue.batch") in found
    assert ("deleted", "lib/queue.py::RETRIES", "") in found
    assert ("added", "lib/queue.py::PATIENCE", "") in found


def test_untracked_deleted_and_renamed_files_are_seen(desk: Desk) -> None:
    desk.write("lib/new.py", "def brand_new():\n    return 1\n")
    (desk.root / "lib/queue.py").rename(desk.root / "lib/line.py")
    (desk.root / "NOTES.md").unlink()
    answer = desk.affected()
    assert rows(answer, "files") == [
        {"change": "deleted", "path": "NOTES.md"},
        {"change": "renamed", "path": "lib/line.py", "was": "lib/queue.py"},
        {"change": "added", "path": "lib/new.py"},
    ]


def test_a_memory_that_followed_a_move_is_shown_as_followed(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.git("mv", "lib/queue.py", "lib/line.py")
    (risk,) = rows(desk.affected(), "memories")
    assert risk["id"] == name
    assert risk["fates"] == [{"at": "lib/line.py::ScanQueue.seed", "before": "fresh", "after": "followed"}]


def test_a_deleted_symbol_names_those_that_still_call_it(desk: Desk) -> None:
    name = desk.know("batch cuts slices", BATCH)
    text = (desk.root / "lib/queue.py").read_text()
    desk.write("lib/queue.py", text[: text.index("    def batch")])
    answer = desk.affected()
    (risk,) = rows(answer, "memories")
    assert (risk["id"], risk["status"]) == (name, "invalidated")
    callers = [(row["at"], row["calls"]) for row in rows(answer, "callers")]
    assert ("lib/queue.py::ScanQueue.seed", "lib/queue.py::ScanQueue.batch") in callers


def test_active_decisions_on_what_encloses_a_change_constrain_it(desk: Desk) -> None:
    desk.know(
        "ScanQueue is never persisted",
        {"file": "lib/queue.py", "symbol": "ScanQueue", "aspect": "exists"},
        kind="decision",
    )
    desk.know("this file imports nothing", {"file": "lib/queue.py", "quote": "class Base:"}, kind="intent")
    desk.know("a fact constrains nothing", {"file": "lib/queue.py", "symbol": "Base"})
    desk.know("elsewhere", {"file": "NOTES.md"}, kind="decision")
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    bodies = {row["body"] for row in rows(desk.affected(), "constraining")}
    assert bodies == {"ScanQueue is never persisted", "this file imports nothing"}


def test_a_decision_that_held_until_this_change_constrains_it(desk: Desk) -> None:
    name = desk.know("seed takes 200 at a time", {"file": "lib/queue.py", "symbol": "ScanQueue.seed"}, kind="decision")
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    (row,) = rows(desk.affected(), "constraining")
    assert (row["id"], row["status"]) == (name, "stale")


def test_a_base_compares_with_the_working_tree_of_now(desk: Desk) -> None:
    first = desk.git("rev-parse", "HEAD")
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.commit()
    desk.edit("lib/use.py", "queue.seed(paths)", "queue.seed(paths, 3)")
    answer = desk.affected(base=first)
    assert {row["path"] for row in rows(answer, "files")} == {"lib/queue.py", "lib/use.py"}
    assert {row["path"] for row in rows(desk.affected(), "files")} == {"lib/use.py"}
    with pytest.raises(NotFound):
        desk.affected(base="no-such-branch")


def test_paths_restrict_also_when_spelled_from_a_subdirectory(desk: Desk, open_desk: Callable[[Path], Desk]) -> None:
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    desk.edit("lib/use.py", "queue.seed(paths)", "queue.seed(paths, 3)")
    assert [row["path"] for row in rows(desk.affected(paths=["lib/use.py"]), "files")] == ["lib/use.py"]
    inner = open_desk(desk.root / "lib")
    assert len(rows(inner.affected(), "files")) == 2
    assert [row["path"] for row in rows(inner.affected(paths=["use.py"]), "files")] == ["lib/use.py"]


@pytest.mark.parametrize("name", ["with space.py", "é.py", "tab\tin.py", "new\nline.py", "-dash.py", 'quote".py'])
def test_odd_names_are_names(desk: Desk, name: str) -> None:
    desk.write(f"odd/{name}", "def strange():\n    return 1\n")
    desk.commit()
    desk.write(f"odd/{name}", "def strange():\n    return 2\n")
    assert [row["path"] for row in rows(desk.affected(), "files")] == [f"odd/{name}"]


def test_before_the_first_commit_everything_is_added(repository: Path, open_desk: Callable[[Path], Desk]) -> None:
    desk = open_desk(repository)
    assert set(desk.affected()) == {"base"}
    desk.write("a.py", "def one():\n    return 1\n")
    assert rows(desk.affected(), "files") == [{"change": "added", "path": "a.py"}]


def test_changes_inside_a_submodule_are_seen(desk: Desk, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    desk._git(inner, "init", "-q")
    (inner / "part.py").write_text("def part():\n    return 1\n")
    desk._git(inner, "add", "-A")
    desk._git(inner, "commit", "-qm", "inner")
    desk.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "vendored")
    desk.commit()
    desk.write("vendored/part.py", "def part():\n    return 2\n")
    assert [row["path"] for row in rows(desk.affected(), "files")] == ["vendored/part.py"]


def test_outside_git_it_is_an_error_that_says_so(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(NotARepository):
        affected(open_workspace(plain), {})


def test_the_reply_stays_within_its_budget(desk: Desk) -> None:
    for number in range(80):
        desk.write(f"gen/file{number}.py", f"def made_{number}():\n    return {number}\n")
    reply = affected(desk.ws, {"budget_tokens": 500})
    assert len(compact({"data": reply.data, "meta": reply.meta}).encode()) <= 2000
    assert record(reply)["symbols_omitted"] or record(reply)["files_omitted"]


@pytest.mark.parametrize(
    ("path", "near"), [("use.py", "lib/use.py"), ("lib/usee.py", "lib/use.py"), ("no/such.py", "folder does not exist")]
)
def test_a_path_that_is_neither_there_nor_in_the_change_is_refused_with_near_names(
    desk: Desk, path: str, near: str
) -> None:
    desk.affected()
    with pytest.raises(NotFound) as caught:
        desk.affected(paths=["lib/use.py", path])
    assert path in caught.value.message
    assert near in caught.value.hint


def test_a_deleted_file_can_be_asked_about_from_the_root_and_from_its_folder(
    desk: Desk, open_desk: Callable[[Path], Desk]
) -> None:
    (desk.root / "lib/use.py").unlink()
    assert [row["change"] for row in rows(desk.affected(paths=["lib/use.py"]), "files")] == ["deleted"]
    inner = open_desk(desk.root / "lib")
    assert [row["path"] for row in rows(inner.affected(paths=["use.py"]), "files")] == ["lib/use.py"]

"""Odd places: empty repositories, no commits, no git, no store, read-only answers; each answers, and nothing breaks."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotFound, StoreError
from anchormem.model import JsonObject
from anchormem.project.identity import repository_key
from anchormem.store.repositories import locate
from anchormem.workspace.recall import recall
from anchormem.workspace.session import close, now_ms, open_workspace
from workspace.answers.desk import Desk, record

EVERY_READ = ("status", "list", "consolidate", "ledger", "gc")


def answers_everything(desk: Desk) -> None:
    for op in EVERY_READ:
        desk.admin(op)
    assert desk.found("anything at all") == []
    assert desk.queue() == []
    assert desk.map(".")["directory"] == "."
    with pytest.raises(NotFound):
        desk.map("nothing")


def test_an_empty_repository_answers_everything(repository: Path, open_desk: Callable[[Path], Desk]) -> None:
    desk = open_desk(repository)
    answers_everything(desk)
    assert record(desk.admin("index"))["files"] == 0
    desk.know("nothing is here yet")
    assert desk.found("what is here yet")[0]["flags"] == ["unanchored"]


def test_a_repository_without_commits_remembers(repository: Path, open_desk: Callable[[Path], Desk]) -> None:
    desk = open_desk(repository)
    desk.write("a.py", "def first_thing(value):\n    return value + 1\n")
    name = desk.know("first_thing adds one", {"file": "a.py", "symbol": "first_thing"})
    desk.edit("a.py", "+ 1", "+ 2")
    assert desk.whole(name)["status"] == "stale"


def test_a_folder_outside_git_answers_everything(tmp_path: Path, open_desk: Callable[[Path], Desk]) -> None:
    (tmp_path / "plain").mkdir()
    desk = open_desk(tmp_path / "plain")
    answers_everything(desk)
    desk.write("a.py", "def first_thing(value):\n    return value + 1\n")
    name = desk.know("first_thing adds one", {"file": "a.py", "symbol": "first_thing"})
    desk.edit("a.py", "+ 1", "+ 2")
    assert desk.whole(name)["status"] == "stale"


def test_a_store_that_was_used_and_is_gone_is_told(repository: Path) -> None:
    ws = open_workspace(repository)
    close(ws)
    assert not ws.warnings
    data, key = ws.directory.parent, repository_key(ws.identity)
    before_yesterday = now_ms() - 172_800_000
    locate(
        data,
        identity=ws.identity,
        key=key,
        root=str(ws.root.path),
        checkout_key=ws.checkout,
        common_dir=str(ws.root.common_dir),
        now=before_yesterday,
    )
    shutil.rmtree(ws.directory)
    assert any(str(ws.directory) in one and "gone" in one for one in open_and_warn(repository))
    assert not open_and_warn(repository)


def open_and_warn(root: Path) -> list[str]:
    ws = open_workspace(root)
    close(ws)
    return ws.warnings


def test_a_folder_in_one_that_has_memories_is_told_of_them_once(tmp_path: Path, git: Callable[..., str]) -> None:
    inner = tmp_path / "my notes" / "part" / "deeper"
    inner.mkdir(parents=True)
    assert not open_and_warn(tmp_path / "my notes")
    (said,) = open_and_warn(inner)
    assert f"--root '{tmp_path / 'my notes'}'" in said
    assert not open_and_warn(inner)
    git(inner.parent, "init", "-q")
    assert not open_and_warn(inner.parent)


@pytest.mark.skipif(os.name == "nt", reason="open files cannot be removed there")
def test_an_index_of_a_store_that_is_removed_meanwhile_is_not_complete(desk: Desk) -> None:
    def remove(_done: int, _todo: int) -> None:
        shutil.rmtree(desk.ws.directory, ignore_errors=True)

    with pytest.raises(StoreError, match="removed or replaced"):
        desk.admin("index", full=True, progress=remove)
    with pytest.raises(StoreError, match="removed or replaced"):
        desk.admin("index", full=True)


def test_a_reader_in_a_new_repository_creates_nothing(repository: Path, private_home: Path) -> None:
    ws = open_workspace(repository, write=False)
    assert recall(ws, {"task": "anything"}).data == []
    assert not (private_home / "data").exists()


def test_a_call_from_a_subdirectory_sees_the_same_memories(desk: Desk, open_desk: Callable[[Path], Desk]) -> None:
    name = desk.know("seed takes the first paths", {"file": "lib/queue.py", "symbol": "seed"})
    assert open_desk(desk.root / "lib").found("seed paths")[0]["id"] == name


def test_a_memory_of_another_branch_is_unknown_and_not_dead(desk: Desk) -> None:
    desk.git("checkout", "-qb", "other")
    desk.write("lib/only.py", "def only_here(paths):\n    return [path for path in paths if path.exists()]\n")
    desk.commit()
    commit = desk.git("rev-parse", "HEAD")
    name = desk.know("only_here filters", {"file": "lib/only.py", "symbol": "only_here"})
    desk.git("checkout", "-q", "main")
    item = desk.whole(name)
    assert item["anchors"] == [
        {"at": "lib/only.py::only_here", "fate": "unknown", "reason": "other_branch", "commit": commit.strip()[:10]}
    ]
    assert item["status"] == "unknown"
    assert item["flags"] == ["unknown:other_branch"]


def warnings(meta: JsonObject) -> list[str]:
    value = meta.get("warnings", [])
    assert isinstance(value, list)
    return value


def test_a_malformed_configuration_is_a_warning_in_every_answer(desk: Desk) -> None:
    desk.write(".anchormem.json", "{ not json")
    for meta in (desk.recall("x").meta, desk.admin("status").meta, desk.admin("index").meta):
        assert any(".anchormem.json" in str(one) for one in warnings(meta))


def test_every_answer_carries_the_six_base_figures(desk: Desk) -> None:
    name = desk.know("seed takes the first paths", {"file": "lib/queue.py", "symbol": "seed"})
    replies = [desk.recall("seed"), desk.remember("batch cuts slices", {"file": "lib/queue.py", "symbol": "batch"})]
    replies += [desk.admin(op) for op in ("index", "status", "list", "consolidate", "ledger", "ledger_reset", "gc")]
    replies += [desk.admin(op, ids=[name]) for op in ("get", "history", "confirm", "archive", "restore", "forget")]
    for reply in replies:
        freshness, completeness = reply.meta["freshness"], reply.meta["completeness"]
        staleness = reply.meta["staleness"]
        assert isinstance(freshness, dict)
        assert isinstance(completeness, dict)
        assert isinstance(staleness, dict)
        assert {"indexed_at", "dirty"} <= set(freshness)
        assert {"matched", "returned"} <= set(completeness)
        assert {"stale", "contradicted"} <= set(staleness)

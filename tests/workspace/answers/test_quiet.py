"""A quiet call reads the anchored files from the store once, and again as soon as anything in it has changed."""

from pathlib import Path

from anchormem.model import Slot
from anchormem.store import anchors, files
from anchormem.workspace import anchored
from anchormem.workspace.freshness import refresh
from anchormem.workspace.recall import recall
from anchormem.workspace.remember import remember
from anchormem.workspace.session import Workspace, close, open_workspace, settle
from anchormem.workspace.sweep import sweep

CODE = """def drain(queue, limit=50):
    while queue and limit:
        queue.pop()
        limit -= 1
    return queue
"""


def settled(root: Path) -> Workspace:
    ws = open_workspace(root)
    ws.now = lambda: 4_000_000_000_000  # long after the files were written: none is racy
    sweep(ws)
    remember(ws, {"kind": "fact", "body": "drain stops at fifty", "anchors": ["a.py::drain"]})
    for _ in range(2):
        refresh(ws)
    return ws


def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "b.py").write_text("x = 1\n")
    return tmp_path


def test_recalls_and_their_receipts_leave_what_is_known(tmp_path: Path) -> None:
    ws = settled(project(tmp_path))
    before = ws.anchored
    recall(ws, {"task": "drain"})
    settle(ws)
    recall(ws, {"task": "drain"})
    assert ws.anchored is before
    close(ws)


def test_a_quiet_recall_reads_no_memory_again(tmp_path: Path) -> None:
    ws = settled(project(tmp_path))
    told = recall(ws, {"task": "drain"})
    settle(ws)
    sweep(ws)
    before = ws.known
    read: list[str] = []
    ws.store._connection.set_trace_callback(read.append)
    again = recall(ws, {"task": "drain"})
    assert (again.data, ws.known) == (told.data, before)
    assert not [statement for statement in read if "hit_rows" in statement or "main.search_content s" in statement]
    close(ws)


def test_what_a_recall_shows_is_what_is_stored_now(tmp_path: Path) -> None:
    ws = settled(project(tmp_path))

    def shown() -> list[tuple[str, str, tuple[str, ...]]]:
        data = recall(ws, {"task": "drain stops", "budget_tokens": 4_000}).data
        settle(ws)
        assert isinstance(data, list)
        return sorted((item["body"], item.get("status", "active"), tuple(item.get("flags", ()))) for item in data)

    assert shown() == [("drain stops at fifty", "active", ())]
    other = open_workspace(tmp_path)
    other.now = ws.now
    remember(other, {"kind": "fact", "body": "drain stops at sixty", "anchors": ["a.py::drain"], "force": True})
    assert [body for body, _, flags in shown() if any("contradicted" in flag for flag in flags)] == [
        "drain stops at fifty",
        "drain stops at sixty",
    ]
    (tmp_path / "a.py").write_text(CODE.replace("limit -= 1", "limit -= 2"))
    sweep(other)
    assert [status for _, status, _ in shown()] == ["stale", "stale"]
    (tmp_path / "a.py").write_text(CODE)
    assert [status for _, status, _ in shown()] == ["active", "active"]
    close(other)
    close(ws)


def test_a_new_memory_of_another_process_is_seen(tmp_path: Path) -> None:
    ws = settled(project(tmp_path))
    other = open_workspace(tmp_path)
    remember(other, {"kind": "fact", "body": "x is one", "anchors": ["b.py"]})
    close(other)
    (tmp_path / "b.py").write_text("x = 2\n")
    found = recall(ws, {"task": "x is one"}).data
    assert isinstance(found, list)
    assert [item["flags"] for item in found] == [["stale:file_edited"]]
    close(ws)


def test_a_file_state_of_another_process_is_seen(tmp_path: Path) -> None:
    ws = settled(project(tmp_path))
    other = open_workspace(tmp_path)
    files.remove(other.store, ["a.py"])
    close(other)
    known = anchored.read(ws.store, ws.anchored)
    assert known.signatures == {"a.py": None}
    assert known.moved(ws.root) == ["a.py"]
    close(ws)


def test_an_own_change_is_seen(tmp_path: Path) -> None:
    ws = settled(project(tmp_path))
    [held] = anchors.every_live(ws.store)
    anchors.add_slot(ws.store, held.anchor.id, Slot("b.py", "drain"))
    assert set(anchored.read(ws.store, ws.anchored).signatures) == {"a.py", "b.py"}
    close(ws)

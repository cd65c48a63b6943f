"""When many files changed at once a recall looks only at what they anchor, says the same, and stores nothing of it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from anchormem.model import Fate
from anchormem.store import fates, files
from anchormem.workspace.freshness import refresh
from anchormem.workspace.recall import recall
from anchormem.workspace.remember import remember
from anchormem.workspace.session import Workspace, close, open_workspace
from anchormem.workspace.sweep import sweep

FUNCTION = """def {name}(rows, limit={n}):
    kept = []
    for row in rows[:limit]:
        kept.append(row + {n})
    return kept
"""
FILES = 6


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Six files of three functions; the middle one of each is anchored. Any change is many for these tests."""
    monkeypatch.setattr("anchormem.workspace.freshness.ENOUGH_BYTES", 0)
    for n in range(FILES):
        names = (f"before_{n}", f"middle_{n}", f"after_{n}")
        text = "\n".join(FUNCTION.format(name=name, n=10 * n + i) for i, name in enumerate(names))
        (tmp_path / f"m{n}.py").write_text(text)
    ws = open_workspace(tmp_path)
    sweep(ws)
    for n in range(FILES):
        remember(ws, {"kind": "fact", "body": f"middle {n} is bounded", "anchors": [f"m{n}.py::middle_{n}"]})
    return ws


def edit(ws: Workspace, old: str, new: str) -> None:
    for n in range(FILES):
        path = ws.root.path / f"m{n}.py"
        text = path.read_text()
        assert re.search(old.format(n=n), text)
        path.write_text(re.sub(old.format(n=n), new.format(n=n), text, count=1))


def told(found: dict[int, Fate]) -> list[tuple[str, str, str]]:
    return sorted((fate.name, fate.reason, fate.change.summary) for fate in found.values())


def stored(ws: Workspace) -> dict[int, Fate]:
    return {anchor: row.fate for anchor, row in fates.get_all(ws.store).items()}


def test_a_glimpse_says_what_a_whole_look_says(ws: Workspace) -> None:
    edit(ws, r"(middle_{n}\(rows, limit=)\d+", r"\g<1>777")
    before, looked = stored(ws), files.every(ws.store)
    fresh = refresh(ws, quick=True)
    assert len(fresh.unsaved) == FILES
    assert (stored(ws), files.every(ws.store)) == (before, looked)
    whole = {anchor: replace(fate, change=fresh.changes[anchor]()) for anchor, fate in fresh.unsaved.items()}
    refresh(ws)
    assert told(whole) == told(stored(ws))
    assert {fate.reason for fate in stored(ws).values()} == {"body_edited"}
    close(ws)


def test_what_stands_beside_the_anchored_code_may_change(ws: Workspace) -> None:
    edit(ws, r"(before_{n}\(rows, limit=)\d+", r"\g<1>777")
    fresh = refresh(ws, quick=True)
    assert {fate.name for fate in fresh.unsaved.values()} == {"fresh"}
    assert set(fresh.dirty_files) == {f"m{n}.py" for n in range(FILES)}
    assert fresh.owed
    close(ws)


def test_a_recall_tells_the_truth_by_a_glimpse_and_the_sweep_keeps_it(ws: Workspace) -> None:
    edit(ws, r"(middle_{n}\(rows, limit=)\d+", r"\g<1>777")
    reply = recall(ws, {"task": "middle is bounded"})
    assert isinstance(reply.data, list)
    assert [item["flags"] for item in reply.data] == [["stale:body_edited"]] * FILES
    assert sorted(item["changed"] for item in reply.data) == [f"{10 * n + 1} → 777" for n in range(FILES)]
    sweep(ws)
    assert {fate.reason for fate in stored(ws).values()} == {"body_edited"}
    assert refresh(ws, quick=True).unsaved == {}
    close(ws)


def test_an_empty_slot_is_searched_for_before_the_reply(ws: Workspace) -> None:
    edit(ws, r"middle_{n}\(", "renamed_{n}(")
    fresh = refresh(ws, quick=True)
    assert fresh.unsaved == {}
    assert {fate.name for fate in stored(ws).values()} == {"followed"}
    close(ws)


def test_a_quote_and_a_file_are_looked_at_whole(ws: Workspace) -> None:
    remember(ws, {"kind": "fact", "body": "a quote", "anchors": [{"file": "m1.py", "quote": "row + 11"}]})
    remember(ws, {"kind": "fact", "body": "a file", "anchors": ["m2.py"]})
    edit(ws, r"row \+ \d+", "row + 5")
    fresh = refresh(ws, quick=True)
    reasons = sorted(fate.reason for fate in fresh.unsaved.values() if fate.name != "fresh")
    assert reasons == ["file_edited"]  # the first function of each file was edited, the quote is of the second
    quoted = ws.root.path / "m1.py"
    quoted.write_text(quoted.read_text().replace("row + 11", "row + 12"))
    reasons = sorted(fate.reason for fate in refresh(ws, quick=True).unsaved.values() if fate.name != "fresh")
    assert "quote_gone" in reasons
    close(ws)


def test_a_call_beside_a_sweep_is_not_told_the_old_fates_of_what_the_sweep_has_read(ws: Workspace) -> None:
    edit(ws, r"(middle_{n}\(rows, limit=)\d+", r"\g<1>777")
    heard = []

    def beside(done: int, total: int) -> None:
        with_me = open_workspace(ws.root.path)
        reply = recall(with_me, {"task": "middle is bounded"})
        assert isinstance(reply.data, list)
        heard.append((done == total, {item.get("status") for item in reply.data}))
        close(with_me)

    sweep(ws, progress=beside)
    assert (True, {"stale"}) in heard
    close(ws)


def test_few_changed_bytes_are_looked_at_whole(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anchormem.workspace.freshness.ENOUGH_BYTES", 128 * 1024)
    edit(ws, r"(middle_{n}\(rows, limit=)\d+", r"\g<1>777")
    assert refresh(ws, quick=True).unsaved == {}
    assert {fate.reason for fate in stored(ws).values()} == {"body_edited"}
    close(ws)

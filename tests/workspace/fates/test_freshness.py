"""What a call costs and what it never misses."""

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.model import Slot
from anchormem.store import anchors, fates, memories
from anchormem.store.db import open_store
from anchormem.workspace import anchored, stamps
from anchormem.workspace.freshness import refresh
from anchormem.workspace.survey import survey
from anchormem.workspace.sweep import sweep
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE, TALLY


def part(number: int) -> str:
    return TALLY.replace("tally", f"tally{number}").replace("+ 1", f"+ {number + 2}")


@pytest.fixture
def parts(project: Project) -> Project:
    """Forty files, each anchored, all committed, swept and old enough not to be racy."""
    for number in range(40):
        project.write(f"src/part{number}.py", part(number))
    project.commit()
    age(project.root)
    project.sweep()
    return project


def age(root: Path) -> None:
    """Lets every file look as if it was written long ago; the change time cannot be set, so the clock is moved on."""
    for path in root.rglob("*.py"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def later(project: Project, seconds: int) -> None:
    """The same workspace, some seconds on."""
    now = project.ws.now
    project.ws.now = lambda: now() + seconds * 1000


def remember_all(project: Project) -> list[str]:
    return [project.remember(f"src/part{number}.py::tally{number}") for number in range(0, 40, 4)]


def test_a_quiet_call_starts_no_process_reads_nothing_and_writes_nothing(
    parts: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember_all(parts)
    later(parts, 10)
    parts.call()
    started: list[object] = []
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: started.append((a, k)))
    monkeypatch.setattr("anchormem.workspace.freshness.look", lambda *a: started.append(a))
    before = parts.ws.store.sizes()
    assert parts.call().unchecked == 0
    assert started == []
    assert parts.ws.store.sizes() == before


@pytest.mark.parametrize("count", [1, 10])
def test_any_number_of_edits_shows_on_the_very_next_call(parts: Project, count: int) -> None:
    held = remember_all(parts)
    for number in range(0, 4 * count, 4):
        parts.replace(f"src/part{number}.py", "row[column]", "row.get(column)")
    parts.call()
    names = [parts.stored(memory)[0].name for memory in held]
    assert names == ["stale"] * count + ["fresh"] * (len(held) - count)


def test_a_same_size_edit_within_one_tick_of_the_clock_is_seen(parts: Project) -> None:
    memory = parts.remember("src/part0.py::tally0")
    target = parts.root / "src/part0.py"
    for turn in range(6):
        digit = "2" if turn % 2 else "3"
        stamp = target.stat()
        target.write_text(part(0).replace("+ 2", f"+ {digit}"), "utf-8")
        os.utime(target, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert parts.fate(memory).name == ("fresh" if digit == "2" else "stale")


def test_a_touched_file_changes_nothing(parts: Project) -> None:
    memory = parts.remember("src/part0.py::tally0")
    (parts.root / "src/part0.py").touch()
    assert parts.fate(memory).name == "fresh"
    assert parts.last.dirty_files == ()


def test_named_files_are_known_after_the_call_and_ignored_ones_are_not(parts: Project) -> None:
    parts.write(".gitignore", "*.secret.py\n")
    parts.write("src/new.py", QUEUE)
    parts.write("src/keys.secret.py", QUEUE)
    refresh(parts.ws, ["src/new.py", "src/keys.secret.py", "/etc/passwd", "../x", "src", ""])
    places = parts.places("src/new.py", "drain")
    assert [place.slot for place in places] == [Slot("src/new.py", "drain")]
    assert parts.places("src/keys.secret.py", "drain") == []


def test_the_envelope_says_what_changed_since_the_last_sweep(parts: Project) -> None:
    parts.remember("src/part0.py::tally0")
    parts.replace("src/part0.py", "row[column]", "row.get(column)")
    fresh = parts.call()
    assert fresh.dirty_files == ("src/part0.py",)
    assert fresh.owed
    parts.sweep()
    fresh = parts.call()
    assert (fresh.dirty_files, fresh.owed) == ((), False)
    assert fresh.indexed_at > 0


def test_two_workspaces_on_one_checkout_see_the_same(parts: Project, open_project: Callable[[Path], Project]) -> None:
    other = open_project(parts.root)
    memory = parts.remember("src/part0.py::tally0")
    parts.replace("src/part0.py", "row[column]", "row.get(column)")
    assert other.fate(memory).name == "stale"
    assert parts.fate(memory).name == "stale"
    parts.write("src/part0.py", part(0))
    assert parts.fate(memory).name == "fresh"
    assert other.fate(memory).name == "fresh"


def test_a_new_setting_takes_effect_on_the_next_sweep(project: Project) -> None:
    project.write("tool.pyx9", TALLY)
    project.commit()
    project.sweep()
    assert project.places("tool.pyx9", "tally") == []
    project.write(".anchormem.json", '{"extensions": {".pyx9": "py"}}')
    project.call()
    project.sweep()
    assert len(project.places("tool.pyx9", "tally")) == 1


def test_broken_settings_warn_in_every_reply(project: Project) -> None:
    project.write(".anchormem.json", "{")
    assert project.call().warnings


def test_a_lost_index_costs_a_sweep_and_no_fate(parts: Project) -> None:
    memory = parts.remember("src/part0.py::tally0")
    store = parts.ws.store
    with store.deriving():
        fates.outdate(store)
    assert parts.fate(memory).name == "fresh"


def test_a_scan_writes_nothing_to_a_memory_but_one_more_slot(parts: Project) -> None:
    memory = parts.remember("src/part0.py::tally0")
    before = memories.one(parts.ws.store, memory)
    parts.move("src/part0.py", "src/moved.py")
    assert parts.fate(memory).name == "followed"
    after = memories.one(parts.ws.store, memory)
    (old,), (new,) = before.anchors, after.anchors
    assert new.slots == (*old.slots, Slot("src/moved.py", "tally0"))
    assert after.updated_at == before.updated_at
    assert [(a.body, a.raw, a.slot) for a in after.anchors] == [(a.body, a.raw, a.slot) for a in before.anchors]


def test_a_store_that_cannot_be_written_still_tells_the_truth(
    parts: Project, open_project: Callable[[Path], Project]
) -> None:
    memory = parts.remember("src/part0.py::tally0")
    parts.replace("src/part0.py", "row[column]", "row.get(column)")
    with parts.ws.store.deriving():
        other = open_project(parts.root)
        anchor = memories.one(other.ws.store, memory).anchors[0].id
        other.ws.store = open_store(other.ws.directory, other.ws.checkout, budget_ms=50)
        fresh = other.call()
        row = fates.get(other.ws.store, (anchor,)).get(anchor)
        told = fresh.unsaved.get(anchor) or (row.fate if row else None)
    assert told is not None
    assert (told.name, told.reason) == ("stale", "body_edited")
    assert fresh.scan_failed


def test_an_index_held_for_a_moment_delays_a_call_but_makes_nothing_unknown(
    parts: Project, open_project: Callable[[Path], Project]
) -> None:
    memory = parts.remember("src/part0.py::tally0")
    parts.replace("src/part0.py", "row[column]", "row.get(column)")
    other = open_project(parts.root)
    other.ws.store = open_store(other.ws.directory, other.ws.checkout, budget_ms=700)
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        holder = open_store(other.ws.directory, other.ws.checkout)
        with holder.deriving():
            held.set()
            release.wait(1.0)
        holder.close()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(5)
    fresh = other.call()
    thread.join()
    anchor = memories.one(other.ws.store, memory).anchors[0].id
    told = fresh.unsaved.get(anchor) or fates.get(other.ws.store, (anchor,))[anchor].fate
    assert (told.name, told.reason) == ("stale", "body_edited")
    other.call()
    row = fates.get(other.ws.store, (anchor,))[anchor]
    assert (row.fate.name, row.fate.reason) == ("stale", "body_edited")


def test_the_first_index_is_interrupted_and_resumed_without_parsing_twice(project: Project) -> None:
    for number in range(30):
        project.write(f"src/part{number}.py", part(number))
    project.commit()
    calls: list[int] = []

    def enough(done: int, _todo: int) -> None:
        calls.append(done)

    first = sweep(project.ws, progress=enough, cancelled=lambda: len(calls) >= 1)
    assert first.outcome == "cancelled"
    second = sweep(project.ws)
    assert second.outcome == "complete"
    assert first.parsed + second.parsed == 30
    assert sweep(project.ws).read <= 30


def test_known_contents_are_not_parsed_again_in_another_worktree(
    parts: Project, tmp_path: Path, open_project: Callable[[Path], Project]
) -> None:
    parts.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    other = open_project(tmp_path / "other")
    report = sweep(other.ws)
    assert (report.files, report.parsed) == (40, 0)


def test_a_second_sweeper_is_told_that_one_is_busy(parts: Project, open_project: Callable[[Path], Project]) -> None:
    other = open_project(parts.root)
    with parts.ws.store.sweep_lock() as mine:
        assert mine
        assert sweep(other.ws).outcome == "busy"
        memory = parts.remember("src/part0.py::tally0")
        parts.move("src/part0.py", "elsewhere.py")
        fresh = refresh(other.ws, patience_ms=50)
        assert fresh.unchecked == 1
        fate = other.stored(memory)[0]
        assert (fate.name, fate.reason) == ("unknown", "pending")
    assert other.fate(memory).name == "followed"


def test_a_first_index_with_worker_processes_finds_the_same(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anchormem.workspace.parsing.WORTH_A_POOL_BYTES", 0)
    for number in range(30):
        project.write(f"src/part{number}.py", part(number))
    project.commit()
    report = sweep(project.ws)
    assert (report.parsed, report.symbols) == (30, 30)
    assert project.fate(project.remember("src/part7.py::tally7")).name == "fresh"


def test_deleted_files_leave_no_ghosts(parts: Project) -> None:
    parts.delete("src/part3.py")
    parts.commit()
    report = sweep(parts.ws)
    assert (report.removed, report.symbols) == (1, 39)
    assert anchors.live_count(parts.ws.store) == 0


def test_a_racy_look_is_told_from_a_settled_one() -> None:
    seen = (1, 10, 5_000_000_000, 5_000_000_000)
    assert anchored.signature(seen, 6_000_000_000) == anchored.UNSURE
    assert anchored.signature(seen, 7_000_000_000) == seen


def test_a_full_index_under_way_makes_no_file_look_changed(parts: Project) -> None:
    later(parts, 10)
    seen: list[int] = []
    sweep(parts.ws, progress=lambda _done, _todo: seen.append(stamps.read(parts.ws.store).left), full=True)
    assert set(seen) == {0}
    parts.replace("src/part3.py", "+ 5", "+ 9")
    left = survey(parts.ws, full=True, doubt=False).moved
    assert "src/part3.py" in left
    assert len(left) == 1

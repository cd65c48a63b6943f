"""A sweep where little or nothing changed: it costs little, and tells what a sweep from nothing would."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from anchormem.store import facts
from anchormem.workspace.freshness import refresh
from anchormem.workspace.session import Workspace, open_workspace
from anchormem.workspace.sweep import sweep

Git = Callable[..., str]
TWO = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


@pytest.fixture
def opened(repository: Path, git: Git) -> Iterator[Callable[[Path], Workspace]]:
    """Opens checkouts of a repository with two files of two functions each."""
    for name in ("a.py", "b.py"):
        (repository / name).write_text(TWO.replace("one", f"one_{name[0]}"), "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two files")
    with ExitStack() as stack:

        def one(root: Path) -> Workspace:
            ws = open_workspace(root)
            now = ws.now
            ws.now = lambda: now() + 10_000  # no file is so young that it has to be read again
            stack.enter_context(closing(ws.store))
            return ws

        yield one


def test_symbols_are_counted_right_whatever_happened_between_two_sweeps(
    repository: Path, opened: Callable[[Path], Workspace]
) -> None:
    ws = opened(repository)
    assert [sweep(ws).symbols, sweep(ws).symbols] == [4, 4]
    (repository / "b.py").write_text(TWO + "\n\ndef three():\n    return 3\n", "utf-8")
    refresh(ws, ["b.py"])  # a call takes the change in, so that the sweep finds nothing changed
    report = sweep(ws)
    assert (report.parsed, report.symbols) == (0, 5)
    assert sweep(ws, full=True).symbols == 5
    (repository / "a.py").unlink()
    assert [sweep(ws).symbols, sweep(ws).symbols] == [3, 3]


def test_a_file_that_is_no_longer_listed_is_gone_and_back_when_it_is(
    repository: Path, opened: Callable[[Path], Workspace]
) -> None:
    ws = opened(repository)
    assert sweep(ws).files == 2
    (repository / ".anchormemignore").write_text("b.py\n", "utf-8")
    report = sweep(ws)
    assert (report.removed, report.symbols) == (1, 2)
    (repository / ".anchormemignore").unlink()
    assert sweep(ws).symbols == 4


def test_facts_lost_and_made_again_for_another_checkout_are_made_again_for_this_one_too(
    repository: Path, git: Git, tmp_path: Path, opened: Callable[[Path], Workspace]
) -> None:
    beside = tmp_path / "beside"
    git(repository, "worktree", "add", "-q", str(beside))
    here = opened(repository)
    assert sweep(here).symbols == 4
    here.store.close()
    (here.directory / "facts.db").unlink()
    for name in ("a.py", "b.py"):
        (beside / name).write_text((beside / name).read_text("utf-8").replace("two", "both"), "utf-8")
    (beside / "b.py").write_text((repository / "b.py").read_text("utf-8"), "utf-8")
    assert sweep(opened(beside)).symbols == 4
    again = opened(repository)
    assert facts.totals(again.store).parsed == 1, "b.py, which both have"
    assert sweep(again).parsed == 1
    assert facts.totals(again.store) == facts.Totals(2, 2, 4, facts.totals(again.store).source_bytes)


def test_a_sweep_tells_what_looking_took_apart_from_reading_and_parsing(
    repository: Path, opened: Callable[[Path], Workspace]
) -> None:
    for number in range(30):
        (repository / f"m{number}.py").write_text(TWO.replace("one", f"one_{number}") * 20, "utf-8")
    report = sweep(opened(repository))
    assert report.parsed == 32
    assert 0 < report.looking_seconds < report.seconds

"""A small real project for each test of an answer."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anchormem.workspace.session import close
from workspace.answers.desk import NOTES, QUEUE, USE, Desk, Git


@pytest.fixture
def open_desk(git: Git) -> Iterator[Callable[[Path], Desk]]:
    """Opens checkouts and closes them all."""
    opened: list[Desk] = []

    def make(root: Path) -> Desk:
        opened.append(Desk(root, git))
        return opened[-1]

    yield make
    for one in opened:
        close(one.ws)


@pytest.fixture
def desk(repository: Path, open_desk: Callable[[Path], Desk]) -> Desk:
    """The small project, committed and indexed."""
    one = open_desk(repository)
    one.write("lib/queue.py", QUEUE)
    one.write("lib/use.py", USE)
    one.write("NOTES.md", NOTES)
    one.commit("first")
    one.admin("index")
    return one

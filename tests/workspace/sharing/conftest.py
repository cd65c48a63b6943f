"""The small project of the answers, not indexed beforehand: what arrives from others brings no code."""

from collections.abc import Callable
from pathlib import Path

import pytest

from workspace.answers.conftest import open_desk
from workspace.answers.desk import QUEUE, USE, Desk

__all__ = ["open_desk"]


@pytest.fixture
def desk(repository: Path, open_desk: Callable[[Path], Desk]) -> Desk:
    one = open_desk(repository)
    one.write("lib/queue.py", QUEUE)
    one.write("lib/use.py", USE)
    one.commit("first")
    return one

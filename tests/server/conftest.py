"""Servers to talk to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.wire import Pipes


@pytest.fixture
def served(repository: Path) -> Iterator[Pipes]:
    """A server in a repository with one small module, hands shaken."""
    (repository / "jobs.py").write_text("BATCH = 50\n\n\ndef drain(queue):\n    return queue[:BATCH]\n", "utf-8")
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        yield pipes


@pytest.fixture
def large(repository: Path) -> Path:
    """A repository whose first index takes a few seconds."""
    functions = "\n\n".join(f"def f{i}(a, b):\n    c = a + b * {i}\n    return [c, a, b]" for i in range(60))
    for number in range(1500):
        folder = repository / f"p{number % 30}"
        folder.mkdir(exist_ok=True)
        (folder / f"m{number}.py").write_text(f"{functions}\n\nN = {number}\n", "utf-8")
    return repository

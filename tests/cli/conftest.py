from collections.abc import Callable
from pathlib import Path

import pytest

from cli.cold import known


@pytest.fixture
def project(repository: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> Path:
    """A committed project with one memory, and an index."""
    known(repository, git)
    capsys.readouterr()
    return repository

"""A store in a directory of its own for each test of this room."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormem.store.db import Store, open_store


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Where the store of a test lies; nothing is there yet."""
    return tmp_path / "data" / "repository-key"


@pytest.fixture
def store(directory: Path) -> Iterator[Store]:
    """An open store, empty."""
    with open_store(directory, "checkout") as opened:
        yield opened

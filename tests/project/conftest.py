"""Repositories that several files of this folder look at."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

Git = Callable[..., str]
BODY = "".join(f"line {number}\n" for number in range(30))


class History(NamedTuple):
    path: Path
    first: str
    second: str


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def commit(git: Git, root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "change")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def history(repository: Path, git: Git) -> History:
    """Two commits: between them a.py was edited, src/old.py renamed to src/new.py, gone.py deleted."""
    for path in ("a.py", "src/old.py", "gone.py"):
        write(repository, path, f"{path}\n{BODY}")
    first = commit(git, repository)
    write(repository, "a.py", "edited\n")
    git(repository, "mv", "src/old.py", "src/new.py")
    git(repository, "rm", "-q", "gone.py")
    return History(repository, first, commit(git, repository))


@pytest.fixture
def with_submodule(repository: Path, tmp_path: Path, git: Git) -> History:
    """Two commits: between them x.py of the submodule lib was edited."""
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    write(library, "x.py", "one\n")
    write(library, "y.py", "y\n")
    commit(git, library)
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib")
    first = commit(git, repository)
    write(repository, "lib/x.py", "two\n")
    commit(git, repository / "lib")
    return History(repository, first, commit(git, repository))

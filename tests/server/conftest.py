"""Servers to talk to, and what they serve. Starting one costs most of a second: stories share where they can."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.wire import Pipes

MODULE = "BATCH = 50\n\n\ndef drain(queue):\n    return queue[:BATCH]\n"


def make_repository(root: Path) -> Path:
    """An empty git repository, made outside the fixtures that guard single tests."""
    root.mkdir()
    git(root, "init", "-q")
    return root


def git(root: Path, *arguments: str) -> None:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=anchormem tests", "-c", "user.email=tests@example.invalid")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, env=environment)


def home_of(folder: Path) -> dict[str, str]:
    """An environment whose home and data are in this folder."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    return {"HOME": str(home), "ANCHORMEM_DATA_DIR": str(home / "data"), "GIT_CONFIG_GLOBAL": "/dev/null"}


@pytest.fixture
def served(repository: Path) -> Iterator[Pipes]:
    """A server of one test's own, in a repository with one small module, hands shaken."""
    (repository / "jobs.py").write_text(MODULE, "utf-8")
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        yield pipes


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipes]:
    """A server for all tests of a module, in a repository with one small module, hands shaken."""
    folder = tmp_path_factory.mktemp("shared")
    root = make_repository(folder / "repository")
    (root / "jobs.py").write_text(MODULE, "utf-8")
    with Pipes(root, env=home_of(folder) | {"CLAUDE_PROJECT_DIR": str(root)}) as pipes:
        pipes.shake_hands()
        yield pipes


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose first index takes some seconds. Nobody writes to it."""
    root = make_repository(tmp_path_factory.mktemp("large") / "repository")
    functions = "\n\n".join(f"def f{i}(a, b):\n    c = a + b * {i}\n    return [c, a, b]" for i in range(30))
    for number in range(240):
        folder = root / f"p{number % 30}"
        folder.mkdir(exist_ok=True)
        (folder / f"m{number}.py").write_text(f"{functions}\n\nN = {number}\n", "utf-8")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "all of it")
    return root


@pytest.fixture(scope="session")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of few files, and of enough text that a first index takes worker processes. Nobody writes to it."""
    root = make_repository(tmp_path_factory.mktemp("heavy") / "repository")
    functions = "\n\n".join(f"def f{i}(a, b):\n    c = a + b * {i}\n    return [c, a, b]" for i in range(1200))
    for number in range(24):
        (root / f"m{number}.py").write_text(f"{functions}\n\nN = {number}\n", "utf-8")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "all of it")
    return root

"""What every test stands on: a home of its own, a data directory of its own, git that reads no user's configuration."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

REAL_HOME = Path.home()

# A busy machine is no fault of the code: time is measured by the benches. A gate asks the same questions every time;
# by hand they are new ones, so that new faults are found.
settings.register_profile("untimed", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The real home is out of reach: HOME and the data directory are fresh folders."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "share"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "anchormem tests")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "tests@example.invalid")
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    (home / "gitconfig").write_text("[init]\n\tdefaultBranch = main\n", "utf-8")
    assert Path.home() != REAL_HOME
    return home


type_git = Callable[..., str]


@pytest.fixture
def git() -> type_git:
    """`git(directory, *arguments)` runs real git and gives its output."""

    def run(directory: Path, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    return run


@pytest.fixture
def repository(tmp_path: Path, git: type_git) -> Path:
    """An empty git repository on branch main."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    return root

"""pre-commit itself reads the hook's definition and the README's configuration, and refuses what breaks a decision.

The environment that it would make, a minute of downloads, is left out: the hook runs the program that is tested.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.cli import COMMANDS, main

WHY = "pre-commit is not installed: pip install pre-commit"
pytest.importorskip("pre_commit", reason=WHY)
yaml = pytest.importorskip("yaml", reason=WHY)

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
CODE = "def send(rows, size=50):\n    return [rows[at : at + size] for at in range(0, len(rows), size)]\n"
Git = Callable[..., str]


@pytest.fixture
def hook(tmp_path: Path, git: Git) -> Path:
    """A repository as pre-commit clones it, with our definition as it is."""
    root = tmp_path / "anchormem"
    root.mkdir()
    (root / ".pre-commit-hooks.yaml").write_bytes((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a version")
    git(root, "tag", "v0.1.0")
    return root


@pytest.fixture
def team(
    repository: Path, hook: Path, git: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """A repository with one shared decision, and the configuration that the README prints."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(hook.parent / "environments"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    (repository / "jobs.py").write_text(CODE, "utf-8")
    where = ["--root", str(repository)]
    assert main(["remember", "a batch holds 50 rows", "--kind", "decision", "--anchor", "jobs.py::send", *where]) == 0
    assert main(["export", *where]) == 0
    (block,) = re.findall(r"^```yaml\n(repos:.*?)^```$", README, re.MULTILINE | re.DOTALL)
    config = block.replace("path or address of this repository", str(hook))
    assert config != block
    (repository / ".pre-commit-config.yaml").write_text(f"{config}        language: system\n", "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a decision")
    capsys.readouterr()
    return repository


def test_a_commit_that_breaks_a_decision_is_refused_and_another_passes(team: Path, git: Git) -> None:
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=team, check=True, capture_output=True)
    (team / "jobs.py").write_text(CODE.replace("50", "200"), "utf-8")
    (team / "other.py").write_text("X = 1\n", "utf-8")
    git(team, "add", "other.py")
    git(team, "commit", "-qm", "what is not staged does not count")
    git(team, "add", "jobs.py")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git(team, "commit", "-qm", "breaking")
    said = refused.value.stdout + refused.value.stderr
    assert re.search(r"^- hook id: anchormem-check$", said, re.MULTILINE)
    assert re.search(r"^stale  \w+  jobs\.py::send  \w+_edited$", said, re.MULTILINE)
    assert git(team, "log", "--format=%s").splitlines() == ["what is not staged does not count", "a decision"]


def test_the_environment_that_it_makes_has_the_command() -> None:
    """`language: python` installs this package, and the entry is a script of it."""
    (definition,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert definition["language"] == "python"
    program, command, *rest = definition["entry"].split()
    assert program in scripts
    assert (command in COMMANDS, rest) == (True, ["--staged"])

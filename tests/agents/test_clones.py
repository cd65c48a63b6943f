"""Leaving clones: the merge driver goes out of all that are known here, and what the project shares stays."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.cli import main

Git = Callable[..., str]
Told = Callable[..., str]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Runs a command and gives what it printed; `code`: how it must end."""

    def run(*arguments: str, code: int = 0) -> str:
        assert main(list(arguments)) == code, capsys.readouterr()
        return capsys.readouterr().out

    return run


@pytest.fixture
def clones(repository: Path, tmp_path: Path, git: Git, told: Told) -> tuple[Path, Path]:
    """Two clones with the driver; the second has a worktree, and a clone that is known has been deleted."""
    (repository / "README").write_text("a team\n", "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "first")
    other, gone = tmp_path / "ein Klön", tmp_path / "gone"
    for place in (other, gone):
        git(tmp_path, "clone", "-q", str(repository), str(place))
    git(other, "worktree", "add", "-q", "../tree")
    for place in (repository, other, other.with_name("tree"), gone):
        git(place, "config", "alias.st", "status")
        told("export", "--setup-git", "--root", str(place))
    gone.rename(tmp_path / "elsewhere")
    return repository, other


def config(root: Path) -> bytes:
    return (root / ".git/config").read_bytes()


def test_the_driver_goes_out_of_every_known_clone_and_what_is_shared_stays(
    clones: tuple[Path, Path], git: Git, told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    before = [config(one) for one in clones]
    planned = told("uninstall", "--dry-run")
    assert planned.count('-[merge "anchormem"]') == len(clones)
    assert [config(one) for one in clones] == before
    said = told("uninstall", "--purge")
    for one, held in zip(clones, before, strict=True):
        assert f"of the git configuration of {one}" in said
        assert f"{one / '.anchormem'}" in said
        assert config(one) == held.partition(b'[merge "anchormem"]')[0], "every other byte is as it was"
        assert git(one, "config", "alias.st") == "status"
        assert (one / ".anchormem/memory.jsonl").exists()
    assert "nothing of anchormem is left" in told("uninstall", "--purge")


def test_the_clone_one_stands_in_is_left_though_nothing_is_known_of_it(
    clones: tuple[Path, Path], home: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(home / "nothing here"))
    (clones[1] / "deep").mkdir()
    monkeypatch.chdir(clones[1] / "deep")
    told("uninstall", "--client", "zed")
    assert b"anchormem" in config(clones[1]), "one agent is left, and no more"
    told("uninstall")
    assert b"anchormem" not in config(clones[1])
    assert b"anchormem" in config(clones[0])


def test_a_clone_that_git_is_changing_is_named_with_what_to_type(
    clones: tuple[Path, Path], told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clones[0])
    (clones[0] / ".git/config.lock").touch()
    said = told("uninstall", code=1)
    assert "git config --remove-section merge.anchormem" in said
    assert b"anchormem" not in config(clones[1])
    (clones[0] / ".git/config.lock").unlink()
    told("uninstall")
    assert b"anchormem" not in config(clones[0])

"""Where HEAD is, read without starting git."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.project import git as ask
from anchormem.project.root import Root, find_root

Git = Callable[..., str]
History = tuple[Path, str, str]


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def commit(git: Git, root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "change")
    return git(root, "rev-parse", "HEAD")


def agrees(root: Path, git: Git) -> None:
    found = find_root(root)
    assert ask.head_commit(found) == ask.stamp(found).head == git(root, "rev-parse", "HEAD")
    assert ask.head_branch(found) == git(root, "branch", "--show-current")


def test_head_is_read_as_git_reads_it(history: History, tmp_path: Path, git: Git) -> None:
    root, first, _ = history
    agrees(root, git)
    git(root, "pack-refs", "--all")
    agrees(root, git)
    git(root, "checkout", "-qb", "feature/x")
    agrees(root, git)
    git(root, "checkout", "-q", first)
    agrees(root, git)
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "treebranch")
    agrees(tmp_path / "tree", git)
    git(root, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git(root, "symbolic-ref", "HEAD", "refs/heads/alias")
    assert ask.head_commit(find_root(root)) == git(root, "rev-parse", "HEAD")


def test_head_is_read_without_starting_git(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    root = find_root(history[0])
    monkeypatch.setenv("PATH", "")
    assert ask.head_commit(root) == ask.stamp(root).head == history[2]
    assert ask.head_branch(root) == "main"


def test_before_the_first_commit_and_outside_git_there_is_no_head(repository: Path, tmp_path: Path) -> None:
    assert ask.head_commit(find_root(repository)) == ""
    assert ask.head_branch(find_root(repository)) == "main"
    assert ask.stamp(Root(tmp_path)) == ask.Stamp("", "")
    assert ask.head_commit(Root(tmp_path)) == ask.head_branch(Root(tmp_path)) == ""


def test_a_head_that_points_outside_is_no_head(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a" * 40)
    for target in ("ref: ../../secret", f"ref: {tmp_path}/secret", "ref: refs/../../../secret", "nonsense", ""):
        (repository / ".git" / "HEAD").write_text(target)
        assert ask.head_commit(Root(repository, True, repository / ".git", repository / ".git")) == ""  # noqa: FBT003  the root as found before HEAD broke


def test_the_stamp_moves_with_head_and_index_and_not_with_the_work_tree(history: History, git: Git) -> None:
    path, first, _ = history
    root = find_root(path)
    before = ask.stamp(root)
    write(path, "a.py", "work tree only\n")
    assert ask.stamp(root) == before
    git(path, "add", "a.py")
    staged = ask.stamp(root)
    assert staged.head == before.head
    assert staged.index != before.index
    git(path, "reset", "-q", "--soft", first)
    assert ask.stamp(root).head == first

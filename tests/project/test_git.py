"""What git is asked about history, and how it fails."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import GitFailed, NotARepository, NotFound
from anchormem.project import git as ask
from anchormem.project.process import run
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


def test_refs_resolve_or_say_why_not(history: History, git: Git) -> None:
    path, first, second = history
    root = find_root(path)
    git(path, "tag", "-a", "v1", "-m", "tag", first)
    assert ask.resolve_ref(root, "HEAD") == ask.resolve_ref(root, "main") == second
    assert ask.resolve_ref(root, "HEAD~1") == ask.resolve_ref(root, "v1") == ask.resolve_ref(root, first[:8]) == first
    for ref in ("nope", "HEAD~9", "", "--help", "-x", "a\nb", "HEAD:a.py", "0" * 40, "HEAD^{tree}", "main nope"):
        with pytest.raises(NotFound) as missing:
            ask.resolve_ref(root, ref)
        assert missing.value.hint


def test_a_repository_without_commits_says_so(repository: Path) -> None:
    with pytest.raises(NotFound) as missing:
        ask.resolve_ref(find_root(repository), "HEAD")
    assert "no commit yet" in missing.value.hint


def test_ancestors(history: History, git: Git) -> None:
    path, first, second = history
    root = find_root(path)
    assert ask.is_ancestor(root, first)
    assert ask.is_ancestor(root, second)
    assert not ask.is_ancestor(root, second, first)
    for missing in ("", "0" * 40, "nope", "--all"):
        assert not ask.is_ancestor(root, missing)
        assert not ask.commit_exists(root, missing)
    assert ask.commit_exists(root, first)
    assert not ask.commit_exists(root, git(path, "rev-parse", "HEAD^{tree}"))


def test_merge_base(history: History, git: Git) -> None:
    path, first, second = history
    git(path, "checkout", "-qb", "side", first)
    write(path, "side.py", "s")
    commit(git, path)
    root = find_root(path)
    assert ask.merge_base(root, "side", "main") == first
    git(path, "checkout", "-q", "--orphan", "island")
    commit(git, path)
    assert ask.merge_base(root, "island", second) is None
    with pytest.raises(NotFound):
        ask.merge_base(root, "nope", "main")


def test_the_last_commit_of_a_path(history: History, git: Git) -> None:
    path, first, second = history
    root = find_root(path)
    for number in range(2):
        write(path, "other.py", str(number))
        commit(git, path)
    found = ask.last_commit_touching(root, "a.py")
    assert found is not None
    assert found.id == second
    assert str(found) == f"{second[:10]} {git(path, 'log', '-1', '--format=%cs', second)}"
    assert ask.last_commit_touching(root, "a.py", since=first) == found
    assert ask.last_commit_touching(root, "a.py", since=second) is None
    assert ask.last_commit_touching(root, "a.py", since="0" * 40) == found
    assert ask.last_commit_touching(root, "nope.py") is None
    assert ask.last_commit_touching(root, "*.py") is None


def test_a_repository_without_commits_has_no_last_commit(repository: Path) -> None:
    assert ask.last_commit_touching(find_root(repository), "a.py") is None


def test_outside_git_every_question_says_so(tmp_path: Path) -> None:
    root = Root(tmp_path)
    for question in (
        ask.staged_entries,
        lambda root: ask.resolve_ref(root, "HEAD"),
        lambda root: ask.tree_of(root, "HEAD"),
    ):
        with pytest.raises(NotARepository):
            question(root)


def test_without_a_git_executable_the_failure_is_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitFailed, match="not installed") as failed:
        ask.staged_entries(find_root(repository))
    assert failed.value.hint


def test_a_git_executable_inside_the_repository_is_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = repository / "git"
    fake.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    fake.chmod(0o755)
    real = Path(shutil.which("git") or "").parent
    monkeypatch.setenv("PATH", f".:{real}")
    monkeypatch.chdir(repository)
    ask.staged_entries(find_root(repository))
    assert not (tmp_path / "ran").exists()


def test_a_damaged_repository_fails_with_gits_words(history: History) -> None:
    path, first, _ = history
    (path / ".git" / "index").write_bytes(b"garbage")
    with pytest.raises(GitFailed, match="index"):
        ask.staged_entries(find_root(path))
    assert ask.resolve_ref(find_root(path), "HEAD~1") == first


def test_a_slow_git_is_ended(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")
    with pytest.raises(GitFailed, match="longer than"):
        run(find_root(repository), "ls-files", seconds=0.2)


def test_only_read_plumbing_can_be_started(repository: Path) -> None:
    for command in ("status", "diff", "add", "fetch", "config", "submodule"):
        with pytest.raises(AssertionError):
            run(find_root(repository), command)

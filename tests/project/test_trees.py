"""The files of commits and of the index, their contents, and what differs."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotFound
from anchormem.project import git as ask
from anchormem.project.git import ChangedPath, Entry
from anchormem.project.root import find_root

BODY = "".join(f"line {number}\n" for number in range(30))
Git = Callable[..., str]
History = tuple[Path, str, str]


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def commit(git: Git, root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "change")
    return git(root, "rev-parse", "HEAD")


def test_what_differs_between_commits_with_renames(history: History) -> None:
    path, first, second = history
    root = find_root(path)
    assert ask.changed_paths(root, first, second) == (
        ChangedPath("M", "a.py", "a.py"),
        ChangedPath("D", "gone.py", "gone.py"),
        ChangedPath("R", "src/new.py", "src/old.py"),
    )
    assert ask.renames(root, "HEAD~1", "HEAD") == {"src/old.py": "src/new.py"}
    assert ask.changed_paths(root, second, second) == ()


def test_the_files_of_a_commit_and_of_the_index(history: History, git: Git) -> None:
    path, first, _ = history
    root = find_root(path)
    assert set(ask.tree_of(root, first)) == {"a.py", "gone.py", "src/old.py"}
    assert ask.tree_of(root, "HEAD")["a.py"] == Entry("100644", git(path, "rev-parse", "HEAD:a.py"))
    write(path, "staged.py", "s")
    git(path, "add", "staged.py")
    assert set(ask.staged_entries(root)) == {"a.py", "src/new.py", "staged.py"}
    with pytest.raises(NotFound):
        ask.tree_of(root, "nope")


def test_of_a_conflict_our_side_is_staged(repository: Path, git: Git) -> None:
    write(repository, "a", "base\n")
    base = commit(git, repository)
    write(repository, "a", "ours\n")
    commit(git, repository)
    git(repository, "checkout", "-qb", "other", base)
    write(repository, "a", "theirs\n")
    commit(git, repository)
    git(repository, "checkout", "-q", "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "merge", "-q", "other")
    root = find_root(repository)
    entries = ask.staged_entries(root)
    assert list(ask.contents(root, entries.values()).values()) == [b"ours\n"]


def test_contents_come_as_committed_many_at_once(history: History, git: Git) -> None:
    path, first, second = history
    write(path, "a.py", "staged\n")
    git(path, "add", "a.py")
    write(path, "a.py", "work tree\n")
    root = find_root(path)
    wanted = [(first, "a.py"), (second, "a.py"), ("", "a.py"), (second, "gone.py"), (second, "src"), ("0" * 40, "a.py")]
    assert ask.blobs(root, wanted) == {
        (first, "a.py"): f"a.py\n{BODY}".encode(),
        (second, "a.py"): b"edited\n",
        ("", "a.py"): b"staged\n",
    }
    assert ask.blobs(root, []) == {}
    assert ask.contents(root, [Entry("100644", "0" * 40)]) == {}


def test_odd_names_and_bytes_are_read(repository: Path, git: Git) -> None:
    names = ["new\nline", "quo\"te'", "sp ace", "ünï", "tab\t", "\udce9latin", "a:b", "-x", "HEAD"]
    for number, name in enumerate(names):
        (repository / name).write_bytes(b"\0\n\xff" * number)
    head = commit(git, repository)
    root = find_root(repository)
    assert ask.blobs(root, [(head, name) for name in names]) == {
        (head, name): b"\0\n\xff" * number for number, name in enumerate(names)
    }
    assert set(ask.tree_of(root, head)) == set(names) == set(ask.staged_entries(root))


def test_contents_over_the_limit_are_left_out(repository: Path, git: Git) -> None:
    (repository / "big").write_bytes(b"x" * (8 * 1024 * 1024 + 1))
    write(repository, "small", "s")
    head = commit(git, repository)
    root = find_root(repository)
    assert ask.blobs(root, [(head, "big"), (head, "small")]) == {(head, "small"): b"s"}


def test_paths_inside_submodules_are_paths_like_any_other(with_submodule: History) -> None:
    path, first, second = with_submodule
    root = find_root(path)
    assert set(ask.tree_of(root, first)) == {".gitmodules", "lib/x.py", "lib/y.py"} == set(ask.staged_entries(root))
    assert ask.changed_paths(root, first, second) == (ChangedPath("M", "lib/x.py", "lib/x.py"),)
    wanted = [(first, "lib/x.py"), (second, "lib/x.py"), (second, "lib/nope.py"), ("", "lib/y.py")]
    assert ask.blobs(root, wanted) == {
        (first, "lib/x.py"): b"one\n",
        (second, "lib/x.py"): b"two\n",
        ("", "lib/y.py"): b"y\n",
    }
    entries = ask.tree_of(root, first)
    assert set(ask.contents(root, entries.values()).values()) >= {b"one\n", b"y\n"}
    found = ask.last_commit_touching(root, "lib/x.py")
    assert found is not None
    assert ask.commit_exists(find_root(path / "lib"), found.id)
    assert not ask.is_dirty(root, "lib/x.py", b"two\n")


def test_a_submodule_that_is_not_checked_out_is_its_link(with_submodule: History, tmp_path: Path, git: Git) -> None:
    path, first, second = with_submodule
    git(tmp_path, "clone", "-q", str(path), "clone")
    root = find_root(tmp_path / "clone")
    assert ask.tree_of(root, second)["lib"].mode == "160000"
    assert ask.changed_paths(root, first, second) == (ChangedPath("M", "lib", "lib"),)
    assert ask.blobs(root, [(second, "lib/x.py")]) == {}


def test_adding_a_submodule_adds_its_files(with_submodule: History, git: Git) -> None:
    path, first, _ = with_submodule
    git(path, "checkout", "-q", "--orphan", "empty")
    git(path, "rm", "-rq", "--cached", ".")
    git(path, "commit", "-qm", "empty", "--allow-empty")
    assert {change.path for change in ask.changed_paths(find_root(path), "empty", first)} >= {"lib/x.py", "lib/y.py"}


def test_dirty_means_other_than_committed_line_ends_aside(history: History) -> None:
    root = find_root(history[0])
    assert not ask.is_dirty(root, "a.py", b"edited\n")
    assert not ask.is_dirty(root, "a.py", b"edited\r\n")
    assert ask.is_dirty(root, "a.py", b"edited \n")
    assert ask.is_dirty(root, "new.py", b"")


def test_a_hooks_temporary_index_is_used_only_when_it_is_this_repositorys(
    history: History, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _, _ = history
    root = find_root(path)
    write(path, "extra.py", "e")
    shutil.copy(path / ".git" / "index", path / ".git" / "next-index")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index")
    git(path, "add", "extra.py")
    assert ask.hook_index(root) == path / ".git" / "next-index"
    assert "extra.py" in ask.staged_entries(root, ask.hook_index(root))
    assert "extra.py" not in ask.staged_entries(root)
    for elsewhere in (str(tmp_path / "index"), "/etc/passwd", ".git/none", ""):
        monkeypatch.setenv("GIT_INDEX_FILE", elsewhere)
        assert ask.hook_index(root) is None


def test_a_sha256_repository_is_read(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256", "r")
    write(tmp_path / "r", "a.py", "a\n")
    head = commit(git, tmp_path / "r")
    root = find_root(tmp_path / "r")
    assert ask.head_commit(root) == head
    assert set(ask.tree_of(root, head)) == {"a.py"}
    assert ask.blobs(root, [(head, "a.py")]) == {(head, "a.py"): b"a\n"}


def test_a_shallow_clone_calls_missing_history_no_ancestor(history: History, tmp_path: Path, git: Git) -> None:
    path, first, second = history
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{path}", "shallow")
    root = find_root(tmp_path / "shallow")
    assert ask.head_commit(root) == second
    assert not ask.is_ancestor(root, first)
    with pytest.raises(NotFound, match=first) as missing:
        ask.changed_paths(root, first, second)
    assert "unshallow" in missing.value.hint

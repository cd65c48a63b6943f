"""Where the root of a directory is, and which directories are refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import BadRoot
from anchormem.project.root import Root, find_root

Git = Callable[..., str]


def committed(git: Git, root: Path) -> None:
    (root / "a.py").write_text("a = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")


def test_the_root_of_a_subdirectory_is_the_git_top_level(repository: Path) -> None:
    deep = repository / "src" / "deep"
    deep.mkdir(parents=True)
    root = find_root(deep)
    assert root == find_root(repository)
    assert root == Root(repository, is_git=True, git_dir=repository / ".git", common_dir=repository / ".git")


def test_outside_git_the_directory_is_its_own_root(tmp_path: Path) -> None:
    folder = tmp_path / "plain" / "below"
    folder.mkdir(parents=True)
    assert find_root(folder) == Root(folder)


def test_a_symlinked_directory_has_its_real_root(repository: Path, tmp_path: Path) -> None:
    (repository / "src").mkdir()
    link = tmp_path / "link"
    link.symlink_to(repository / "src")
    assert find_root(link).path == repository


def test_a_relative_start_counts_from_the_working_directory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "src").mkdir()
    monkeypatch.chdir(repository)
    assert find_root(Path("src")).path == repository


def test_a_worktree_is_a_root_of_its_own_and_shares_the_common_directory(
    repository: Path, tmp_path: Path, git: Git
) -> None:
    committed(git, repository)
    git(repository, "worktree", "add", "-q", str(tmp_path / "other"))
    root = find_root(tmp_path / "other")
    assert root.path == tmp_path / "other"
    assert root.common_dir == repository / ".git"
    assert root.git_dir == repository / ".git" / "worktrees" / "other"


def test_a_submodule_is_a_root_of_its_own(repository: Path, tmp_path: Path, git: Git) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    committed(git, library)
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib")
    root = find_root(repository / "lib")
    assert root.path == repository / "lib"
    assert root.git_dir == repository / ".git" / "modules" / "lib"


def test_a_directory_inside_dot_git_belongs_to_its_work_tree(repository: Path) -> None:
    assert find_root(repository / ".git" / "hooks").path == repository


def test_a_worktree_whose_repository_is_gone_is_a_plain_directory(repository: Path) -> None:
    lost = repository / "lost"
    lost.mkdir()
    (lost / ".git").write_text("gitdir: /nowhere/.git/worktrees/lost\n")
    assert find_root(lost) == Root(lost)


def test_an_empty_dot_git_is_looked_past_as_git_does(repository: Path) -> None:
    (repository / "below" / ".git").mkdir(parents=True)
    assert find_root(repository / "below").path == repository


def test_variables_of_a_git_hook_do_not_mislead(
    repository: Path, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert find_root(repository).path == repository


def test_the_root_is_found_without_a_git_executable(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert find_root(repository).is_git


def test_the_home_directory_is_refused_and_nothing_is_created(private_home: Path) -> None:
    before = sorted(private_home.rglob("*"))
    with pytest.raises(BadRoot, match="home directory") as refused:
        find_root(private_home)
    assert "--root" in refused.value.hint
    assert sorted(private_home.rglob("*")) == before


def test_the_root_of_the_file_system_is_refused() -> None:
    with pytest.raises(BadRoot, match="root of the file system"):
        find_root(Path("/"))


def test_a_link_to_the_home_directory_is_refused(private_home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(private_home)
    with pytest.raises(BadRoot):
        find_root(tmp_path / "link")


def test_a_repository_that_is_the_home_directory_does_not_swallow_a_project_below(private_home: Path, git: Git) -> None:
    git(private_home, "init", "-q")
    project = private_home / "project"
    project.mkdir()
    assert find_root(project) == Root(project)


@pytest.mark.parametrize("name", ["missing", "file", "file/below", "nul\0name"])
def test_what_is_no_directory_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRoot):
        find_root(tmp_path / name)


def test_a_bare_repository_is_refused(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    for start in (tmp_path / "bare.git", tmp_path / "bare.git" / "refs"):
        with pytest.raises(BadRoot, match="bare"):
            find_root(start)


def test_a_symlink_loop_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(BadRoot):
        find_root(tmp_path / "loop")

"""Whose memories these are."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchormem.project.identity import checkout_key, normalised_origin, origin_url, repository_identity, repository_key
from anchormem.project.root import find_root

Git = Callable[..., str]


def identity(path: Path) -> str:
    return repository_identity(find_root(path))


def cloned(git: Git, source: Path | str, target: Path) -> Path:
    git(target.parent, "clone", "-q", str(source), str(target))
    return target


def with_commit(git: Git, root: Path) -> Path:
    (root / "a").write_text("a")
    git(root, "add", "a")
    git(root, "commit", "-qm", "first")
    return root


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Owner/Repo.git",
        "github.com:owner/repo",
        "ssh://git@github.com/owner/repo.git",
        "ssh://git@github.com:22/owner/repo.git/",
        "https://github.com/owner/repo",
        "https://user:secret@GitHub.com:443/Owner/Repo.git",
        "git://github.com/owner//repo.git",
        "git+ssh://git@github.com/owner/repo.git",
        " https://github.com/owner/repo.git\n",
        "git@github.com:/owner/repo.git",
    ],
)
def test_every_way_to_write_a_remote_is_one_identity(url: str) -> None:
    assert normalised_origin(url) == "github.com/owner/repo"


@pytest.mark.parametrize("path", ["/srv/x.git", "../x", "file:///srv/x", "./a:b", "C:\\work\\x", "C:/work/x", "x"])
def test_local_paths_are_no_remotes(path: str) -> None:
    assert normalised_origin(path) is None


def test_a_transport_helper_is_only_a_name() -> None:
    assert normalised_origin("ext::sh -c touch% /tmp/owned") is not None


@given(st.text())
def test_any_origin_text_has_an_answer(url: str) -> None:
    answer = normalised_origin(url)
    assert answer is None or answer == answer.lower()


def test_origin_decides(repository: Path, git: Git) -> None:
    git(repository, "remote", "add", "origin", "git@github.com:o/r.git")
    assert identity(repository) == "github.com/o/r"


def test_another_remote_than_origin_does_not_decide(repository: Path, git: Git) -> None:
    git(repository, "remote", "add", "upstream", "git@github.com:o/r.git")
    assert identity(repository) == str(repository)


def test_without_origin_the_shared_git_directory_decides_in_subdirectories_and_worktrees(
    repository: Path, tmp_path: Path, git: Git
) -> None:
    with_commit(git, repository)
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    (repository / "src").mkdir()
    assert identity(repository) == identity(repository / "src") == identity(tmp_path / "tree") == str(repository)


def test_a_folder_keeps_its_identity_when_it_becomes_a_repository(tmp_path: Path, git: Git) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    before = identity(folder)
    git(folder, "init", "-q")
    assert identity(folder) == before


def test_a_clone_of_a_local_repository_is_that_repository(repository: Path, tmp_path: Path, git: Git) -> None:
    with_commit(git, repository)
    one = cloned(git, repository, tmp_path / "one")
    two = cloned(git, f"file://{one}", tmp_path / "two")
    assert identity(two) == identity(one) == identity(repository)


def test_a_local_origin_with_a_remote_of_its_own_gives_that(repository: Path, tmp_path: Path, git: Git) -> None:
    with_commit(git, repository)
    clone = cloned(git, repository, tmp_path / "clone")
    git(repository, "remote", "add", "origin", "https://example.com/o/r.git")
    assert identity(clone) == "example.com/o/r"


def test_clones_of_a_local_bare_repository_are_one(repository: Path, tmp_path: Path, git: Git) -> None:
    with_commit(git, repository)
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    git(tmp_path / "bare.git", "remote", "remove", "origin")
    one, two = cloned(git, tmp_path / "bare", tmp_path / "one"), cloned(git, tmp_path / "bare.git", tmp_path / "two")
    assert identity(one) == identity(two) == str(tmp_path / "bare.git")


def test_clones_stay_one_when_their_local_origin_is_gone(repository: Path, tmp_path: Path, git: Git) -> None:
    with_commit(git, repository)
    one, two = cloned(git, repository, tmp_path / "one"), cloned(git, repository, tmp_path / "two")
    before = identity(one)
    repository.rename(tmp_path / "elsewhere")
    assert identity(one) == identity(two) == before


def test_origins_that_point_at_each_other_end(tmp_path: Path, git: Git) -> None:
    for name, other in (("x", "y"), ("y", "x")):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
        git(tmp_path / name, "remote", "add", "origin", str(tmp_path / other))
    assert identity(tmp_path / "x")


def test_the_configuration_is_read_as_git_reads_it(repository: Path, git: Git) -> None:
    (repository / ".git" / "config").write_text(
        '[core]\n\tbare = false\n; [remote "origin"]\n[remote "other"]\n\turl = no\n'
        '[REMOTE "origin"]\n\tfetch = x\n\t URL = "https://example.com/a b#c\\"d" # note\n'
        '\turl = second\n[branch "m"] remote = origin\n'
    )
    assert origin_url(repository / ".git") == 'https://example.com/a b#c"d'
    assert git(repository, "config", "--get-all", "remote.origin.url").splitlines()[0] == 'https://example.com/a b#c"d'


def test_a_missing_or_broken_configuration_is_no_origin(repository: Path) -> None:
    (repository / ".git" / "config").write_bytes(b'[remote "origin\n\xff\xfe url')
    assert origin_url(repository / ".git") == ""
    (repository / ".git" / "config").unlink()
    assert identity(repository) == str(repository)


@pytest.mark.parametrize(
    "pair", [("x/app", "y/app"), ("h/o/a-b", "h/o/a.b"), ("h/é", "h/è"), ("/A", "/a"), ("日本", "中国")]
)
def test_alike_names_have_keys_of_their_own(pair: tuple[str, str]) -> None:
    one, other = (repository_key(name) for name in pair)
    assert one.lower() != other.lower()
    assert all(key.isascii() and "/" not in key and len(key) < 64 for key in (one, other))


def test_a_key_can_be_read_and_stays() -> None:
    assert repository_key("github.com/owner/repo").startswith("owner-repo-")
    assert repository_key("github.com/owner/repo") == repository_key("github.com/owner/repo")


def test_each_working_tree_has_a_checkout_of_its_own(repository: Path, tmp_path: Path, git: Git) -> None:
    with_commit(git, repository)
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert checkout_key(find_root(repository)) != checkout_key(find_root(tmp_path / "tree"))
    (repository / "src").mkdir()
    assert checkout_key(find_root(repository / "src")) == checkout_key(find_root(repository))

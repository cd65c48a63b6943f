"""Which files belong to a project."""

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import modes
from anchormem.project.listing import Listed, Listing, list_files, why_not_listed
from anchormem.project.root import find_root

Git = Callable[..., str]


def write(root: Path, *paths: str, text: str = "x\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def listed(root: Path) -> list[str]:
    return [file.path for file in list_files(find_root(root)).files]


def reasons(listing: Listing) -> dict[str, str]:
    return dict(listing.skipped)


def commit(git: Git, root: Path, *paths: str) -> None:
    git(root, "add", "-f", "--", *paths)
    git(root, "commit", "-qm", "change")


# ── in git ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_git_says_what_is_tracked_or_would_be(repository: Path, git: Git) -> None:
    write(repository, "a.py", "src/b.py", "out/c.o", "src/keep.log", "src/drop.log", "new.py")
    (repository / ".gitignore").write_text("out/\n*.log\n!keep.log\n")
    commit(git, repository, "a.py", "src/b.py", ".gitignore")
    listing = list_files(find_root(repository))
    assert [tuple(file) for file in listing.files] == [
        (".gitignore", True, False),
        ("a.py", True, False),
        ("new.py", False, False),
        ("src/b.py", True, False),
        ("src/keep.log", False, False),
    ]
    assert not listing.partial


def test_a_start_in_a_subdirectory_lists_the_whole(repository: Path) -> None:
    write(repository, "a.py", "src/deep/b.py")
    assert listed(repository / "src" / "deep") == ["a.py", "src/deep/b.py"]


def test_a_repository_without_commits_and_a_detached_head_are_listed(repository: Path, git: Git) -> None:
    write(repository, "a.py")
    assert listed(repository) == ["a.py"]
    commit(git, repository, "a.py")
    git(repository, "checkout", "-q", "--detach")
    assert listed(repository) == ["a.py"]


def test_the_persons_own_excludes_count(repository: Path, private_home: Path, git: Git) -> None:
    write(repository, "a.py", "notes.tmp", "local.txt")
    (private_home / "excludes").write_text("*.tmp\n")
    git(repository, "config", "--global", "core.excludesFile", str(private_home / "excludes"))
    (repository / ".git" / "info" / "exclude").write_text("local.txt\n")
    assert listed(repository) == ["a.py"]


LITTER = [
    "node_modules/p/i.js", "vendor/v.go", "target/t.rs", "dist/d.js", "build/b.py", ".venv/lib/x.py",
    "a/__pycache__/c.py", ".next/n.js", "Pods/p.m", ".gradle/g", "bower_components/b.js", "coverage/c.html",
    ".terraform/t.tf", "jquery.min.js", "css/site.min.css", ".DS_Store", ".idea/w.xml", "x.pyc",
]  # fmt: skip


def test_litter_is_left_out_unless_tracked(repository: Path, git: Git) -> None:
    write(repository, "a.py", *LITTER)
    before = list_files(find_root(repository))
    assert [file.path for file in before.files] == ["a.py"]
    assert before.skips == {"litter": len(LITTER)}
    commit(git, repository, *LITTER)
    after = list_files(find_root(repository))
    assert {file.path for file in after.files} == {"a.py", *LITTER}


def test_tracked_code_of_others_is_marked_vendored_and_ones_own_build_folder_is_not(repository: Path, git: Git) -> None:
    write(repository, "node_modules/p/i.js", "vendor/v.go", "a.min.js", "build/b.py", "coverage/c.py", "a.py")
    commit(git, repository, "node_modules", "vendor", "a.min.js", "build", "coverage", "a.py")
    files = list_files(find_root(repository)).files
    assert {file.path for file in files if file.vendored} == {"node_modules/p/i.js", "vendor/v.go", "a.min.js"}


def test_a_virtual_environment_of_any_name_is_left_out(repository: Path, tmp_path: Path) -> None:
    write(repository, "a.py", "my-env/pyvenv.cfg", "my-env/lib/python3/x.py", "my-envoy/y.py")
    assert listed(repository) == ["a.py", "my-envoy/y.py"]
    write(tmp_path / "plain", "a.py", "my-env/pyvenv.cfg", "my-env/lib/python3/x.py")
    assert listed(tmp_path / "plain") == ["a.py"]


def test_anchormemignore_takes_back_even_tracked_files(repository: Path, git: Git) -> None:
    write(repository, "a.py", "gen/x.py", "gen/deep/y.py", "docs/z.md", "docs/gen/w.md", "keep/gen.txt")
    (repository / ".anchormemignore").write_text("/gen/\n")
    (repository / "docs" / ".anchormemignore").write_text("*.md\n!z.md\n")
    commit(git, repository, ".")
    listing = list_files(find_root(repository))
    assert [file.path for file in listing.files] == [
        ".anchormemignore",
        "a.py",
        "docs/.anchormemignore",
        "docs/z.md",
        "keep/gen.txt",
    ]
    assert listing.skips == {"ignored": 3}


ODD_NAMES = [
    "new\nline.py", "tab\t.py", "quote'\".py", "-dash", "100644 0 0\tx", "ünïcode", "日本.py", "sp ace", "back\\slash",
    "*.py", ":(top)x", os.fsdecode(b"latin\xe9.py"), "#hash", "$HOME",
]  # fmt: skip


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="the file system allows fewer names")
@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize("inside_git", [True, False])
def test_any_file_name_works(tmp_path: Path, git: Git, *, inside_git: bool, tracked: bool) -> None:
    root = tmp_path / "project"
    root.mkdir()
    write(root, *ODD_NAMES)
    if inside_git:
        git(root, "init", "-q")
        if tracked:
            git(root, "--literal-pathspecs", "add", "-f", "--", *ODD_NAMES)
    assert set(listed(root)) == set(ODD_NAMES)
    assert why_not_listed(find_root(root), ODD_NAMES) == {}


def test_a_conflict_lists_a_path_once(repository: Path, git: Git) -> None:
    write(repository, "a.py", text="base\n")
    commit(git, repository, "a.py")
    git(repository, "checkout", "-qb", "other")
    write(repository, "a.py", text="other\n")
    commit(git, repository, "a.py")
    git(repository, "checkout", "-q", "main")
    write(repository, "a.py", text="main\n")
    commit(git, repository, "a.py")
    with pytest.raises(Exception, match="merge"):
        git(repository, "merge", "-q", "other")
    assert listed(repository) == ["a.py"]


def test_a_submodule_is_a_tree_of_its_own(repository: Path, tmp_path: Path, git: Git) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    for folder in (inner, outer):
        folder.mkdir()
        git(folder, "init", "-q")
        write(folder, f"{folder.name}.py")
        commit(git, folder, ".")
    allowed = ("-c", "protocol.file.allow=always")
    git(outer, *allowed, "submodule", "--quiet", "add", str(inner), "deep/inner")
    commit(git, outer, ".")
    git(repository, *allowed, "submodule", "--quiet", "add", str(outer), "lib")
    git(repository / "lib", *allowed, "submodule", "--quiet", "update", "--init")
    write(repository, "lib/new.py", "lib/node_modules/x.js", "a.py")
    (repository / ".anchormemignore").write_text("lib/deep/inner/new.py\n")
    write(repository, "lib/deep/inner/new.py")
    assert listed(repository) == [
        ".anchormemignore",
        ".gitmodules",
        "a.py",
        "lib/.gitmodules",
        "lib/deep/inner/inner.py",
        "lib/new.py",
        "lib/outer.py",
    ]
    asked = ["lib/outer.py", "lib/deep/inner/inner.py", "lib/node_modules/x.js", "lib/deep/inner/new.py"]
    assert why_not_listed(find_root(repository), asked) == {
        "lib/node_modules/x.js": "litter",
        "lib/deep/inner/new.py": "ignored",
    }
    git(repository, "submodule", "--quiet", "deinit", "-f", "lib")
    gone = list_files(find_root(repository))
    assert gone.withheld == ("lib",)
    assert reasons(gone) == {"lib": "submodule"}


def test_a_repository_inside_that_is_no_submodule_is_skipped_with_its_reason(repository: Path, git: Git) -> None:
    nested = repository / "nested"
    nested.mkdir()
    git(nested, "init", "-q")
    write(nested, "x.py")
    commit(git, nested, ".")
    listing = list_files(find_root(repository))
    assert listing.files == ()
    assert reasons(listing) == {"nested": "nested_repository"}
    assert why_not_listed(find_root(repository), ["nested/x.py"]) == {"nested/x.py": "nested_repository"}


def test_what_a_sparse_checkout_leaves_out_is_withheld_not_missing(repository: Path, git: Git) -> None:
    write(repository, "in/a.py", "out/b.py")
    commit(git, repository, ".")
    git(repository, "sparse-checkout", "set", "in")
    listing = list_files(find_root(repository))
    assert [file.path for file in listing.files] == ["in/a.py"]
    assert listing.withheld == ("out/b.py",)


def test_another_work_tree_named_by_the_repository_is_not_listed(repository: Path, tmp_path: Path, git: Git) -> None:
    write(repository, "a.py")
    write(tmp_path / "elsewhere", "secret.py")
    git(repository, "config", "core.worktree", str(tmp_path / "elsewhere"))
    assert listed(repository) == ["a.py"]


def test_variables_of_a_git_hook_do_not_mislead(
    repository: Path, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, "a.py")
    commit(git, repository, ".")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert listed(repository) == ["a.py"]


def test_without_a_git_executable_a_walk_answers_and_says_so(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository, "a.py", "b.log")
    (repository / ".gitignore").write_text("*.log\n")
    monkeypatch.setenv("PATH", "")
    listing = list_files(find_root(repository))
    assert [file.path for file in listing.files] == [".gitignore", "a.py"]
    assert "without git" in listing.warnings[0]
    assert why_not_listed(find_root(repository), ["a.py", "b.log"]) == {"b.log": "ignored"}


# ── outside git ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_walk_reads_ignore_files_at_every_level(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "a.log", "src/b.log", "src/keep.log", "src/tmp/c.py", "other/tmp/d.py", "gen/e.py")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "src" / ".gitignore").write_text("!keep.log\n/tmp\n")
    (tmp_path / ".anchormemignore").write_text("gen\n")
    listing = list_files(find_root(tmp_path))
    assert [file.path for file in listing.files if ".g" not in file.path and ".anchor" not in file.path] == [
        "a.py",
        "other/tmp/d.py",
        "src/keep.log",
    ]
    assert reasons(listing)["src/tmp"] == "ignored"


def test_a_walk_leaves_litter_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", *LITTER)
    listing = list_files(find_root(tmp_path))
    assert listing.files == (Listed("a.py", tracked=False, vendored=False),)
    assert listing.skips["litter"] > 10


def test_git_folders_are_never_entered(tmp_path: Path, git: Git) -> None:
    write(tmp_path, "a.py", "sub/b.py")
    git(tmp_path / "sub", "init", "-q")
    assert listed(tmp_path) == ["a.py", "sub/b.py"]


def test_the_data_directory_is_never_listed(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / "own"))
    write(tmp_path, "a.py", "own/memory.db")
    assert listed(tmp_path) == ["a.py"]
    git(tmp_path, "init", "-q")
    assert listed(tmp_path) == ["a.py"]


@pytest.mark.skipif(os.name == "nt", reason="needs symlinks, pipes and sockets")
@pytest.mark.parametrize("inside_git", [True, False])
def test_links_loops_pipes_and_sockets_are_skipped_with_their_reason(
    tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch, *, inside_git: bool
) -> None:
    root = tmp_path / "p"
    write(root, "src/a.py")
    if inside_git:
        git(root, "init", "-q")
        (root / "tracked").symlink_to("src/a.py")
        git(root, "add", "tracked")
    (root / "out").symlink_to("/etc")
    (root / "inside").symlink_to("src")
    (root / "src" / "up").symlink_to("..")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        listing = list_files(find_root(root))
    assert [file.path for file in listing.files] == ["src/a.py"]
    found = reasons(listing)
    assert {found[name] for name in ("out", "inside", "src/up", "loop")} == {"symlink"}
    if inside_git:
        assert found["tracked"] == "symlink"
    else:
        assert found["pipe"] == found["sock"] == "not_regular"
    asked = why_not_listed(find_root(root), ["pipe", "out", "src", "nope", "src/a.py"])
    assert asked == {"pipe": "not_regular", "out": "symlink", "src": "folder", "nope": "missing"}


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
@modes.obeyed
def test_an_unreadable_folder_makes_a_walk_partial(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "closed/b.py")
    (tmp_path / "closed").chmod(0)
    listing = list_files(find_root(tmp_path))
    (tmp_path / "closed").chmod(0o700)
    assert listing.partial
    assert reasons(listing) == {"closed": "unreadable"}


# ── both ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_fingerprint_changes_with_the_files_and_with_nothing_else(repository: Path, git: Git) -> None:
    write(repository, "a.py", "b.py")
    first = list_files(find_root(repository)).fingerprint
    write(repository, "a.py", text="other\n")
    assert list_files(find_root(repository)).fingerprint == first
    git(repository, "add", "a.py")
    tracked = list_files(find_root(repository)).fingerprint
    assert tracked != first
    write(repository, "c.py")
    assert list_files(find_root(repository)).fingerprint not in (first, tracked)


def test_many_skipped_files_are_counted_and_the_first_are_named(repository: Path) -> None:
    write(repository, *[f"node_modules/{number}.js" for number in range(300)])
    listing = list_files(find_root(repository))
    assert len(listing.skipped) == 200
    assert listing.skips == {"litter": 300}
    asked = [f"node_modules/{number}.js" for number in range(300)]
    assert why_not_listed(find_root(repository), asked) == dict.fromkeys(asked, "litter")


def test_five_thousand_files_are_listed_in_a_moment(repository: Path, git: Git) -> None:
    for number in range(5000):
        path = repository / f"d{number // 100}" / f"f{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    git(repository, "add", "-A")
    started = time.process_time()
    assert len(list_files(find_root(repository)).files) == 5000
    assert time.process_time() - started < 0.2

"""Which files git's index vouches for."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.project import disk
from anchormem.project import git as ask
from anchormem.project.recorded import vouched
from anchormem.project.root import find_root

Git = Callable[..., str]
NAMES = ["a.py", "src/b.py", "new\nline", "  ctime: 1:2", "tab\tx", "\udce9"]


@pytest.fixture
def project(repository: Path, git: Git) -> Path:
    for name in NAMES:
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(f"{name!a}\n")
        os.utime(repository / name, (1_600_000_000, 1_600_000_000))
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "first")
    return repository


def asked(path: Path) -> dict[str, str]:
    root = find_root(path)
    return vouched(root, disk.stats(root, [*NAMES, "nope"]).items())


def test_untouched_files_of_any_name_are_vouched_for_with_their_blob(project: Path) -> None:
    entries = ask.staged_entries(find_root(project))
    assert asked(project) == {name: entries[name].blob for name in NAMES}


def test_an_edited_file_is_not_even_at_the_same_size_and_time(project: Path) -> None:
    before = (project / "a.py").stat()
    (project / "a.py").write_text("'b.py'\n")
    os.utime(project / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert set(asked(project)) == set(NAMES) - {"a.py"}


def test_a_file_as_young_as_the_index_is_not(project: Path, git: Git) -> None:
    (project / "src" / "b.py").write_text("young\n")
    git(project, "add", "-A")
    written = (project / ".git" / "index").stat().st_mtime_ns
    os.utime(project / "src" / "b.py", ns=(written, written))
    git(project, "update-index", "-q", "--refresh")
    os.utime(project / ".git" / "index", ns=(written, written))
    assert "src/b.py" not in asked(project)


def test_files_of_a_submodule_are_vouched_for(project: Path, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "clone", "-q", str(project), "library")
    git(project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    for name in NAMES:
        os.utime(project / "lib" / name, (1_600_000_000, 1_600_000_000))
    time.sleep(0.01)
    git(project / "lib", "update-index", "-q", "--refresh")
    root = find_root(project)
    found = vouched(root, disk.stats(root, [f"lib/{name}" for name in NAMES]).items())
    assert set(found) == {f"lib/{name}" for name in NAMES}

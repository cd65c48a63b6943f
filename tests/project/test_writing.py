"""A file of ours is written whole or not at all, whatever happens meanwhile; git is told as git itself writes it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotARepository, Refused
from anchormem.project import driver, writing
from anchormem.project.root import Root, find_root

Git = Callable[..., str]
WRITER = """
import sys
from pathlib import Path
from anchormem.project.root import Root
from anchormem.project.writing import write
root, sizes = Root(Path(sys.argv[1])), (3_000_000, 5_000_000)
print("begun", flush=True)
for turn in range(10_000):
    write(root, "shared/memory.jsonl", b"%d" % (turn % 2) * sizes[turn % 2])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_writer_killed_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    place = tmp_path / "shared/memory.jsonl"
    for turn in range(6):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout
        process.stdout.readline()
        time.sleep(0.05 + turn * 0.013)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        if place.exists():
            held = place.read_bytes()
            assert held in (b"0" * 3_000_000, b"1" * 5_000_000)
    assert place.exists()
    for left in place.parent.iterdir():
        os.utime(left, (1, 1))
    assert writing.write(Root(tmp_path), "shared/memory.jsonl", b"new")
    assert [path.name for path in place.parent.iterdir()] == ["memory.jsonl"], "what the dead left is taken away"


def test_what_is_there_already_is_not_written_again(tmp_path: Path) -> None:
    assert writing.write(Root(tmp_path), "a/b", b"text")
    before = (tmp_path / "a/b").stat()
    assert not writing.write(Root(tmp_path), "a/b", b"text")
    after = (tmp_path / "a/b").stat()  # to read it may count as an access
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file", "utf-8")
    with pytest.raises(Refused, match="a/b cannot be written"):
        writing.write(Root(tmp_path), "a/b", b"text")


def test_git_is_told_once_and_reads_what_it_was_told(repository: Path, git: Git) -> None:
    root = find_root(repository)
    git(repository, "config", "user.name", "somebody")
    (repository / ".git/config").write_bytes((repository / ".git/config").read_bytes() + b"# a remark, no line end")
    before = (repository / ".git/config").read_bytes()
    command = "'/opt/my \\tools/anchormem' merge-driver %O %A %B"
    assert driver.set_up(root, "shared/memory.jsonl", command) == [
        "shared/.gitattributes",
        str(repository / ".git/config"),
    ]
    assert driver.set_up(root, "shared/memory.jsonl", command) == []
    assert (repository / ".git/config").read_bytes().startswith(before)
    assert git(repository, "config", "merge.anchormem.driver") == command
    assert git(repository, "config", "user.name") == "somebody"
    assert "merge: anchormem" in git(repository, "check-attr", "merge", "shared/memory.jsonl")
    assert driver.set_up(root, "shared/memory.jsonl", "other %A") == [str(repository / ".git/config")]
    assert git(repository, "config", "--get-all", "merge.anchormem.driver") == "other %A"
    assert not (repository / ".git/config.lock").exists()


def test_attributes_of_others_keep_their_bytes(repository: Path) -> None:
    (repository / ".gitattributes").write_bytes(b"*.png binary\r\n*.txt text")
    driver.set_up(find_root(repository), "memory.jsonl", "x")
    held = (repository / ".gitattributes").read_bytes()
    assert held == b"*.png binary\r\n*.txt text\nmemory.jsonl merge=anchormem text eol=lf\n"


def test_where_git_is_not_or_is_busy_nothing_is_changed(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(NotARepository):
        driver.set_up(Root(tmp_path), "memory.jsonl", "x")
    (repository / ".git/config.lock").touch()
    before = (repository / ".git/config").read_bytes()
    with pytest.raises(Refused, match="git is changing"):
        driver.set_up(find_root(repository), "memory.jsonl", "x")
    assert (repository / ".git/config").read_bytes() == before
    assert (repository / ".git/config.lock").exists()

"""Files are read safely, and what cannot be read is a stated value."""

import os
import socket
from pathlib import Path

import pytest

import modes
from anchormem.model import Stat
from anchormem.project import disk
from anchormem.project.disk import Contents, Unread
from anchormem.project.root import Root


@pytest.fixture
def root(tmp_path: Path) -> Root:
    top = tmp_path / "project"
    (top / "src").mkdir(parents=True)
    (top / "src" / "a.py").write_bytes(b"a = 1\r\n\xff\0")
    return Root(top)


def reason(found: Contents | Unread) -> str:
    assert isinstance(found, Unread)
    return found.reason


def test_bytes_come_as_they_are_with_the_stat_of_the_file_read(root: Root) -> None:
    found = disk.read(root, "src/a.py")
    assert isinstance(found, Contents)
    assert found.data == b"a = 1\r\n\xff\0"
    assert found.stat == disk.stat(root, "src/a.py")


def test_an_empty_file_is_no_failure(root: Root) -> None:
    (root.path / "empty").touch()
    found = disk.read(root, "empty")
    assert isinstance(found, Contents)
    assert found.data == b""


@pytest.mark.parametrize("path", ["nope", "src/nope.py", "src/a.py/below", "n\0ul", "\ud800", "x" * 300])
def test_what_is_not_there_is_missing(root: Root, path: str) -> None:
    assert reason(disk.read(root, path)) in ("missing", "unreadable")
    assert disk.stat(root, path) is None


def test_a_folder_is_not_regular(root: Root) -> None:
    assert reason(disk.read(root, "src")) == "not_regular"
    assert disk.stat(root, "src") is None


def test_symlinks_are_not_followed_anywhere_on_the_way(root: Root, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("hush")
    (root.path / "file").symlink_to(tmp_path / "secret" / "key")
    (root.path / "folder").symlink_to(tmp_path / "secret")
    (root.path / "src" / "deep").symlink_to(tmp_path)
    (root.path / "inside").symlink_to("src")
    (root.path / "loop").symlink_to("loop")
    for path in ("file", "folder/key", "src/deep/secret/key", "inside/a.py", "loop"):
        assert reason(disk.read(root, path)) == "not_regular"


@pytest.mark.skipif(os.name == "nt", reason="needs pipes, sockets and devices")
def test_pipes_and_sockets_neither_hang_nor_read(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root.path / "pipe")
    monkeypatch.chdir(root.path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        assert reason(disk.read(root, "pipe")) == "not_regular"
        assert reason(disk.read(root, "sock")) == "not_regular"
    assert reason(disk.read(Root(Path("/dev")), "null")) == "not_regular"


def test_the_limit_is_inclusive_and_larger_files_keep_their_stat(root: Root) -> None:
    (root.path / "big").write_bytes(b"x" * 11)
    assert isinstance(disk.read(root, "big", limit=11), Contents)
    found = disk.read(root, "big", limit=10)
    assert found == Unread("too_large", disk.stat(root, "big"))
    assert disk.MAX_INDEX_BYTES == 8 * 1024 * 1024


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
@modes.obeyed
def test_a_file_without_permission_is_unreadable(root: Root) -> None:
    (root.path / "src" / "a.py").chmod(0)
    assert reason(disk.read(root, "src/a.py")) == "unreadable"


def test_no_descriptor_is_left_open(root: Root) -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc")
    (root.path / "big").write_bytes(b"x" * 100)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        disk.read(root, "src/a.py")
        disk.read(root, "big", limit=10)
        disk.read(root, "src")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_many_stats_at_once(root: Root) -> None:
    found = disk.stats(root, ["src/a.py", "nope"])
    assert found == {"src/a.py": disk.stat(root, "src/a.py"), "nope": None}
    seen = (root.path / "src" / "a.py").stat()
    assert found["src/a.py"] == Stat(seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)

"""What a file holds, read safely: regular files inside the root only, never through a symlink, never a device.

Knows nothing of languages and digests.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import Literal, NamedTuple

from anchormem.model import Stat
from anchormem.project.root import Root

MAX_INDEX_BYTES = 8 * 1024 * 1024  # larger files are neither indexed nor anchorable

# Not blocking: between the look and the opening a file may become a pipe that nobody writes to.
OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
READ_CHUNK = 1024 * 1024

Failure = Literal["missing", "unreadable", "too_large", "not_regular"]


class Contents(NamedTuple):
    """A file's bytes and the stat of the very file that was read (taken before reading)."""

    data: bytes
    stat: Stat


class Unread(NamedTuple):
    """Why there are no bytes. `stat` where one could be taken (too_large, unreadable)."""

    reason: Failure
    stat: Stat | None = None


def read(root: Root, path: str, limit: int = MAX_INDEX_BYTES) -> Contents | Unread:
    """The bytes of a gated or listed path. Binary content is read like any other (ask decoding.is_text)."""
    full = f"{root.path}/{path}"
    try:
        seen = os.lstat(full)
        if not S_ISREG(seen.st_mode) or _behind_symlink(root, path):
            return Unread("not_regular")
        if seen.st_size > limit:
            return Unread("too_large", _stat_of(seen))
        return _read_open(full, limit)
    except (FileNotFoundError, NotADirectoryError):
        return Unread("missing")
    except ValueError:  # a name that no file can have: NUL, or not encodable
        return Unread("missing")
    except OSError:
        return Unread("unreadable", stat(root, path))


def read_named(path: Path, limit: int = MAX_INDEX_BYTES) -> Contents | Unread:
    """The bytes of a file that a person named on the command line, in the project or outside."""
    try:
        seen = os.lstat(path)
        if not S_ISREG(seen.st_mode):
            return Unread("not_regular")
        return Unread("too_large", _stat_of(seen)) if seen.st_size > limit else _read_open(str(path), limit)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return Unread("missing")
    except OSError:
        return Unread("unreadable")


def stat(root: Root, path: str) -> Stat | None:
    """None: no regular file there (a symlink is none). A symlinked folder on the way is noticed by `read`, not here."""
    return _stat_at(f"{root.path}/{path}")


def stats(root: Root, paths: Iterable[str]) -> dict[str, Stat | None]:
    """`stat` of many paths: one system call each."""
    prefix = f"{root.path}/"
    return {path: _stat_at(prefix + path) for path in paths}


def quick_stats(root: Root, paths: Iterable[str]) -> dict[str, tuple[int, int, int, int]]:
    """(inode, size, mtime_ns, ctime_ns) of those that are regular files: `stats` for a whole tree."""
    prefix, found = f"{root.path}/", {}
    for path in paths:
        try:
            seen = os.lstat(prefix + path)
        except (OSError, ValueError):
            continue
        if S_ISREG(seen.st_mode):
            found[path] = (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
    return found


def _stat_at(full: str) -> Stat | None:
    try:
        seen = os.lstat(full)
    except (OSError, ValueError):
        return None
    return _stat_of(seen) if S_ISREG(seen.st_mode) else None


def _stat_of(seen: os.stat_result) -> Stat:
    return Stat(seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def _behind_symlink(root: Root, path: str) -> bool:
    """Whether a folder on the way is a symlink: its files are listed where they really lie, or lie outside."""
    at = path.find("/")
    while at != -1:
        if S_ISLNK(os.lstat(f"{root.path}/{path[:at]}").st_mode):
            return True
        at = path.find("/", at + 1)
    return False


def _read_open(full: str, limit: int) -> Contents | Unread:
    descriptor = os.open(full, OPEN_FLAGS)
    try:
        seen = os.fstat(descriptor)
        if not S_ISREG(seen.st_mode):
            return Unread("not_regular")
        chunks: list[bytes] = []
        size = 0
        while chunk := os.read(descriptor, min(READ_CHUNK, limit + 1 - size)):
            chunks.append(chunk)
            size += len(chunk)
            if size > limit:  # it grew since the look
                return Unread("too_large", _stat_of(seen))
        return Contents(b"".join(chunks), _stat_of(seen))
    finally:
        os.close(descriptor)

"""What a file holds, read safely: regular files inside the root only, never through a symlink, never a device.

Knows nothing of languages and digests.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from anchormem.model import Stat
from anchormem.project.root import Root

MAX_INDEX_BYTES = 8 * 1024 * 1024  # larger files are neither indexed nor anchorable
MAX_PARSE_BYTES = 512 * 1024  # larger files are anchored as files

Failure = Literal["missing", "unreadable", "too_large", "not_regular"]


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's bytes and the stat of the very file that was read (taken before reading)."""

    data: bytes
    stat: Stat


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there are no bytes. `stat` where one could be taken (too_large, unreadable)."""

    reason: Failure
    stat: Stat | None = None


def read(root: Root, path: str, limit: int = MAX_INDEX_BYTES) -> Contents | Unread:
    """The bytes of a gated or listed path. Binary content is read like any other (ask is_text)."""
    raise NotImplementedError


def stat(root: Root, path: str) -> Stat | None:
    """None: no regular file there (a symlink is none). A symlinked folder on the way is noticed by `read`, not here."""
    raise NotImplementedError


def stats(root: Root, paths: Iterable[str]) -> dict[str, Stat | None]:
    """`stat` of many paths: one system call each."""
    raise NotImplementedError


def is_text(data: bytes) -> bool:
    """No NUL in the first 8,000 bytes (git's rule), or a UTF-16/32 byte-order mark."""
    raise NotImplementedError


def for_parsing(data: bytes, path: str) -> bytes | None:
    """The source as UTF-8: as it is, or decoded where a mark or a declaration (PEP 263, Ruby, Emacs and Vim lines) names the
    encoding. None: too large, binary, or of unknown encoding, so the file is anchored as a file only.
    """
    raise NotImplementedError

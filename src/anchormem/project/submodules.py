"""The repositories inside a repository: submodules that are checked out, found by their folder.

Knows the disk only; which of these folders are submodules is for the index and the trees to say.
"""

import os
from pathlib import Path
from typing import NamedTuple

from anchormem.project.root import Root, repository_at

MAX_DEPTH = 10  # a submodule that holds itself must end somewhere


class Inside(NamedTuple):
    """A path as the repository sees it that lies in `folder` of the outer one."""

    folder: str
    root: Root
    path: str


def checked_out(root: Root, folder: str) -> Root | None:
    """The repository at a folder of this root. None where there is none or a symlink stands on the way."""
    place = root.path / folder
    if not os.path.lexists(place / ".git") or Path(os.path.realpath(place)) != place:
        return None
    return repository_at(place)


def entering(root: Root, path: str) -> Inside | None:
    """The outermost repository inside this root that holds a path, None when the path is the root's own."""
    at = path.find("/")
    while at != -1:
        inner = checked_out(root, path[:at])
        if inner is not None:
            return Inside(path[:at], inner, path[at + 1 :])
        at = path.find("/", at + 1)
    return None


def holding(root: Root, path: str) -> tuple[Root, str]:
    """The innermost repository that holds a path, and the path inside it; (root, path) for the root's own."""
    for _ in range(MAX_DEPTH):
        inside = entering(root, path)
        if inside is None:
            break
        root, path = inside.root, inside.path
    return root, path

"""The one gate for paths that come from outside (arguments, imports, configuration).

Looks at the disk only to follow symlinks and to give hints. Knows nothing of what is indexed beyond `listing`.
"""

from anchormem.project.root import Root


def gate(root: Root, given: str, *, must_exist: bool = False) -> str:
    """The repository-relative POSIX path of a file or folder. `./a//b` → `a/b`, the root itself → `.`.

    Symlinks inside the root are followed to where they lead. BadPath: empty, NUL, over-long (4,096 bytes, 255 a part),
    absolute (the hint gives the relative form), traversing, leading out by a symlink, `.git`, a device name.
    NotFound with `must_exist` when nothing is there.
    """
    raise NotImplementedError


def anchorable(root: Root, given: str) -> str:
    """`gate`, and the path must be a file that belongs to the project: ignored ones such as `.env` are BadPath."""
    raise NotImplementedError

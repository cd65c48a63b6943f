"""Whose memories these are: the identity of a repository and of a checkout, and their keys as directory names.

Knows nothing of the store's layout and starts no process.
"""

from pathlib import Path

from anchormem.project.root import Root


def repository_identity(root: Root) -> str:
    """`host/path` of origin, lower-cased, without scheme, user, port and `.git`; an origin that is a local path resolves to
    that repository's identity. Without origin the git common directory (of a usual clone its parent), else the real path.
    """
    raise NotImplementedError


def normalised_origin(url: str) -> str | None:
    """`host/path` of a remote URL; None when it names a local path. `git@h:o/r.git`, `ssh://git@h:22/o/r` → `h/o/r`."""
    raise NotImplementedError


def origin_url(common_dir: Path) -> str:
    """The first `remote.origin.url` of a repository's own configuration file, "" without one."""
    raise NotImplementedError


def repository_key(identity: str) -> str:
    """A readable directory name: slug and short hash, distinct for distinct identities (`a-b` and `a.b`, `é` and `è`)."""
    raise NotImplementedError


def checkout_key(root: Root) -> str:
    """The key of this working tree: slug and short hash of its real path."""
    raise NotImplementedError

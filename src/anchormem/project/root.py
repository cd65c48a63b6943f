"""Where a project begins: the git top level of a directory, else the directory itself.

Reads `.git` files and directories itself and starts no process. Knows nothing of what the root holds.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Root:
    """A project's top directory, as a real path. `git_dir`: this checkout's own; `common_dir`: shared by all worktrees."""

    path: Path
    is_git: bool = False
    git_dir: Path | None = None
    common_dir: Path | None = None


def find_root(start: Path) -> Root:
    """The root of `start` (a directory, absolute or relative to the working directory).

    Its git top level (worktrees and submodules are roots of their own), else the directory itself. A repository whose
    top level is the home directory or `/` does not count. BadRoot: the home directory, `/`, no such directory, a file,
    a bare repository. Creates nothing.
    """
    raise NotImplementedError

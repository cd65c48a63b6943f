"""Where a project begins: the git top level of a directory, else the directory itself.

Reads `.git` files and directories itself and starts no process. Knows nothing of what the root holds.
"""

from dataclasses import dataclass
from pathlib import Path

from anchormem.errors import BadRoot, NotARepository

# A gitfile or commondir file holds one path.
POINTER_BYTES = 8192


@dataclass(frozen=True, slots=True)
class Root:
    """A project's top directory, a real path. `git_dir`: this checkout's own; `common_dir`: shared by all worktrees."""

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
    directory = _real_directory(start)
    _refuse_too_wide(directory)
    for place in (directory, *directory.parents):
        if _is_too_wide(place):
            break
        found = repository_at(place)
        if found is not None:
            return found
        if (place / ".git").is_file():
            break  # a worktree whose repository is gone: whatever lies around it is another project
        if place.name != ".git" and _is_git_dir(place):
            raise BadRoot(
                f"{place} is a bare git repository: it holds no files to anchor to", "start in a worktree of it"
            )
    return Root(directory)


def repository_at(top: Path) -> Root | None:
    """The git checkout whose top level is `top` (a real path), None when there is none. Does not look further up."""
    git_dir = _git_dir_of(top)
    if git_dir is None or not _is_git_dir(git_dir):
        return None
    return Root(top, is_git=True, git_dir=git_dir, common_dir=common_dir_of(git_dir))


def common_dir_of(git_dir: Path) -> Path:
    """Where a git directory keeps what its worktrees share: itself, unless it is a worktree's."""
    pointed = _pointer(git_dir / "commondir")
    return Path((git_dir / pointed).resolve()) if pointed else git_dir


def git_dirs(root: Root) -> tuple[Path, Path]:
    """(git_dir, common_dir) of a root in git. NotARepository otherwise."""
    if root.git_dir is None or root.common_dir is None:
        raise NotARepository(f"{root.path} is not in a git repository", "run this inside a git repository")
    return root.git_dir, root.common_dir


def _real_directory(start: Path) -> Path:
    try:
        directory = Path(start).expanduser().resolve(strict=True)
        is_directory = directory.is_dir()
    except (OSError, ValueError, RuntimeError) as failure:
        raise BadRoot(f"no such directory: {start}", "give an existing project directory") from failure
    if not is_directory:
        raise BadRoot(f"not a directory: {start}", "give the project directory, not a file in it")
    return directory


def _refuse_too_wide(directory: Path) -> None:
    if _is_too_wide(directory):
        what = "the root of the file system" if directory == directory.parent else "the home directory"
        raise BadRoot(
            f"{directory} is {what}, not a project",
            "start in a project directory, give --root DIR, or set CLAUDE_PROJECT_DIR",
        )


def _is_too_wide(directory: Path) -> bool:
    return directory == directory.parent or directory == _home()


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None


def _git_dir_of(top: Path) -> Path | None:
    dot_git = top / ".git"
    try:
        if dot_git.is_dir():
            return dot_git.resolve()
        if dot_git.is_file():
            pointed = _pointer(dot_git, prefix="gitdir:")
            return (top / pointed).resolve() if pointed else None
    except (OSError, ValueError, RuntimeError):
        return None
    return None


def _is_git_dir(directory: Path) -> bool:
    """Git's own test: a HEAD, and objects and refs where they are shared."""
    try:
        head = directory / "HEAD"
        if not (head.is_file() or head.is_symlink()):
            return False
        common = common_dir_of(directory)
        return (common / "objects").is_dir() and (common / "refs").is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def _pointer(file: Path, prefix: str = "") -> str:
    """The path a gitfile or commondir file names, "" when it names none."""
    try:
        with file.open("rb") as opened:
            text = opened.read(POINTER_BYTES).decode("utf-8", "surrogateescape").rstrip("\r\n")
    except OSError:
        return ""
    if not text.startswith(prefix):
        return ""
    return text.removeprefix(prefix).strip()

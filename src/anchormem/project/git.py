"""Git, asked by its read plumbing only: ls-files, rev-parse, cat-file, diff-tree, log, merge-base.

Never `git status`, never a diff with the work tree: both run filters that a repository brings along. Paths are
root-relative POSIX strings (`surrogateescape` for bytes that are not UTF-8). Every function raises NotARepository for a
root outside git and GitFailed when git is missing, times out or answers with an error, unless its docstring says less.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from anchormem.project.root import Root


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells cheaply that git moved. `head`: commit id, "" before the first commit; `index`: stat of the index."""

    head: str
    index: str

    def __str__(self) -> str:
        return f"{self.head} {self.index}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a tree or of the index. `mode` octal text: 100644, 100755, 120000 (symlink), 160000 (submodule)."""

    mode: str
    blob: str


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """`status`: A M D R T (added, modified, deleted, renamed, type). `old`: the path before, equal to `path` unless R."""

    status: str
    path: str
    old: str


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    date: str  # committer date, YYYY-MM-DD

    def __str__(self) -> str:
        return f"{self.id[:10]} {self.date}"


def stamp(root: Root) -> Stamp:
    """HEAD and the index as they are now, from a handful of small files: no process. Outside git: Stamp("", "")."""
    raise NotImplementedError


def head_commit(root: Root) -> str:
    """The commit id of HEAD; "" before the first commit and outside git. Starts a process only for reftable stores."""
    raise NotImplementedError


def head_branch(root: Root) -> str:
    """The branch HEAD points to (`main`), "" when detached and outside git. No process."""
    raise NotImplementedError


def resolve_ref(root: Root, ref: str) -> str:
    """The commit id a person's ref means (`main`, `HEAD~2`, a tag). NotFound with a hint when there is none."""
    raise NotImplementedError


def commit_exists(root: Root, commit: str) -> bool:
    """Whether the object store holds this commit."""
    raise NotImplementedError


def is_ancestor(root: Root, commit: str, of: str = "HEAD") -> bool:
    """Whether `commit` is `of` or lies in its history. A missing or empty commit is not."""
    raise NotImplementedError


def merge_base(root: Root, one: str, other: str) -> str | None:
    """The best common ancestor of two refs, None for unrelated histories."""
    raise NotImplementedError


def tree_of(root: Root, ref: str) -> dict[str, Entry]:
    """Every file of a commit: path → entry (submodules as their gitlinks). By diff-tree against the empty tree."""
    raise NotImplementedError


def staged_entries(root: Root, index: Path | None = None) -> dict[str, Entry]:
    """Every file of the git index: path → entry; of a conflict, our side. `index`: another index file (see hook_index)."""
    raise NotImplementedError


def hook_index(root: Root) -> Path | None:
    """The index a running git hook is to look at (`git commit -a` makes a temporary one), None outside of hooks."""
    raise NotImplementedError


def blobs(root: Root, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """The contents at (ref, path), as committed; ref "" means the index. What is missing, not a file, or over 8 MB is left out.

    Two processes however many are wanted.
    """
    raise NotImplementedError


def contents(root: Root, ids: Iterable[str]) -> dict[str, bytes]:
    """Contents by blob id (`Entry.blob`); what is missing or over 8 MB is left out."""
    raise NotImplementedError


def changed_paths(root: Root, base: str, head: str) -> tuple[ChangedPath, ...]:
    """What differs between two commits, renames found (50 % alike, exact ones without limit), sorted by path."""
    raise NotImplementedError


def renames(root: Root, old: str, new: str) -> dict[str, str]:
    """Old path → new path of every file renamed between two commits."""
    raise NotImplementedError


def last_commit_touching(root: Root, path: str, since: str = "") -> Commit | None:
    """The newest commit of HEAD's history that touched `path`, after the commit `since`. None: none, or too slow (5 s)."""
    raise NotImplementedError


def is_dirty(root: Root, path: str, data: bytes) -> bool:
    """Whether `data` (the file now) differs from HEAD's, line ends aside. True where HEAD has no such file or is none."""
    raise NotImplementedError

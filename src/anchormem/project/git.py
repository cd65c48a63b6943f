"""Git, asked by its read plumbing only: ls-files, rev-parse, cat-file, diff-tree, log, merge-base.

This file asks for history and is where other rooms find every question; how HEAD is read (heads), what git holds
(objects, trees) and how git is started (process) have files of their own. Paths are root-relative POSIX strings, with
surrogate escapes for bytes that are not UTF-8. Every function raises NotARepository for a root outside git and
GitFailed when git is missing, too slow or answers with an error, unless its docstring says less.
"""

from dataclasses import dataclass

from anchormem.errors import GitFailed
from anchormem.project.heads import Stamp, head_branch, head_commit, is_shallow, stamp
from anchormem.project.objects import FATAL, HEX, blobs, commit_exists, confirm_trust, is_dirty, resolve_ref
from anchormem.project.process import QUICK_SECONDS, run
from anchormem.project.root import Root
from anchormem.project.submodules import holding
from anchormem.project.trees import (
    ChangedPath,
    Entry,
    changed_paths,
    contents,
    hook_index,
    renames,
    staged_entries,
    tree_of,
)

__all__ = [
    "ChangedPath",
    "Commit",
    "Entry",
    "Stamp",
    "blobs",
    "branch_tips",
    "changed_paths",
    "commit_before",
    "commit_exists",
    "commits_touching",
    "confirm_trust",
    "contents",
    "head_branch",
    "head_commit",
    "hook_index",
    "is_ancestor",
    "is_dirty",
    "is_shallow",
    "last_commit_touching",
    "merge_base",
    "renames",
    "resolve_ref",
    "staged_entries",
    "stamp",
    "tree_of",
]

HISTORY_SECONDS = 5.0  # a note beside an answer is not worth more


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    date: str  # committer date, YYYY-MM-DD

    def __str__(self) -> str:
        return f"{self.id[:10]} {self.date}"


def is_ancestor(root: Root, commit: str, of: str = "HEAD") -> bool:
    """Whether `commit` is `of` or lies in its history. A missing or empty commit is not."""
    if not commit or commit.startswith("-") or of.startswith("-"):
        return False
    code, _ = run(root, "merge-base", "--is-ancestor", commit, of, seconds=QUICK_SECONDS, accept=(0, 1, FATAL))
    return code == 0


def branch_tips(root: Root, most: int = 20) -> tuple[str, ...]:
    """The commits that local branches end in, the newest first; () when git does not answer in 5 s."""
    question = ("log", "--branches", "--no-walk=sorted", f"-{most}", "--format=%H", "--no-show-signature")
    try:
        code, out = run(root, *question, seconds=HISTORY_SECONDS, accept=(0, FATAL))
    except GitFailed:
        return ()
    return tuple(out.decode("ascii", "replace").split()) if code == 0 else ()


def merge_base(root: Root, one: str, other: str) -> str | None:
    """The best common ancestor of two refs, None for unrelated histories. NotFound for an unknown ref."""
    code, out = run(root, "merge-base", resolve_ref(root, one), resolve_ref(root, other), accept=(0, 1))
    return out.decode("ascii", "replace").split()[0] if code == 0 else None


def last_commit_touching(root: Root, path: str, since: str = "") -> Commit | None:
    """The newest of `commits_touching`."""
    return next(iter(commits_touching(root, path, since, most=1)), None)


def commit_before(root: Root, seconds: int) -> str:
    """The newest commit of HEAD's history that is not younger than this time; "" for none, or when git is too slow."""
    question = ("log", "-1", f"--before={seconds}", "--format=%H", "--no-show-signature", "HEAD")
    try:
        code, out = run(root, *question, seconds=HISTORY_SECONDS, accept=(0, FATAL))
    except GitFailed:
        return ""
    return out.decode("ascii", "replace").strip() if code == 0 else ""


def commits_touching(root: Root, path: str, since: str = "", *, most: int) -> tuple[Commit, ...]:
    """The newest commits of HEAD's history that touched `path`, after the commit `since` (when that is known here).

    Inside a submodule, of the submodule's history. (): none, or git needs longer than 5 s.
    """
    holder, inside = holding(root, path)
    question = ("log", f"-{most}", "--format=%H %cd", "--date=short", "--no-show-signature", "--no-textconv")
    code, out = FATAL, b""
    for span in ([f"{since}..HEAD"] if since and HEX.issuperset(since) else []) + ["HEAD"]:
        try:
            code, out = run(
                holder, *question, "--no-ext-diff", span, "--", inside, seconds=HISTORY_SECONDS, accept=(0, FATAL)
            )
        except GitFailed:
            return ()
        if code == 0:
            break
    told = (line.partition(" ") for line in out.decode("ascii", "replace").splitlines())
    return tuple(Commit(commit, date) for commit, _, date in told if commit) if code == 0 else ()

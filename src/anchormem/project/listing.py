"""Which files belong to a project. In git, git decides; outside, a walk with ignore files. Opens no listed file.

Knows nothing of languages or sizes: whoever reads a file finds those out (disk).
"""

import os
from collections.abc import Iterable
from stat import S_ISDIR, S_ISLNK, S_ISREG

from anchormem.errors import GitFailed
from anchormem.project import bygit, walk
from anchormem.project.data import data_directory
from anchormem.project.harvest import Harvest, Listed, Listing, Skipped
from anchormem.project.ignores import IgnoreFiles
from anchormem.project.root import Root

__all__ = ["IGNORE_FILE", "Listed", "Listing", "Skipped", "list_files", "why_not_listed"]

IGNORE_FILE = ".anchormemignore"


def list_files(root: Root) -> Listing:
    """Every file that belongs to the project now."""
    harvest = Harvest()
    if root.is_git:
        try:
            bygit.gather(root, "", harvest, 0)
        except GitFailed as failure:
            hint = f" ({failure.hint})" if failure.hint else ""
            harvest = Harvest(warnings=[f"{failure.message}{hint}; files are listed without git"])
        else:
            _leave_out_ignored(root, harvest)
            return harvest.listing()
    walk.gather(root, _walk_ignores(root), _data_inside(root), harvest)
    return harvest.listing()


def why_not_listed(root: Root, paths: Iterable[str]) -> dict[str, str]:
    """Of these gated paths, those that do not belong to the project → the reason: missing, folder, or one of Skipped's.

    A few processes in git however many are asked.
    """
    ignores = IgnoreFiles(root, IGNORE_FILE)
    reasons: dict[str, str] = {}
    there: list[str] = []
    for path in dict.fromkeys(paths):
        reason = _reason_on_disk(root, path) or ("ignored" if ignores.excludes(path) else "")
        if reason:
            reasons[path] = reason
        else:
            there.append(path)
    if root.is_git and there:
        try:
            return reasons | bygit.reasons_against(root, there)
        except GitFailed:
            pass  # as list_files does without git
    return reasons | walk.reasons_against(there, _walk_ignores(root))


def _walk_ignores(root: Root) -> tuple[IgnoreFiles, ...]:
    return IgnoreFiles(root, ".gitignore"), IgnoreFiles(root, IGNORE_FILE)


def _leave_out_ignored(root: Root, harvest: Harvest) -> None:
    """Takes back what `.anchormemignore` files name, and our own data should it ever lie inside."""
    data = _data_inside(root)
    holders = {file.path.rpartition("/")[0] for file in harvest.files if file.path.endswith(IGNORE_FILE)}
    if os.path.lexists(root.path / IGNORE_FILE):
        holders.add("")
    if not holders and data is None:
        return
    ignores = IgnoreFiles(root, IGNORE_FILE, frozenset(holders))
    kept: list[Listed] = []
    for file in harvest.files:
        if ignores.excludes(file.path) or (data is not None and file.path.startswith(data)):
            harvest.skip(file.path, "ignored")
        else:
            kept.append(file)
    harvest.files = kept


def _reason_on_disk(root: Root, path: str) -> str:
    try:
        mode = os.lstat(f"{root.path}/{path}").st_mode
    except (OSError, ValueError):
        return "missing"
    if S_ISREG(mode):
        return ""
    if S_ISDIR(mode):
        return "folder"
    return "symlink" if S_ISLNK(mode) else "not_regular"


def _data_inside(root: Root) -> str | None:
    """Our own data directory relative to the root, with a slash behind; None where it lies outside, as it must."""
    directory = data_directory()
    if directory == root.path or not directory.is_relative_to(root.path):
        return None
    return f"{directory.relative_to(root.path).as_posix()}/"

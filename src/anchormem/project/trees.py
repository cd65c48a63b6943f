"""The files of a commit and of the index, and what differs between two commits.

Submodules that are checked out here are looked into, so a path inside one is a path like any other. Knows nothing of
the work tree and of what contents mean.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from anchormem.errors import GitFailed
from anchormem.project.objects import commit_exists, is_partial, promised, read_objects, resolve_ref
from anchormem.project.process import LONG_SECONDS, run
from anchormem.project.root import Root
from anchormem.project.submodules import MAX_DEPTH, checked_out

SUBMODULE = "160000"
OURS = "2"  # the stage of our side in a conflict
EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",  # SHA-1
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",  # SHA-256
}
# Raw entries and no patch, so neither textconv nor an external diff has anything to do.
RAW_DIFF = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-textconv", "--no-ext-diff")
EXACT_RENAMES = ("-M100%",)  # by ids alone
FIND_RENAMES = ("-M50%", "-l1000")  # git's defaults; identical contents are found beyond the limit too


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a tree or of the index. `mode` octal text: 100644, 100755, 120000 (symlink), 160000 (submodule).

    `within`: the submodule that holds the blob, as a root-relative folder, "" for the repository itself.
    """

    mode: str
    blob: str
    within: str = ""


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """`status`: A M D R T (added, modified, deleted, renamed, type). `old`: the path before, `path` unless R."""

    status: str
    path: str
    old: str


class RawChange(NamedTuple):
    old_mode: str
    mode: str
    old_blob: str
    blob: str
    status: str
    old: str
    path: str


def tree_of(root: Root, ref: str) -> dict[str, Entry]:
    """Every file of a commit: path → entry. By diff-tree against the empty tree. NotFound for an unknown ref.

    A submodule that is checked out here gives its files, any other its gitlink.
    """
    commit = resolve_ref(root, ref)
    entries = {change.path: Entry(change.mode, change.blob) for change in _raw(root, _empty(commit), commit)}
    return _looked_into(root, entries, 0)


def staged_entries(root: Root, index: Path | None = None) -> dict[str, Entry]:
    """Every file of the git index: path → entry; of a conflict, our side. `index`: another index file (see hook_index).

    Submodules as in tree_of, at the commit the index names.
    """
    _, out = run(root, "ls-files", "-z", "-s", seconds=LONG_SECONDS, index=index)
    entries: dict[str, Entry] = {}
    for record in filter(None, out.split(b"\0")):
        head, _, name = record.partition(b"\t")
        mode, blob, stage = head.decode("ascii").split(" ")
        path = os.fsdecode(name)
        if path not in entries or stage == OURS:
            entries[path] = Entry(mode, blob)
    return _looked_into(root, entries, 0)


def hook_index(root: Root) -> Path | None:
    """The index a running git hook is to look at (`git commit -a` makes a temporary one), None outside of hooks."""
    named = os.environ.get("GIT_INDEX_FILE")
    if not named or root.git_dir is None:
        return None
    index = Path(os.path.realpath(root.path / named))
    return index if index.is_relative_to(root.git_dir) and index.is_file() else None


def contents(root: Root, entries: Iterable[Entry]) -> dict[str, bytes]:
    """Blob id → content. What is missing, a submodule, or over 8 MB is left out. Two processes a repository.

    GitFailed where a partial clone has not fetched one of them: whether that one changed cannot be told.
    """
    groups: dict[str, list[str]] = {}
    for entry in entries:
        if entry.mode != SUBMODULE:
            groups.setdefault(entry.within, []).append(entry.blob)
    found: dict[str, bytes] = {}
    for within, ids in groups.items():
        holder = checked_out(root, within) if within else root
        if holder is not None:
            read = read_objects(holder, ids)
            if lacking := promised(holder, set(ids) - read.keys()):
                raise GitFailed(
                    f"{len(lacking)} old files are not in this partial clone yet",
                    "let git fetch them, for instance by `git diff` of the same commits",
                )
            found.update(read)
    return found


def changed_paths(root: Root, base: str, head: str) -> tuple[ChangedPath, ...]:
    """What differs between two commits, sorted by path; renames found (50 % alike), submodules looked into.

    NotFound for a commit that is not here.
    """
    found = _changes(root, resolve_ref(root, base), resolve_ref(root, head), 0)
    return tuple(sorted(found, key=lambda change: (change.path, change.status)))


def renames(root: Root, old: str, new: str) -> dict[str, str]:
    """Old path → new path of every file renamed between two commits."""
    return {change.old: change.path for change in changed_paths(root, old, new) if change.status == "R"}


def _empty(commit: str) -> str:
    return EMPTY_TREES[len(commit)]


def _raw(root: Root, old: str, new: str, *options: str) -> Iterator[RawChange]:
    _, out = run(root, *RAW_DIFF, *(options or ("--no-renames",)), old, new, seconds=LONG_SECONDS)
    fields = iter(out.split(b"\0"))
    for head in fields:
        if not head:
            return
        old_mode, mode, old_blob, blob, status = head.decode("ascii").removeprefix(":").split(" ")
        path = before = os.fsdecode(next(fields))
        if status[0] in "RC":
            path = os.fsdecode(next(fields))
        yield RawChange(old_mode, mode, old_blob, blob, status[0], before, path)


def _renaming(root: Root, old: str, new: str) -> Iterable[RawChange]:
    """With renames; in a partial clone, where git lacks what to compare, those alone that changed nothing else."""
    try:
        return list(_raw(root, old, new, *FIND_RENAMES))
    except GitFailed:
        if not is_partial(root):
            raise
        return _raw(root, old, new, *EXACT_RENAMES)


def _looked_into(root: Root, entries: dict[str, Entry], depth: int) -> dict[str, Entry]:
    """The entries with each submodule that is checked out replaced by its files."""
    for folder in [path for path, entry in entries.items() if entry.mode == SUBMODULE]:
        commit = entries[folder].blob
        inner = checked_out(root, folder)
        if inner is None or depth == MAX_DEPTH or not commit_exists(inner, commit):
            continue
        del entries[folder]
        inside = {change.path: Entry(change.mode, change.blob) for change in _raw(inner, _empty(commit), commit)}
        for path, entry in _looked_into(inner, inside, depth + 1).items():
            within = f"{folder}/{entry.within}" if entry.within else folder
            entries[f"{folder}/{path}"] = replace(entry, within=within)
    return entries


def _changes(root: Root, old: str, new: str, depth: int) -> Iterator[ChangedPath]:
    for change in _renaming(root, old, new):
        if SUBMODULE not in (change.old_mode, change.mode):
            yield ChangedPath(change.status, change.path, change.old)
            continue
        yield from _submodule_changes(root, change, depth)


def _submodule_changes(root: Root, change: RawChange, depth: int) -> Iterator[ChangedPath]:
    """The files that differ inside a submodule; the submodule itself where it cannot be looked into."""
    inner = checked_out(root, change.path)
    old = change.old_blob if change.old_mode == SUBMODULE else _empty(change.blob)
    new = change.blob if change.mode == SUBMODULE else _empty(change.old_blob)
    known = inner is not None and all(end in EMPTY_TREES.values() or commit_exists(inner, end) for end in (old, new))
    if inner is None or not known or depth == MAX_DEPTH:
        yield ChangedPath(change.status, change.path, change.old)
        return
    for inside in _changes(inner, old, new, depth + 1):
        yield ChangedPath(inside.status, f"{change.path}/{inside.path}", f"{change.path}/{inside.old}")

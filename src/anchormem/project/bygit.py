"""A listing as git makes it: what it tracks or would track, submodules as their own trees.

Knows what git calls a file; which of them `.anchormemignore` takes back is for listing to say.
"""

import os
from collections.abc import Iterable
from stat import S_ISLNK, S_ISREG

from anchormem.project import litter
from anchormem.project.harvest import Harvest, Listed
from anchormem.project.process import LONG_SECONDS, run
from anchormem.project.root import Root
from anchormem.project.submodules import MAX_DEPTH, Inside, checked_out, entering

PATHS_A_COMMAND = 500  # arguments have a bounded length together

# One process tells tracked files with their modes (tag, mode, blob, stage, tab, path) from untracked ones (tag, path).
LS_FILES = ("ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard")
UNTRACKED, SPARSE = "?", "S"
SYMLINK, SUBMODULE = "120000", "160000"


def gather(root: Root, prefix: str, harvest: Harvest, depth: int) -> None:
    _, out = run(root, *LS_FILES, seconds=LONG_SECONDS)
    untracked: list[str] = []
    tracked: dict[str, None] = {}  # a conflict lists a path once a stage
    nested: dict[str, None] = {}
    for record in os.fsdecode(out).split("\0"):
        tag = record[:1]
        if tag == UNTRACKED:
            untracked.append(record[2:])
        elif tag:
            head, _, path = record.partition("\t")
            mode = head[2:8]
            if mode == SYMLINK:
                harvest.skip(prefix + path, "symlink")
            elif mode == SUBMODULE:
                nested[path] = None
            elif tag == SPARSE and not os.path.lexists(f"{root.path}/{path}"):
                harvest.skip(prefix + path, "sparse")
                harvest.withheld.append(prefix + path)
            else:
                tracked[path] = None
    _take_tracked(tracked, prefix, harvest)
    _take_untracked(root, untracked, prefix, harvest)
    for folder in nested:
        inner = checked_out(root, folder) if depth < MAX_DEPTH else None
        if inner is not None:
            gather(inner, f"{prefix}{folder}/", harvest, depth + 1)
        else:
            harvest.skip(prefix + folder, "submodule")
            harvest.withheld.append(prefix + folder)


def _take_tracked(paths: Iterable[str], prefix: str, harvest: Harvest) -> None:
    vendored: dict[str, bool] = {}
    for path in paths:
        folder = path.rpartition("/")[0]
        theirs = vendored.get(folder)
        if theirs is None:
            theirs = vendored[folder] = litter.is_vendored_folder(folder.split("/"))
        minified = ".min." in path and litter.is_minified(path.rpartition("/")[2])
        harvest.files.append(Listed(prefix + path, True, theirs or minified))  # noqa: FBT003  by name costs 50k files 20 ms


def _take_untracked(root: Root, paths: list[str], prefix: str, harvest: Harvest) -> None:
    mark = f"/{litter.VIRTUAL_ENVIRONMENT_MARK}"
    environments = {path.removesuffix(mark) for path in paths if path.endswith(mark)}
    unwanted: dict[str, bool] = {}
    for path in paths:
        if path.endswith("/"):
            harvest.skip(prefix + path.rstrip("/"), "nested_repository")
            continue
        folder, _, name = path.rpartition("/")
        away = unwanted.get(folder)
        if away is None:
            away = unwanted[folder] = _is_unwanted(folder, environments)
        if away or litter.is_litter_file(name):
            harvest.skip(prefix + path, "litter")
        else:
            _take_regular(root, path, prefix, harvest)


def _is_unwanted(folder: str, environments: set[str]) -> bool:
    return litter.is_litter_folder(folder.split("/")) or any(
        folder == environment or folder.startswith(f"{environment}/") for environment in environments
    )


def _take_regular(root: Root, path: str, prefix: str, harvest: Harvest) -> None:
    """Git lists untracked symlinks among the files and does not say which they are."""
    try:
        mode = os.lstat(f"{root.path}/{path}").st_mode
    except OSError:
        return  # gone since git looked
    if S_ISREG(mode):
        harvest.files.append(Listed(prefix + path, tracked=False, vendored=False))
    else:
        harvest.skip(prefix + path, "symlink" if S_ISLNK(mode) else "not_regular")


def reasons_against(root: Root, paths: list[str]) -> dict[str, str]:
    """Of these existing regular files, those that git neither tracks nor would track, or that are litter → why."""
    nested: dict[str, list[Inside]] = {}
    own: list[str] = []
    for path in paths:
        inside = entering(root, path)
        if inside is None:
            own.append(path)
        else:
            nested.setdefault(inside.folder, []).append(inside)
    listed = _named(root, [*own, *nested])
    harvest = Harvest(bound=len(own))
    _take_untracked(root, [path for path in own if listed.get(path) == UNTRACKED], "", harvest)
    reasons = {path: "ignored" for path in own if path not in listed} | dict(harvest.skipped)
    for folder, inner in nested.items():
        below = [inside.path for inside in inner]
        if listed.get(folder) == SUBMODULE:
            found = reasons_against(inner[0].root, below)
        else:
            found = dict.fromkeys(below, "nested_repository")
        reasons.update({f"{folder}/{path}": reason for path, reason in found.items()})
    return reasons


def _named(root: Root, paths: list[str]) -> dict[str, str]:
    """What git lists of these paths → mode, or UNTRACKED."""
    listed: dict[str, str] = {}
    for start in range(0, len(paths), PATHS_A_COMMAND):
        _, out = run(root, *LS_FILES, "--", *paths[start : start + PATHS_A_COMMAND], seconds=LONG_SECONDS)
        for record in filter(None, os.fsdecode(out).split("\0")):
            if record[0] == UNTRACKED:
                listed[record[2:]] = UNTRACKED
            else:
                head, _, path = record.partition("\t")
                listed[path] = head[2:8]
    return listed

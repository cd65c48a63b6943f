"""A listing made without git: a walk that ignore files narrow. Follows no symlink, enters no `.git`."""

import os

from anchormem.project import litter
from anchormem.project.harvest import Harvest, Listed
from anchormem.project.ignores import IgnoreFiles
from anchormem.project.root import Root

MAX_WALKED = 200_000  # files; a folder that holds more without git is hardly a project


def gather(root: Root, ignores: tuple[IgnoreFiles, ...], data: str | None, harvest: Harvest) -> None:
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(f"{root.path}/{folder}") as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            harvest.skip(folder or ".", "unreadable")
            harvest.partial = True
            continue
        if folder and any(entry.name == litter.VIRTUAL_ENVIRONMENT_MARK for entry in found):
            harvest.skip(folder, "litter")
            continue
        below = [path for entry in found if (path := _step(entry, folder, ignores, data, harvest)) is not None]
        folders.extend(reversed(below))
        if len(harvest.files) > MAX_WALKED:
            harvest.partial = True
            harvest.warnings.append(
                f"more than {MAX_WALKED} files, the rest is left out; .anchormemignore can narrow it"
            )
            return


def _step(
    entry: os.DirEntry[str], folder: str, ignores: tuple[IgnoreFiles, ...], data: str | None, harvest: Harvest
) -> str | None:
    """Takes or skips one entry of a walk; a folder to go into is given back."""
    if entry.name == ".git":
        return None
    path = f"{folder}/{entry.name}" if folder else entry.name
    is_folder = entry.is_dir(follow_symlinks=False)
    if entry.is_symlink():
        harvest.skip(path, "symlink")
    elif litter.is_litter_folder([entry.name]) if is_folder else litter.is_litter_file(entry.name):
        harvest.skip(path, "litter")
    elif any(files.excludes(path, is_folder=is_folder) for files in ignores) or f"{path}/" == data:
        harvest.skip(path, "ignored")
    elif is_folder:
        return path
    elif entry.is_file(follow_symlinks=False):
        harvest.files.append(Listed(path, tracked=False, vendored=False))
    else:
        harvest.skip(path, "not_regular")
    return None


def reasons_against(paths: list[str], ignores: tuple[IgnoreFiles, ...]) -> dict[str, str]:
    """Of these existing regular files, those that a walk would leave out → why."""
    reasons: dict[str, str] = {}
    for path in paths:
        *folders, name = path.split("/")
        if litter.is_litter_folder(folders) or litter.is_litter_file(name):
            reasons[path] = "litter"
        elif any(files.excludes(path) for files in ignores):
            reasons[path] = "ignored"
    return reasons

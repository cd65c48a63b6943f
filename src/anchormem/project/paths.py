"""The one gate for paths that come from outside (arguments, imports, configuration).

Looks at the disk only to follow symlinks and to give hints. Knows nothing of what is indexed beyond `listing`.
"""

import difflib
import os
import re
import sys
from pathlib import Path

from anchormem.errors import BadPath, NotFound
from anchormem.project.root import Root

MAX_PATH_BYTES = 4096
MAX_PART_BYTES = 255
SHOWN = 120  # characters of a path in a message
MOST_NAMES = 5_000  # of one folder among which the closest are looked for

DRIVE = re.compile(r"[A-Za-z]:")
DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:[.:].*)?", re.IGNORECASE | re.DOTALL
)
GIT_FOLDER = re.compile(
    r"\.git[. ]*(?:::?\$.*)?|git~[0-9]+", re.IGNORECASE | re.DOTALL
)  # and what Windows takes for it

WHY = {
    "ignored": "is ignored here",
    "litter": "is in a folder that is not indexed (dependencies, build output, caches), or generated",
    "symlink": "is a symbolic link",
    "not_regular": "is not a regular file",
    "nested_repository": "belongs to another repository inside this one",
    "folder": "is a folder",
}


def gate(root: Root, given: str, *, must_exist: bool = False) -> str:
    """The repository-relative POSIX path of a file or folder. `./a//b` → `a/b`, the root itself → `.`.

    Symlinks inside the root are followed to where they lead. Backslashes separate, unless a file is really called so.
    BadPath: empty, NUL, over-long (4,096 bytes, 255 a part), absolute (the hint gives the relative form), traversing,
    leading out by a symlink, `.git`, a device name. NotFound with `must_exist` when nothing is there.
    """
    _refuse_unspeakable(given)
    path = _with_slashes(root, given)
    _refuse_absolute(root, given, path)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    _refuse_parts(root, given, parts)
    relative = _followed(root, given, "/".join(parts))
    if must_exist and not os.path.lexists(f"{root.path}/{relative}"):
        raise NotFound(f"no such file: {shown(relative)}", meant(root, relative))
    return relative


def anchorable(root: Root, given: str) -> str:
    """`gate`, and the path must be a file that belongs to the project: ignored ones such as `.env` are BadPath."""
    from anchormem.project.listing import why_not_listed  # noqa: PLC0415 — the gate is asked by hooks, this is not

    path = gate(root, given, must_exist=True)
    reason = why_not_listed(root, [path]).get(path)
    if reason == "missing":
        raise NotFound(f"no such file: {shown(path)}", meant(root, path))
    if reason:
        hint = "anchor to a file that belongs to the project"
        if reason == "folder":
            hint = "name a file in it; what holds for all of it needs no anchor"
        raise BadPath(f"{shown(path)} {WHY.get(reason, reason)} and cannot be anchored", hint)
    return path


def _refuse_unspeakable(given: str) -> None:
    if not given.strip():
        raise BadPath("the path is empty", "give a path relative to the project's root")
    if "\0" in given:
        raise BadPath("the path holds a NUL character", "give a path relative to the project's root")
    try:
        raw = os.fsencode(given)
    except UnicodeEncodeError as failure:
        raise BadPath("the path holds characters no file name can have", "give the name as listed") from failure
    longest = max(len(part) for part in re.split(rb"[/\\]" if os.name == "nt" else rb"/", raw))
    if len(raw) > MAX_PATH_BYTES or longest > MAX_PART_BYTES:
        raise BadPath(
            f"the path is too long: {shown(given)}", f"at most {MAX_PATH_BYTES} bytes, {MAX_PART_BYTES} a part"
        )


def _with_slashes(root: Root, given: str) -> str:
    if "\\" not in given or (sys.platform != "win32" and _is_real_name(root, given)):
        return given
    return given.replace("\\", "/")


def _is_real_name(root: Root, name: str) -> bool:
    """Whether a file inside the root is called exactly so, odd as it looks."""
    return ".." not in name.split("/") and not name.startswith("/") and os.path.lexists(f"{root.path}/{name}")


def _refuse_absolute(root: Root, given: str, path: str) -> None:
    drive = DRIVE.match(path) is not None and (path[2:3] == "/" or not _is_real_name(root, path))
    home = path.startswith("~") and not _is_real_name(root, path)
    if path.startswith("/") or drive or home:
        raise BadPath(f"absolute paths are refused: {shown(given)}", _relative_hint(root, path))


def _relative_hint(root: Root, path: str) -> str:
    try:
        full = Path(path).expanduser()
    except RuntimeError:
        full = Path(path)
    for form in (Path(os.path.normpath(full)), Path(os.path.realpath(full))):
        if form.is_relative_to(root.path):
            return f'use "{form.relative_to(root.path).as_posix()}"'
    return f"give a path relative to {root.path}"


def _refuse_parts(root: Root, given: str, parts: list[str]) -> None:
    if ".." in parts:
        inner = os.path.normpath("/".join(parts)).replace(os.sep, "/")
        inside = inner != ".." and not inner.startswith("../")
        raise BadPath(
            f"paths with .. are refused: {shown(given)}", f'use "{inner}"' if inside else f"stay below {root.path}"
        )
    if any(GIT_FOLDER.fullmatch(part) for part in parts):
        raise BadPath(f"git's own files are not the project's: {shown(given)}", "name a file of the project")
    on_windows = sys.platform == "win32"
    if any(DEVICE.fullmatch(part) for part in parts) and (on_windows or not (root.path / "/".join(parts)).is_file()):
        raise BadPath(f"device names are refused: {shown(given)}", "name a file of the project")


def _followed(root: Root, given: str, relative: str) -> str:
    """The path with every symlink resolved, which must not lead out of the root nor into git's folder."""
    top = str(root.path)
    real = os.path.realpath(root.path / relative)
    if real == top:
        return "."
    if not real.startswith(top.rstrip(os.sep) + os.sep):
        raise BadPath(f"{shown(given)} leads out of the project through a symbolic link", f"stay below {root.path}")
    inside = real[len(top.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
    if inside != relative and any(GIT_FOLDER.fullmatch(part) for part in inside.split("/")):
        raise BadPath(f"git's own files are not the project's: {shown(given)}", "name a file of the project")
    return inside


def near(root: Root, missing: str) -> tuple[str, ...]:
    """What is there and spelled nearly so, best first: its first part that is not there replaced by the closest names
    beside it, with the rest behind it where that is there too.
    """
    parts = missing.split("/")
    known = 0
    try:
        while known < len(parts) - 1 and (root.path / "/".join(parts[: known + 1])).is_dir():
            known += 1
        names = [entry.name for entry in (root.path / "/".join(parts[:known])).iterdir()]
    except (OSError, ValueError):
        return ()
    close = [name for name in difflib.get_close_matches(parts[known], names[:MOST_NAMES], 3) if name != ".git"]
    heads = ["/".join((*parts[:known], name)) for name in close]
    whole = ["/".join((head, *parts[known + 1 :])) for head in heads]
    return tuple(path for path in whole if os.path.lexists(root.path / path)) or tuple(heads)


def meant(root: Root, missing: str) -> str:
    """What to say of it."""
    found = near(root, missing)
    if found:
        return f"did you mean {', '.join(found)}?"
    there = os.path.isdir(os.path.dirname(f"{root.path}/{missing}"))  # noqa: PTH112, PTH120 — any text is fine so
    return "name a file of the project" if there else "its folder does not exist either"


def shown(path: str) -> str:
    """The path as a message may hold it: encodable, and cut where it is long."""
    clean = path.encode("utf-8", "backslashreplace").decode()
    return clean if len(clean) <= SHOWN else f"{clean[:SHOWN]}…"

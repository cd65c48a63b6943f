"""Tells git, in this clone, to merge an export by our own command: an attribute beside the file, a section of its
configuration.

Both are written as git writes them, the configuration under git's own lock; git itself is not started. What is not ours
keeps its bytes. Knows nothing of merging.
"""

import os
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from anchormem.errors import NotARepository, Refused
from anchormem.project import disk, writing
from anchormem.project.root import Root

NAME = "anchormem"
ATTRIBUTES = f"merge={NAME} text eol=lf"
_SECTION = re.compile(rf'^[ \t]*\[merge "{NAME}"\][^\n]*\n(?:(?![ \t]*\[)[^\n]*(?:\n|\Z))*', re.MULTILINE)
_DRIVER = re.compile(r'^[ \t]*driver = "(.*)"[ \t]*$', re.MULTILINE)
_PLAIN = re.compile(r"[\w./+-]+")


def set_up(root: Root, path: str, command: str) -> list[str]:
    """The files that were changed, those that say so already left out. NotARepository, Refused."""
    if root.common_dir is None:
        raise NotARepository(f"{root.path} is not in a git repository", "leave --setup-git out")
    done = [_attribute(root, path)]
    config = root.common_dir / "config"
    done.append(str(config) if _configure(config, lambda text: _with_section(text, command)) else "")
    return [one for one in done if one]


def section(root: Root) -> str:
    """Our section as the configuration of the clone has it, "" where it has none or cannot be read."""
    if root.common_dir is None:
        return ""
    try:
        text = (root.common_dir / "config").read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    return "".join(_SECTION.findall(text))


def program(root: Root) -> str:
    """The program that git starts in this clone to merge an export, "" where it was told of none."""
    said = _DRIVER.search(section(root))
    if said is None:
        return ""
    try:
        words = shlex.split(re.sub(r'\\(["\\])', r"\1", said[1]))
    except ValueError:
        return said[1]
    return words[0] if words else ""


def is_asked_for(root: Root, path: str) -> bool:
    """Whether an attribute beside this file asks for the driver, as it does in every clone once one has it set up."""
    found = disk.read(root, _attributes(path))
    return isinstance(found, disk.Contents) and _wanted(path) in found.data.splitlines()


def take_out(root: Root) -> bool:
    """Takes that section out; git then merges exports as any other text. Refused."""
    return bool(section(root)) and root.common_dir is not None and _configure(root.common_dir / "config", _without)


def _attribute(root: Root, path: str) -> str:
    name = path.rpartition("/")[2]
    if not _PLAIN.fullmatch(name):
        raise Refused(f"{name} is no plain name", "an attribute of git needs one: letters, digits, dots, dashes")
    place = _attributes(path)
    found = disk.read(root, place)
    if isinstance(found, disk.Unread) and found.reason != "missing":
        raise Refused(f"{place} cannot be read: {found.reason.replace('_', ' ')}", "it was left as it was")
    before = found.data if isinstance(found, disk.Contents) else b""
    wanted = _wanted(path)
    if wanted in before.splitlines():
        return ""
    end = b"" if not before or before.endswith(b"\n") else b"\n"
    writing.write(root, place, before + end + wanted + b"\n")
    return place


def _attributes(path: str) -> str:
    folder = path.rpartition("/")[0]
    return f"{folder}/.gitattributes" if folder else ".gitattributes"


def _wanted(path: str) -> bytes:
    return f"{path.rpartition('/')[2]} {ATTRIBUTES}".encode()


def _configure(config: Path, change: Callable[[str], str]) -> bool:
    """As git does it: whoever makes `config.lock` may write it and put it in the place of `config`."""
    lock = config.with_name("config.lock")
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, config.stat().st_mode & 0o777)
    except FileExistsError:
        raise Refused(f"{lock} is there: git is changing its configuration", "try again in a moment") from None
    except OSError as error:
        raise Refused(f"{config} cannot be written: {error.strerror}", "it was left as it was") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            before = config.read_bytes()
            after = change(before.decode("utf-8", "surrogateescape"))
            file.write(after.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        if after.encode("utf-8", "surrogateescape") == before:
            return False
        lock.replace(config)
    except OSError as error:
        raise Refused(f"{config} cannot be written: {error.strerror}", "it was left as it was") from None
    finally:
        with suppress(OSError):
            lock.unlink(missing_ok=True)
    return True


def _with_section(text: str, command: str) -> str:
    quoted = command.replace("\\", "\\\\").replace('"', '\\"')
    section = f'[merge "{NAME}"]\n\tname = memories of anchormem, one by one\n\tdriver = "{quoted}"\n'
    if _SECTION.findall(text) == [section]:
        return text
    rest = _without(text)
    return rest + ("" if not rest or rest.endswith("\n") else "\n") + section


def _without(text: str) -> str:
    return _SECTION.sub("", text)

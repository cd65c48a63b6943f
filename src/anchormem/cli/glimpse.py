"""The store of a folder, opened for a look by hook and status line, and their one way to say something.

Imports next to nothing. Creates nothing and asks no git. Knows nothing of what is looked for.
"""

# ruff: noqa: PTH109  # pathlib costs more to import than the whole look
import os
import sys

from anchormem.project import place
from anchormem.store import glance

TYPE_CHECKING = False  # as of typing, which costs too much to import
if TYPE_CHECKING:
    from collections.abc import Iterable

    Found = tuple[glance.Glance, str, str]


def of_first(folders: "Iterable[str]") -> "Found | None":
    """(the store, its root, its directory) of the first of these folders that has one."""
    data = data_directory()
    for folder in folders:
        found = glance.find(data, os.path.realpath(folder)) if folder else None
        look = glance.look(found[0], found[2]) if found else None
        if found and look:
            return look, found[1], found[0]
    return None


def data_directory() -> str:
    return os.path.realpath(place.named())


def here() -> str:
    """The project an agent names in the environment, else the current directory; "" where that is gone."""
    try:
        return os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    except OSError:
        return ""


def one_line(text: str, most: int) -> str:
    """A body as data: on one line, without anything a terminal would obey, cut at a word."""
    line = " ".join(text.split())
    line = "".join(letter for letter in line if letter.isprintable())
    if len(line) <= most:
        return line
    cut = line[:most].rsplit(" ", 1)[0]
    return (cut if len(cut) > most // 2 else line[:most]) + "…"


def write(text: str) -> None:
    """On standard output, past Python's own buffer: nobody is told when nobody listens any more."""
    if sys.stdout is None:
        return
    left = text.encode("utf-8", "replace")
    try:
        while left:
            left = left[os.write(1, left) :]
    except OSError:
        return

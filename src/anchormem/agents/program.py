"""Which words start this program, and which words of somebody's configuration are ours: the marker of all we write.

Knows nothing of files and agents.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath

from anchormem.project.place import VARIABLE, named

NAME = "anchormem"


def words() -> tuple[str, ...]:
    """Absolute, without shell syntax: the command beside this Python, else on PATH, else this Python itself."""
    beside = Path(sys.executable).parent / (f"{NAME}.exe" if os.name == "nt" else NAME)
    if beside.is_file():
        return (str(beside),)
    found = shutil.which(NAME)
    return (os.path.abspath(found),) if found else (sys.executable, "-m", NAME)  # noqa: PTH100 — links stay links


def environment() -> dict[str, str]:
    """What the program needs to find the same stores again: no agent is trusted to hand its own environment on."""
    return {VARIABLE: os.path.realpath(named())} if os.environ.get(VARIABLE, "").strip() else {}


def line(*more: str) -> str:
    """A command line for a shell; on Windows for cmd and for the sh that comes with git, which share no assignments."""
    whole = (*words(), *more)
    if os.name != "nt":
        return " ".join((*(f"{name}={shlex.quote(value)}" for name, value in environment().items()), shlex.join(whole)))
    return " ".join(f'"{word}"' if " " in word else word for word in (part.replace("\\", "/") for part in whole))


def is_ours(said: Sequence[object], verb: str) -> bool:
    """Whether these words start anchormem with this verb, wherever it lies or lay."""
    if not said or not all(isinstance(word, str) for word in said):
        return False
    texts = [str(word) for word in said]
    if _is_named(texts[0]):
        return texts[1:2] == [verb]
    return texts[1:4] == ["-m", NAME, verb]


def is_our_line(said: object, verb: str, arguments: object = None) -> bool:
    """The same for a command line, or a program with its arguments beside it."""
    if not isinstance(said, str):
        return False
    if isinstance(arguments, list):
        return is_ours([said, *arguments], verb)
    return is_ours(split(said), verb)


def split(said: str) -> list[str]:
    """The words of a command line, without the assignment of ours before them."""
    try:
        parts = shlex.split(said)
    except ValueError:
        return []
    return parts[1:] if parts and parts[0].startswith(f"{VARIABLE}=") else parts


def _is_named(word: str) -> bool:
    """Both kinds of separators count: a configuration may come from another system."""
    return PureWindowsPath(word).name.lower().removesuffix(".exe") == NAME

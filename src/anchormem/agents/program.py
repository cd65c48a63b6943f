"""Which words start this program, and which words of somebody's configuration are ours: the marker of all we write.

Knows nothing of files and agents.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath

NAME = "anchormem"


def words() -> tuple[str, ...]:
    """Absolute, without shell syntax: the command beside this Python, else on PATH, else this Python itself."""
    beside = Path(sys.executable).parent / (f"{NAME}.exe" if os.name == "nt" else NAME)
    if beside.is_file():
        return (str(beside),)
    found = shutil.which(NAME)
    return (os.path.abspath(found),) if found else (sys.executable, "-m", NAME)  # noqa: PTH100 — links stay links


def line(*more: str) -> str:
    """A command line for a shell; on Windows for cmd and for the sh that comes with git."""
    whole = (*words(), *more)
    if os.name != "nt":
        return shlex.join(whole)
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
    try:
        return shlex.split(said)
    except ValueError:
        return []


def target(said: Sequence[str]) -> Path:
    """The file that these words start."""
    return Path(said[0])


def _is_named(word: str) -> bool:
    """Both kinds of separators count: a configuration may come from another system."""
    return PureWindowsPath(word).name.lower().removesuffix(".exe") == NAME

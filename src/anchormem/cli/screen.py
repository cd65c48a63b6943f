"""What a person sees: text without control sequences, colour where it is welcome, progress on standard error.

Knows nothing of any command.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable
from typing import Literal

from anchormem.errors import AnchormemError
from anchormem.text.printable import printable

Style = Literal["bold", "dim", "red", "green", "yellow", "cyan"]
_CODES: dict[Style, str] = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_PROGRESS_SECONDS = 0.1


def say(*lines: str) -> None:
    """Prints lines made by `paint` and `plain`, or JSON."""
    try:
        for line in lines:
            print(line)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritten(error) from None


def unwritten(error: OSError) -> AnchormemError:
    """Standard output is full or gone. What a command did before it printed stays done."""
    return AnchormemError(f"standard output cannot be written: {error.strerror}", "only the printing failed")


def plain(text: str) -> str:
    """Text from a store or a repository, safe for a terminal."""
    return printable(text)


def on_one_line(name: str) -> str:
    """The name of a file or symbol with line breaks and control characters spelled out: it is one name on one line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)


def paint(text: str, style: Style) -> str:
    """Text made safe, and coloured on a terminal that wants it."""
    safe = printable(text)
    return f"\x1b[{_CODES[style]}m{safe}\x1b[0m" if coloured() else safe


def coloured() -> bool:
    """https://no-color.org: any value but the empty one switches colour off."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def indented(text: str, by: str = "  ") -> Iterable[str]:
    return (f"{by}{line}" for line in text.splitlines())


def progress(what: str) -> Callable[[int, int], None]:
    """A listener for (done, total) that shows one moving line on a terminal and nothing elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        return lambda _done, _total: None
    shown_at = 0.0

    def show(done: int, total: int) -> None:
        nonlocal shown_at
        now = time.monotonic()
        if done >= total or now - shown_at >= _PROGRESS_SECONDS:
            shown_at = now
            end = "\x1b[K\r" if done >= total else "\x1b[K"
            line = "" if done >= total else f"{what} {done:,} of {total:,}"
            print(f"\r{line}", end=end, file=sys.stderr, flush=True)

    return show

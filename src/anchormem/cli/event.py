"""What an agent writes to the standard input of hook and status line, within a time and a size, whatever it is.

Imports next to nothing: these two processes start at every event. Knows nothing of what is answered.
"""

import os
import sys

# The C half of json: its Python half imports re, enum and functools, which cost more than all the rest.
from _json import encode_basestring_ascii as quoted
from _json import make_scanner

__all__ = ["quoted", "read", "text"]
TYPE_CHECKING = False  # as of typing, which costs too much to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FIRST_SECONDS = 0.15  # a client that has something to say has written it before this process is up
WHOLE_SECONDS = 1.0
MOST_BYTES = 32 << 20  # the event of an edit holds the file twice
CHUNK = 1 << 16


def read(most: int = MOST_BYTES) -> "Mapping[str, Any] | None":
    """The event. None: nobody said anything. Empty: what was said is no JSON object, too long, or came too late."""
    if sys.stdin is None or os.isatty(0):
        return None
    said = _waited(most) if os.name == "nt" else _polled(most)
    if not said:
        return None
    return {} if len(said) > most else _object(said) or {}


def text(event: "Mapping[str, Any]", *names: str) -> str:
    """The text at a path of names, "" where there is none."""
    found: Any = event
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""


class _Rules:
    """What the scanner asks for; every value as json's own decoder has it, but that a raw tab may stand in a text."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def _object(said: bytes) -> "Mapping[str, Any] | None":
    """One JSON object and nothing after it. Numbers of thousands of digits are nobody's event."""
    try:
        whole = said.decode("utf-8-sig").strip()
        found, end = make_scanner(_Rules())(whole, 0)  # type: ignore[arg-type]  # any object with these will do
    except (ValueError, RecursionError, StopIteration):
        return None
    return found if isinstance(found, dict) and end == len(whole) else None


def _polled(most: int) -> bytes:
    """A stream may be left open by who wrote it, so a whole object ends it too."""
    import select  # noqa: PLC0415 — of no use for pipes on Windows
    from time import monotonic  # noqa: PLC0415 — as above

    said, began = bytearray(), monotonic()
    while len(said) <= most:
        left = began + (WHOLE_SECONDS if said else FIRST_SECONDS) - monotonic()
        try:
            if left <= 0 or not select.select([0], [], [], left)[0]:
                break
            chunk = os.read(0, CHUNK)
        except (OSError, ValueError):
            break
        said += chunk
        if not chunk or (len(chunk) < CHUNK and said.rstrip().endswith(b"}") and _object(bytes(said)) is not None):
            break
    return bytes(said)


def _waited(most: int) -> bytes:
    """Windows cannot poll a pipe: a thread reads, and is left behind when it is late."""
    import threading  # noqa: PLC0415 — costs too much where it is not needed

    said = bytearray()

    def reader() -> None:
        try:
            while len(said) <= most and (chunk := os.read(0, CHUNK)):
                said.extend(chunk)
        except OSError:
            pass

    thread = threading.Thread(target=reader, daemon=True)
    thread.start()
    thread.join(FIRST_SECONDS)
    if said:
        thread.join(WHOLE_SECONDS)
    return bytes(said)

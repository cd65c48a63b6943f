"""Text in and out whatever the locale: file names are UTF-8 in every process, and no letter stops what is printed."""

import codecs
import io
import os
import sys
from contextlib import suppress

SPELLED = "anchormem.spelled"


def begin_again() -> None:
    """Starts this process anew with UTF-8 for file names, where the locale has another encoding for them.

    Under such a locale a path is another text, and so another repository, and paths of UTF-8 cannot be opened. Returns
    where that cannot be helped. https://peps.python.org/pep-0540/
    """
    if os.name == "posix" and not sys.flags.utf8_mode and sys.executable:
        with suppress(OSError):
            os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 — ourselves


def spell_out(*, as_json: bool = False) -> None:
    """Lets the standard streams write what their encoding lacks as JSON does: `\\u00e9`, which text and JSON share.
    `as_json`: a program reads, and JSON is UTF-8 wherever it goes. https://www.rfc-editor.org/rfc/rfc8259#section-8.1
    """
    codecs.register_error(SPELLED, _spelled)
    if isinstance(sys.stdin, io.TextIOWrapper):
        with suppress(io.UnsupportedOperation):  # somebody has read from it already
            sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8" if as_json and stream is sys.stdout else None, errors=SPELLED)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)), error.end

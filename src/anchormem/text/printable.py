"""Text made safe for a terminal. Knows nothing of where it is printed."""

import re

_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, clearing
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS, SOS, PM, APC, whole
    "|\x1b[ -/]*[0-~]?"  # everything else that begins with ESC
)
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    """The text without terminal escape sequences, control characters and overrides of direction.

    Newline and tab stay; lone surrogates become U+FFFD, so that any stream can encode what is printed.
    """
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", _SEQUENCE.sub("", text.replace("\r\n", "\n"))))

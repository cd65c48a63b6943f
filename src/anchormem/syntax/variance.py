"""What TypeScript's grammar stumbles on: hidden from the parser, and code all the same. Works on bytes alone."""

import re
from collections.abc import Iterator
from typing import Final

DECLARED: Final = re.compile(rb"\b(?:class|interface|type)\s+[\w$]+\s*<")
VARIANCE: Final = re.compile(rb"[<,]\s*(?:const\s+)?(?P<word>in\s+out|in|out)(?=\s+[\w$]+\s*(?:[,>=]|extends\b))")
WORD: Final = re.compile(rb"\S+")
LONGEST: Final = 2000  # bytes of one list of type parameters


def without_variance(code: bytes) -> bytes:
    """Hides `in` and `out` before the names of type parameters."""
    masked: bytearray | None = None
    for found in DECLARED.finditer(code):
        start = found.end() - 1
        for word in VARIANCE.finditer(code, start, end_of_list(code, start)):
            masked = bytearray(code) if masked is None else masked
            masked[word.start("word") : word.end("word")] = re.sub(rb"\S", b" ", word["word"])
    return code if masked is None else bytes(masked)


def end_of_list(code: bytes, start: int) -> int:
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, min(len(code), start + LONGEST)):
        depth += (code[at] == ord("<")) - (code[at] == ord(">") and code[at - 1] != ord("="))
        if not depth:
            return at + 1
    return start


def words(text: bytes) -> Iterator[tuple[int, int, bytes, bool]]:
    for found in WORD.finditer(text):
        yield found.start(), found.end(), found[0], False

"""Text that UTF-8 cannot carry, made storable and back: lone surrogates of odd file names and broken JSON escapes.

Each lone surrogate is stored as a private-use character of the last plane, such a character itself behind an escape.
"""

import re
from collections.abc import Iterable
from json import dumps

from anchormem.store.opening import Values

PRIVATE = 0x10D800  # U+10D800 … U+10DFFF stand for U+D800 … U+DFFF
ESCAPE = chr(PRIVATE - 1)
ODD = re.compile("[\ud800-\udfff\U0010d7ff-\U0010dfff]")
STORED = re.compile("\U0010d7ff([\U0010d7ff-\U0010dfff])|([\U0010d800-\U0010dfff])")
STEP = PRIVATE - 0xD800


def packed(text: str) -> str:
    """The text as it is stored; the same for nearly every text."""
    if text.isascii() or ODD.search(text) is None:
        return text
    return ODD.sub(_pack, text)


def unpacked(text: str) -> str:
    """The text as it was given; to be used for every path, name and body that leaves the store."""
    if text.isascii() or STORED.search(text) is None:
        return text
    return STORED.sub(_unpack, text)


def packed_values(values: Values) -> Values:
    """Parameters of a statement with every text as it is stored."""
    for value in values.values():
        if isinstance(value, str) and not value.isascii():
            return {name: packed(value) if isinstance(value, str) else value for name, value in values.items()}
    return values


def listed(values: Iterable[object]) -> str:
    """A JSON list for `json_each`."""
    return dumps(list(values), ensure_ascii=False, separators=(",", ":"))


def digests(values: Iterable[bytes]) -> str:
    """A JSON list of hexadecimal digests for `digest(json_each.value)`."""
    return listed(value.hex() for value in values)


def _pack(found: re.Match[str]) -> str:
    return ESCAPE + found[0] if found[0] >= ESCAPE else chr(ord(found[0]) + STEP)


def _unpack(found: re.Match[str]) -> str:
    escaped, private = found.groups()
    return str(escaped) if escaped else chr(ord(private) - STEP)

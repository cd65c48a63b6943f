"""Text that UTF-8 cannot carry, made storable and back: lone surrogates of odd file names and broken JSON escapes.

Each lone surrogate goes to a private-use character of the last plane; no file is expected to use those in its name.
"""

from collections.abc import Iterable
from json import dumps

from anchormem.store.opening import SqlValue, Values

PRIVATE = 0x10D800  # U+10D800 … U+10DFFF stand for U+D800 … U+DFFF
TO_STORE = {0xD800 + step: PRIVATE + step for step in range(0x800)}
FROM_STORE = {PRIVATE + step: 0xD800 + step for step in range(0x800)}


def packed(text: str) -> str:
    return text.translate(TO_STORE)


def unpacked(text: str) -> str:
    """The text as it was given; to be used for every path, name and body that leaves the store."""
    return text if text.isascii() else text.translate(FROM_STORE)


def packed_values(values: Values) -> dict[str, SqlValue]:
    return {name: packed(value) if isinstance(value, str) else value for name, value in values.items()}


def listed(values: Iterable[object]) -> str:
    """A JSON list for `json_each`."""
    return dumps(list(values), ensure_ascii=False, separators=(",", ":"))


def digests(values: Iterable[bytes]) -> str:
    """A JSON list of hexadecimal digests for `digest(json_each.value)`."""
    return listed(value.hex() for value in values)

"""What a piece of source may be replaced with, so that it says something else and most likely still parses.

Never only the letter case, nor only the layout: those may be noise. Knows bytes alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from typing import Any, Final, Protocol, TypeVar

from tree_sitter import Node

Item = TypeVar("Item")


class Chance(Protocol):
    """As far as it is used here, the standard `Random`: whoever asks for edits brings the seed."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[Item], /) -> Item: ...
    def sample(self, population: Sequence[Item], k: int) -> list[Item]: ...
    def shuffle(self, x: MutableSequence[Any]) -> None: ...


NUMBER: Final = re.compile(rb"\.?[0-9]")
LETTERS: Final = b"qzvkxjw"
HEX: Final = b"abcdef"
# Words of grammars that name a kind of their own, and what may stand in their place.
OTHER_WORDS: Final[Mapping[bytes, tuple[bytes, ...]]] = {
    b"True": (b"False", b"None"), b"False": (b"True", b"None"), b"None": (b"True", b"0"),
    b"true": (b"false",), b"false": (b"true",), b"null": (b"0", b"true"), b"nil": (b"0", b"true"),
    b"public": (b"private", b"protected"), b"private": (b"public", b"protected"), b"protected": (b"public",),
    b"int": (b"long", b"bool", b"float", b"u8"), b"static": (b"final", b"abstract"), b"self": (b"other",),
    b"final": (b"static", b"abstract"), b"abstract": (b"static", b"final"), b"const": (b"volatile",),
    b"string": (b"number", b"int"), b"number": (b"string",), b"void": (b"int",), b"undefined": (b"null",),
}  # fmt: skip
COMMENTS: Final[Mapping[str, bytes]] = {
    **dict.fromkeys(("python", "ruby", "bash"), b"#"),
    **dict.fromkeys(
        ("javascript", "typescript", "tsx", "php", "rust", "go", "java", "c", "cpp", "csharp"), b"//"
    ),
}  # fmt: skip
ESCAPES: Final = (rb"\n", rb"\t", rb"\r", rb"\\")
QUOTES: Final = (b"'", b'"', b"`")
NEVER_TWICE: Final = (*QUOTES, b";", b",")  # two semicolons are one and an empty statement


def of_number(text: bytes, random: Chance) -> Iterator[bytes]:
    """One digit another one."""
    digits = [match.start() for match in re.finditer(rb"[0-9]", text)]
    radix = text[:2].lower()
    for at in random.sample(digits, min(3, len(digits))):
        old = text[at : at + 1]
        news = (b"1", b"0") if radix == b"0b" and at > 1 else (b"1", b"7", b"3", b"5", b"0")
        yield from (text[:at] + new + text[at + 1 :] for new in news[:3] if new != old)


def of_word(text: bytes, others: Iterable[bytes], random: Chance) -> Iterator[bytes]:
    """Another word of the same kind, or one that is not there."""
    known = [other for other in others if other.lower() != text.lower()]
    if random.random() < 0.5:  # noqa: PLR2004 # half of each
        yield text + b"q"
    yield from OTHER_WORDS.get(text, ())
    yield from random.sample(known, min(2, len(known)))
    yield text + b"q"


def of_fixed(text: bytes, others: list[bytes], random: Chance) -> Iterator[bytes]:
    """Another keyword or operator that may stand here, or none."""
    wordlike = text.isalpha()
    same = [other for other in others if other.isalpha() == wordlike and other not in QUOTES]
    random.shuffle(same)
    same.sort(key=lambda other: (abs(len(other) - len(text)), other[-1:] != text[-1:]))
    yield from same[:5]
    yield b""
    if wordlike:
        yield from OTHER_WORDS.get(text, ())
        yield text + b"q"
    elif text not in NEVER_TWICE:
        yield text + text


def of_text(text: bytes, seen: bytes, random: Chance) -> Iterator[bytes]:
    """One character of a text another one, one more, or a blank inside a word. `seen`: without comments in it."""
    if text.startswith(b"\\"):
        yield from (escape for escape in random.sample(ESCAPES, len(ESCAPES)) if escape != text)
    places = [match.start() for match in re.finditer(rb"[A-Za-z0-9]", seen)]
    words = [match.start() + 1 for match in re.finditer(rb"[A-Za-z](?=[A-Za-z])", seen)]
    for at in random.sample(places, min(3, len(places))):
        yield text[:at] + other_character(text[at], random) + text[at + 1 :]
    for at in random.sample(words, min(1, len(words))):
        yield text[:at] + b" " + text[at:]
    for at in random.sample(places, min(1, len(places))):
        yield text[:at] + b"q" + text[at:]
    if not places:
        middle = len(text) // 2
        yield text[:middle] + b"q" + text[middle:]
        yield from (text[:middle] + new + text[middle + 1 :] for new in (b"-", b"+", b"q", b"7") if text)


def of_prose(text: bytes, random: Chance) -> Iterator[bytes]:
    """Other words in a comment or documentation: a letter well inside is another one."""
    places = [match.start() + 1 for match in re.finditer(rb"(?<=[a-z])[a-z](?=[a-z])", text)]
    for at in random.sample(places, min(2, len(places))):
        yield text[:at] + other_character(text[at], random) + text[at + 1 :]


def other_character(old: int, random: Chance) -> bytes:
    """Another letter for a letter, another digit for a digit; for what could be a hexadecimal digit another such."""
    if 48 <= old <= 57:  # noqa: PLR2004 # 0 to 9
        return bytes([random.choice([new for new in b"1735" if new != old])])
    pool = HEX if old in HEX else LETTERS
    return bytes([random.choice([new for new in pool if new != old | 32])])


def of_byte(old: int, random: Chance) -> Iterator[bytes]:
    """Another byte for one byte."""
    if bytes([old]).isalnum():
        yield other_character(old, random)
        return
    others = [byte for byte in b"q7-+*/.<=:" if byte != old]
    yield from (bytes([byte]) for byte in random.sample(others, 4))


def again(source: bytes, node: Node) -> bytes:
    """What stands after a node when it stands there twice: in a list after a comma, else on a line of its own."""
    text = source[node.start_byte : node.end_byte]
    beside = (node.next_sibling, node.prev_sibling)
    if any(sibling is not None and sibling.type == "," for sibling in beside):
        return b", " + text
    line = source.rfind(b"\n", 0, node.start_byte) + 1
    indent = source[line : node.start_byte]
    return (b"\n" + indent if not indent.strip() else b" ") + text

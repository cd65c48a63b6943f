"""Preprocessor text, which grammars take as a line of anything: comments hidden from the parser, bodies as tokens.

Works on bytes alone.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from anchormem.syntax import variance
from anchormem.syntax.literals import c_join, c_number
from anchormem.syntax.masked import Masked
from anchormem.syntax.stumbles import BLOCK, hidden

# Open to the end of the line or file where nothing closes it, or short: a scan must not start anew at every quote.
LITERAL: Final = (
    rb"""(?<!\w)(?:u8|[uUL])?R"(?P<raw>[^()\\\s"]{0,16})\(.*?(?:\)(?P=raw)"|\Z)"""
    rb"""|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"?|(?:u8|[uUL])?'(?:\\.|[^'\\\n]){1,60}'"""
)
COMMENT: Final = rb"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)"
NUMBER: Final = rb"(?<!\w)\.?[0-9](?:[eEpP][+-]|'?[0-9A-Za-z_.])*"
TOKEN: Final = re.compile(
    rb"(?P<literal>" + LITERAL + rb")|(?P<comment>" + COMMENT + rb")|(?P<number>" + NUMBER + rb")|(?P<word>\w+)"
    rb"|\.\.\.|->\*|<=>|<<=|>>=|\#\#|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||::|\.\*|[^\s]",
    re.DOTALL,
)
SPLICE: Final = re.compile(rb"(" + LITERAL + rb")|\\\n", re.DOTALL)

DIRECTIVE: Final = rb"^[ \t]*\#[ \t]*(?:define|pragma|error|warning)\b"
NEEDS_MASK: Final = re.compile(DIRECTIVE + rb"(?:\\\n|[^\n])*?/[/*]", re.MULTILINE)
OUTSIDE: Final = re.compile(
    rb"(?P<directive>" + DIRECTIVE + rb")|" + COMMENT + rb"|" + LITERAL + rb"|" + NUMBER,
    re.DOTALL | re.MULTILINE,
)
NO_WORDS: Final = re.compile(
    rb"(?P<text>" + LITERAL + rb")|" + COMMENT + rb"|^[ \t]*\#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE
)
FILLED: Final = re.compile(rb"[^\n]")
# To the grammars the value of `#define X` and blanks behind it is the next line, whatever that says.
VALUELESS: Final = re.compile(
    rb"^([ \t]*\#[ \t]*(?:define[ \t]+\w+(?:\([^()\n]*\))?|pragma|error|warning"
    rb"|include[ \t]*(?:<[^>\n]*>|\"[^\"\n]*\")(?:[ \t]*/\*[^*\n]*\*/)?))"
    rb"([ \t\f\v]+)$",
    re.MULTILINE,
)
LINKAGE: Final = re.compile(
    rb"^[ \t]*\#[ \t]*(?:ifdef[ \t]+|if[ \t]+defined[ \t(]+)(?:__cplusplus|c_plusplus)\b[^\n]*\n"
    rb"(?:[ \t]*\n)*[ \t]*(?P<brace>extern\s+\"C\"\s*\{|\})[ \t]*;?[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)?\n"
    rb"(?:[ \t]*\n)*[ \t]*\#[ \t]*endif",
    re.MULTILINE,
)
INSIDE: Final = re.compile(
    rb"(?P<literal>" + LITERAL + rb")|(?P<comment>" + COMMENT + rb")|" + NUMBER + rb"|\\\n|(?P<end>\n)",
    re.DOTALL,
)


def mask(source: bytes) -> Masked:
    code = without_comments(source)
    return Masked(code, without_stumbles(without_linkage(without_blank_values(code))))


def without_blank_values(code: bytes) -> bytes:
    """Blanks that end a directive without a value, made part of the line end: a comment, or a carriage return."""
    return VALUELESS.sub(lambda found: found[1] + (b"\r" if len(found[2]) == 1 else b"/" * len(found[2])), code)


def without_stumbles(code: bytes) -> bytes:
    """Hides macros where a declaration or statement has no place for them."""
    clean = NO_WORDS.sub(lambda found: FILLED.sub(b"0" if found["text"] else b" ", found[0]), code)
    masked: bytearray | None = None
    for start, end in hidden(clean):
        masked = bytearray(code) if masked is None else masked
        masked[start:end] = re.sub(rb"[^\n]", b" ", masked[start:end])
    return code if masked is None else bytes(masked)


def start_of_next(text: bytes) -> int:
    """From where on hidden text belongs to the definition after it: behind the last line that opens or ends a block."""
    last = max((found.end() for found in BLOCK.finditer(text)), default=-1)
    return 0 if last < 0 else (text.find(b"\n", last) + 1 or len(text))


def without_linkage(code: bytes) -> bytes:
    """Hides the braces of `extern "C"` where only C++ sees them: to a parser, one is closed in another branch."""
    found = list(LINKAGE.finditer(code))
    opened = sum(match["brace"].endswith(b"{") for match in found)
    if not found or 2 * opened != len(found):
        return code
    masked = bytearray(code)
    for match in found:
        start, end = match.span("brace")
        masked[start:end] = re.sub(rb"[^\n]", b" ", match["brace"])
    return bytes(masked)


def without_comments(source: bytes) -> bytes:
    """The comments in directives hidden, and what looks like one there: parsers stumble on them."""
    if NEEDS_MASK.search(source) is None:
        return source
    masked = bytearray(source)
    at = 0
    while (found := OUTSIDE.search(source, at)) is not None:
        at = found.end()
        if found["directive"]:
            at = mask_line(source, masked, at)
    return bytes(masked)


def mask_line(source: bytes, masked: bytearray, at: int) -> int:
    """Masks a directive from after its word on. Gives where its last line ends."""
    for found in INSIDE.finditer(source, at):
        if found["end"]:
            return found.start()
        if found["comment"]:
            masked[found.start() : found.end()] = blanked(found[0])
        elif found["literal"]:
            masked[found.start() : found.end()] = re.sub(rb"/(?=[/*])", b"_", found[0])
    return len(source)


def blanked(comment: bytes) -> bytes:
    """Blanks, and a continuation for each line end."""
    return b"".join(
        b" " if line == b"\n" else b" " * (len(line) - 2) + b"\\\n" if line.endswith(b"\n") else b" " * len(line)
        for line in comment.splitlines(keepends=True)
    )


def c_tokens(text: bytes) -> Iterator[tuple[int, int, bytes, bool]]:
    """The tokens of a macro's body as (start, end, canonical text, holds text); adjacent literals are one."""
    spliced, places = splice(text)
    held: tuple[int, int, bytes, bool] | None = None
    for found in TOKEN.finditer(spliced):
        if found["comment"]:
            continue
        start, end = places[found.start()], places[found.end() - 1] + 1
        said = c_number(found[0]) if found["number"] else found[0]
        token = (start, end, said, found["literal"] is not None)
        if held is not None and held[3] and token[3]:
            joined = c_join(held[2], held[2], said, whole=True)
            if joined is not None:
                held = (held[0], end, joined, True)
                continue
        if held is not None:
            yield held
        held = token
    if held is not None:
        yield held


def splice(text: bytes) -> tuple[bytes, range | list[int]]:
    """Without continuations outside literals, and where each byte stood."""
    if b"\\\n" not in text:
        return text, range(len(text))
    kept: list[int] = []
    at = 0
    for found in SPLICE.finditer(text):
        if found[0] == b"\\\n":
            kept.extend(range(at, found.start()))
            at = found.end()
    kept.extend(range(at, len(text)))
    return bytes(text[place] for place in kept), kept


MASKS: Final[Mapping[str, Callable[[bytes], Masked]]] = {
    "c": mask,
    "typescript": lambda source: Masked(source, variance.without_variance(source)),
}
ATTACHING: Final = frozenset({"c"})  # masks whose hidden words belong to the definition right after them
LEXERS: Final[Mapping[str, Callable[[bytes], Iterator[tuple[int, int, bytes, bool]]]]] = {
    "c": c_tokens,
    "typescript": variance.words,
}

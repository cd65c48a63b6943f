"""The code tokens of a definition in source order: for what changed, what an edit touches, and advice to a writer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from anchormem.errors import GrammarMissing
from anchormem.model import Symbol
from anchormem.syntax.folding import fold
from anchormem.syntax.frames import Frame
from anchormem.syntax.parsed import Parsed, parse
from anchormem.syntax.symbols import symbols_of

WORD = re.compile(rb"\w+|[^\w\s]")


class Token(NamedTuple):
    """`text` is canonical, `source` as written; `own`: how many definitions outwards from the anchored one it names."""

    text: bytes
    start: int
    end: int
    textual: bool = False
    own: str = ""


def symbol_tokens(source: bytes, language: str | None, symbol: Symbol | None) -> tuple[str, ...]:
    """Tokens without comments, documentation and formatter noise. `symbol` None: of the whole file."""
    folded, tokens = tokens_in(source, language, symbol)
    return tuple((token.text or folded[token.start : token.end]).decode(errors="replace") for token in tokens)


def tokens_in(source: bytes, language: str | None, symbol: Symbol | None) -> tuple[bytes, list[Token]]:
    """The folded source and the tokens inside the symbol (None: the file). Text without a grammar gives its words."""
    try:
        parsed = parse(source, language)
    except GrammarMissing:
        parsed = None
    if parsed is None:
        folded = fold(source)
        start, end = (symbol.start_byte, symbol.end_byte) if symbol is not None else (0, len(folded))
        return folded, [Token(m[0], m.start(), m.end()) for m in WORD.finditer(folded, start, end)]
    frame = frame_of(parsed, symbol) if symbol is not None else None
    return parsed.source, list(rendered(parsed, frame, indices(parsed, symbol, frame)))


def frame_of(parsed: Parsed, symbol: Symbol) -> Frame | None:
    """The definition a symbol stands for: of the same name, disambiguator and start, else the first two."""
    named = [
        (found, frame)
        for found, frame in symbols_of(parsed)
        if (found.qualified, found.disambiguator) == (symbol.qualified, symbol.disambiguator)
    ]
    exact = [frame for found, frame in named if found.start_byte == symbol.start_byte]
    return next(iter(exact or [frame for _, frame in named]), None)


def indices(parsed: Parsed, symbol: Symbol | None, frame: Frame | None) -> Iterator[int]:
    """The places of a definition's tokens in the stream, shared and here-document tokens included."""
    stream = parsed.stream
    if frame is not None:
        spans = [frame.texts, *(texts for _, texts in frame.extras)]
        if frame.group is not None:
            spans += [texts for _, texts in parsed.printer.share(frame.group).pieces]
        for first, last in sorted(spans):
            yield from range(first, last)
        return
    start, end = (symbol.start_byte, symbol.end_byte) if symbol is not None else (0, len(parsed.source))
    yield from (i for i in range(len(stream.texts)) if start <= stream.starts[i] and stream.end(i) <= end)


def rendered(parsed: Parsed, anchored: Frame | None, places: Iterator[int]) -> Iterator[Token]:
    stream = parsed.stream
    around: dict[Frame, int] = {}
    level, frame = 0, anchored
    while frame is not None:
        around[frame] = level
        level, frame = level + 1, frame.parent
    for i in places:
        named = stream.owns.get(i)
        start, end = stream.starts[i], stream.end(i)
        own = ""
        text = stream.texts[i]
        if named is not None:
            text = parsed.source[start:end]
            own = f"\0{around[named]}" if named in around else ""
        if start < end or text:
            yield Token(text, start, end, i in stream.textual, own)

"""Snippets that must keep occurring, token for token, inside a symbol or a file.

A stored token is its canonical text; `\\0N` is the name of the anchored definition (0) or the N-th around it, so that a
quote survives a rename; `\\1`, `\\2`, `\\3` before a text say that it is the end, the start or a part of a text token.
"""

import re
from typing import Final

from anchormem.errors import Refused
from anchormem.model import Symbol
from anchormem.syntax.folding import fold
from anchormem.syntax.tokens import Token, tokens_in

ENDS, STARTS, HOLDS = "\1", "\2", "\3"
PARTS: Final = (ENDS, STARTS, HOLDS)
ESCAPED_QUOTE = re.compile(rb"\\(['\"])")
BLANKS = b" \t\n\r\f\v"


def quote_tokens(source: bytes, language: str | None, symbol: Symbol | None, snippet: str) -> tuple[str, ...]:
    """The in-context tokens of `snippet` inside the symbol (None: the file).

    Refused: a snippet without tokens, one with part of a token (except inside text), one that does not occur.
    """
    wanted = fold(snippet.encode()).strip(BLANKS)
    folded, tokens = tokens_in(source, language, symbol)
    if not wanted:
        raise Refused("the quote is empty", "quote a few tokens of the code the memory depends on")
    for first in range(len(tokens)):
        last = match_at(folded, tokens, first, wanted)
        if last > first:
            return tuple(shown(token) for token in tokens[first:last])
    partial = inside_text(folded, tokens, wanted)
    if partial:
        return partial
    raise Refused(*why_not(folded, tokens, symbol, wanted))


def count(source: bytes, language: str | None, symbol: Symbol | None, tokens: tuple[str, ...]) -> int:
    """How often the token sequence occurs inside the symbol (None: the file)."""
    if not tokens:
        return 0
    _, there = tokens_in(source, language, symbol)
    said = [shown(token) for token in there]
    if len(tokens) == 1 and tokens[0].startswith(HOLDS):
        part = tokens[0][1:]
        return sum(text.count(part) for text, token in zip(said, there, strict=True) if token.textual)
    width = len(tokens)
    return sum(agrees(tokens, said[i : i + width]) for i in range(len(said) - width + 1))


def agrees(tokens: tuple[str, ...], said: list[str]) -> bool:
    return all(same(wanted, found) for wanted, found in zip(tokens, said, strict=True))


def same(wanted: str, found: str) -> bool:
    if wanted.startswith(ENDS):
        return found.endswith(wanted[1:])
    if wanted.startswith(STARTS):
        return found.startswith(wanted[1:])
    return wanted == found


def shown(token: Token) -> str:
    return token.own or token.text.decode(errors="replace")


def match_at(folded: bytes, tokens: list[Token], first: int, wanted: bytes) -> int:
    """The index after the last token when `wanted` is the text of whole tokens from `first` on, else `first`.

    Between tokens `wanted` may hold what stands between them in the source (comments, dropped punctuation) or not.
    """
    at, index = 0, first
    while at < len(wanted):
        if index == len(tokens):
            return first
        token = tokens[index]
        text = folded[token.start : token.end]
        if not wanted.startswith(text, at):
            return first
        at = skip(wanted, at + len(text))
        index += 1
        following = tokens[index].start if index < len(tokens) else token.end + GAP_AT_END
        at = skip_between(folded[token.end : following], wanted, at)
    return index


GAP_AT_END: Final = 200  # how much source after the last token may belong to a quote: a comma, a closing comment


def skip(text: bytes, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def skip_between(gap: bytes, wanted: bytes, at: int) -> int:
    for piece in gap.split():
        if at < len(wanted) and wanted.startswith(piece, at):
            at = skip(wanted, at + len(piece))
    return at


def inside_text(folded: bytes, tokens: list[Token], wanted: bytes) -> tuple[str, ...]:
    """The quote as text within one string, or one that begins or ends within one."""
    said = ESCAPED_QUOTE.sub(rb"\1", wanted)
    for token in tokens:
        if token.textual and said in token.text:
            return (HOLDS + said.decode(errors="replace"),)
    for index, token in enumerate(tokens):
        found = from_text(folded, tokens, index, wanted) if token.textual else ()
        if found:
            return found
    return up_to_text(folded, tokens, wanted)


def from_text(folded: bytes, tokens: list[Token], index: int, wanted: bytes) -> tuple[str, ...]:
    """Begins with the end of a text token, goes on with whole ones."""
    token = tokens[index]
    text = folded[token.start : token.end]
    for size in range(min(len(text), len(wanted)) - 1, 1, -1):
        if not text.endswith(wanted[:size]):
            continue
        rest = wanted[skip(wanted, size) :]
        last = match_at(folded, tokens, index + 1, rest) if rest else index
        if last > index + 1:
            start = ENDS + ESCAPED_QUOTE.sub(rb"\1", wanted[:size]).decode(errors="replace")
            if not token.text.endswith(start[1:].encode()):
                start = ENDS + token.text.decode(errors="replace")[-1:]
            return (start, *(shown(t) for t in tokens[index + 1 : last]))
    return ()


def up_to_text(folded: bytes, tokens: list[Token], wanted: bytes) -> tuple[str, ...]:
    """Whole tokens, then the beginning of a text token."""
    for first in range(len(tokens)):
        at, index = 0, first
        while index < len(tokens):
            token = tokens[index]
            text = folded[token.start : token.end]
            rest = wanted[at:]
            if index > first and token.textual and rest and len(rest) < len(text) and text.startswith(rest):
                opener = canonical_start(token, rest)
                return (*(shown(t) for t in tokens[first:index]), STARTS + opener)
            if not wanted.startswith(text, at):
                break
            at = skip(wanted, at + len(text))
            index += 1
            if index < len(tokens):
                at = skip_between(folded[token.end : tokens[index].start], wanted, at)
    return ()


def canonical_start(token: Token, rest: bytes) -> str:
    """The beginning of a text token as its canonical text spells it: openers and escaped quotes may be respelled."""
    said = ESCAPED_QUOTE.sub(rb"\1", rest)
    if token.text.startswith(said):
        return said.decode(errors="replace")
    opener = re.match(rb"[A-Za-z]*['\"`]+", rest)
    content = ESCAPED_QUOTE.sub(rb"\1", rest[opener.end() :]) if opener else said
    at = token.text.find(content)
    return token.text[: at + len(content)].decode(errors="replace")


def why_not(folded: bytes, tokens: list[Token], symbol: Symbol | None, wanted: bytes) -> tuple[str, str]:
    where = f"inside {symbol.qualified}" if symbol is not None else "in the file"
    start, end = (symbol.start_byte, symbol.end_byte) if symbol is not None else (0, len(folded))
    compact = b"".join(wanted.split())
    if compact not in b"".join(folded[start:end].split()):
        return f"the quote does not occur {where}", "quote the code as it stands in the file now"
    if compact in b"".join(b"".join(folded[t.start : t.end].split()) for t in tokens):
        return "the quote begins or ends within a token", "quote whole tokens: `LIMIT = 50`, not `MIT = 5`"
    return "the quote holds no code tokens, only comments or documentation", "quote code"

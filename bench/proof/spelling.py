"""How the tokens of Python source are spelled, by `tokenize`: what a formatter may respell is made one.

Part of the judge of the history proof; follows the words of the specification, not anybody's code.
"""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
STRING = re.compile(r"""(?P<prefix>[A-Za-z]*)(?P<quote>\"\"\"|'''|"|')(?P<content>.*)(?P=quote)""", re.DOTALL)
ABSORBING = re.compile(r"(?<!\\)(?:\\\\)*\\[0-7]{1,2}$")  # `"\1" "2"` is not `"\12"`
FSTRING_START = getattr(tokenize, "FSTRING_START", -1)  # from Python 3.12 on an f-string is many tokens
FSTRING_END = getattr(tokenize, "FSTRING_END", -1)


@dataclass(frozen=True, slots=True)
class Token:
    """`start`: line from 1 and offset in bytes, as `ast` counts. `norm`: the text as far as spelling counts."""

    text: str
    norm: str
    start: tuple[int, int]
    is_name: bool = False
    literal: str = ""  # "": none; else the class of literals it may be joined with


def tokens_of(source: bytes) -> list[Token]:
    """Code tokens in order. Raises what `tokenize` raises, as SyntaxError."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    text = io.TextIOWrapper(io.BytesIO(source), encoding, newline=None).read()
    lines = text.splitlines(keepends=True)
    if "\f" in text or "\x1c" in text or "\u2028" in text:  # splitlines breaks where tokenize does not
        lines = io.StringIO(text).readlines()
    try:
        made = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except tokenize.TokenError as error:
        raise SyntaxError(str(error)) from error
    return [_token(one, lines) for one in _whole_strings(made, lines) if one.type not in LAYOUT and one.string.strip()]


def _whole_strings(tokens: Iterable[tokenize.TokenInfo], lines: list[str]) -> Iterator[tokenize.TokenInfo]:
    """Each f-string as one token, whatever Python runs this."""
    depth, first = 0, None
    for one in tokens:
        if one.type == FSTRING_START:
            first = first if depth else one
            depth += 1
        elif one.type == FSTRING_END:
            depth -= 1
            if not depth and first is not None:
                text = _slice(lines, first.start, one.end)
                yield tokenize.TokenInfo(tokenize.STRING, text, first.start, one.end, first.line)
        elif not depth:
            yield one


def _slice(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    middle = lines[start[0] : end[0] - 1]
    return "".join([lines[start[0] - 1][start[1] :], *middle, lines[end[0] - 1][: end[1]]])


def _token(one: tokenize.TokenInfo, lines: list[str]) -> Token:
    row, column = one.start
    line = lines[row - 1] if row <= len(lines) else ""
    start = (row, column if line.isascii() else len(line[:column].encode("utf-8", "surrogatepass")))
    if one.type == tokenize.NUMBER:
        norm = number(one.string)
        return Token(one.string, norm, start, literal=f"number {norm}")
    if one.type == tokenize.STRING:
        kind, content = string(one.string)
        return Token(one.string, f"{kind}'{content}'", start, literal=f"string {kind}")
    return Token(one.string, one.string, start, is_name=one.type == tokenize.NAME)


def number(text: str) -> str:
    """Letter case, separators, and the nought before or after a point."""
    said = text.lower().replace("_", "")
    if said.startswith(("0x", "0b", "0o")):
        return said
    said = re.sub(r"^\.", "0.", said)
    return re.sub(r"\.(?=$|[ej])", ".0", said)


def string(text: str) -> tuple[str, str]:
    """Prefix class and raw content. An escaped quote is a quote; nothing else is unescaped."""
    match = STRING.fullmatch(text)
    if match is None:
        return "?", text
    prefix = "".join(sorted(match["prefix"].lower().replace("u", "")))
    content = match["content"]
    if "r" not in prefix:
        content = re.sub(r"\\(.)", lambda m: m[1] if m[1] in "'\"" else m[0], content, flags=re.DOTALL)
    if "f" in prefix:
        content = "".join(_outside_braces(content))
    return prefix.replace("f", ""), content  # that it is a format string, its syntax tree says


def _outside_braces(content: str) -> Iterator[str]:
    """An f-string's own text; what is in braces is judged by its syntax tree."""
    depth, at = 0, 0
    while at < len(content):
        pair = content[at : at + 2]
        if not depth and pair in ("{{", "}}"):
            yield pair[0]
            at += 2
            continue
        char = content[at]
        depth += (char == "{") - (char == "}")
        if not depth:
            yield char
        at += 1


def spelled(tokens: Iterable[Token]) -> list[str]:
    """The literals in order; adjacent strings of one prefix class are one."""
    made: list[str] = []
    before: Token | None = None
    for one in tokens:
        joins = before is not None and one.literal.startswith("string") and one.literal == before.literal
        if joins and not (ABSORBING.search(made[-1]) and one.norm[-2:] != "''"):
            made[-1] += _content(one)
        elif one.literal:
            made.append(one.literal if one.literal.startswith("number") else f"{one.literal}{_content(one)}")
        before = one
    return made


def _content(token: Token) -> str:
    return token.norm.partition("'")[2][:-1]

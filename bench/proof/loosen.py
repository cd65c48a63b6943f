"""Go as nobody lays it out, so that gofmt has something to do: every implied semicolon written, odd blanks, no indents.

A scanner after the language's specification ("Tokens", "Semicolons"), which knows nothing of grammars or of our tables.
"""

import re
from collections.abc import Iterator

TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+)|(?P<line>\n)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>`[^`]*`)"""
    r"""|(?P<literal>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')"""
    r"""|(?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)|(?P<word>\w+)"""
    r"""|(?P<sign><<=|>>=|&\^=|\.\.\.|&&|\|\||<-|\+\+|--|==|!=|<=|>=|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|&\^|.)""",
    re.DOTALL,
)
KEYWORDS = re.compile(
    "break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|interface|map|package"
    "|range|return|select|struct|switch|type|var"
)
ENDING = frozenset({"break", "continue", "fallthrough", "return", "++", "--", ")", "]", "}"})
BLANKS = (" ", "\t", "  ")
RESULTS = frozenset({"error", "string", "int", "bool", "float64", "any"})
Token = tuple[str, str]  # kind, text


def loosened(source: str) -> str:
    out: list[str] = []
    for count, (kind, text) in enumerate(lined(parenthesised(list(scanned(source))))):
        if kind == "line" and out and not out[-1].endswith("\n"):
            out.append(text)
        elif kind == "line":
            out.append("\n")
        else:
            out += [text] if not out or out[-1].endswith("\n") else [BLANKS[count % 3], text]
    return "".join(out)


def scanned(source: str) -> Iterator[Token]:
    for found in TOKEN.finditer(source):
        if found.lastgroup != "blank":
            yield found.lastgroup or "", found[0]


def ends_statement(token: Token) -> bool:
    kind, text = token
    return (
        kind in {"raw", "literal", "number"} or text in ENDING or (kind == "word" and KEYWORDS.fullmatch(text) is None)
    )


def lined(tokens: list[Token]) -> Iterator[Token]:
    """Two of three implied semicolons said; before a comment that ends the line, where the rule puts them."""
    last: Token = ("", "")
    count = 0
    for place, token in enumerate(tokens):
        kind, text = token
        ends_line = kind == "line" or (
            kind == "comment"
            and (text.startswith("//") or "\n" in text or tokens[place + 1 : place + 2] == [("line", "\n")])
        )
        if ends_line and ends_statement(last):
            count += 1
            if count % 3:
                yield "sign", ";"
            last = ("", "")
        yield token
        if kind not in {"line", "comment"}:
            last = token


def parenthesised(tokens: list[Token]) -> list[Token]:
    """`if a {` as `if ( a ) {`, `) error {` as `) ( error ) {`."""
    out: list[Token] = []
    closing: set[int] = set()
    for place, token in enumerate(tokens):
        if place in closing:
            out.append(("sign", ")"))
        out.append(token)
        if token in {("word", "if"), ("word", "switch"), ("word", "for")}:
            end = header_end(tokens, place + 1)
            if end > place + 1:
                closing.add(end)
                out.append(("sign", "("))
        elif token == ("sign", ")") and is_result(tokens[place + 1 : place + 3]):
            closing.add(place + 2)
            out.append(("sign", "("))
    return out


def is_result(tokens: list[Token]) -> bool:
    return [kind for kind, _ in tokens] == ["word", "sign"] and tokens[0][1] in RESULTS and tokens[1][1] == "{"


def header_end(tokens: list[Token], start: int) -> int:
    """Where the block after a plain condition begins, 0 where there is more than a condition."""
    depth = 0
    for place in range(start, len(tokens)):
        kind, text = tokens[place]
        if kind in {"line", "comment"} or text in {";", ":=", "=", "range", "func", "struct", "interface", ":"}:
            return 0
        if text == "{" and depth == 0:
            return place if tokens[place - 1][1] != "}" else 0
        depth += (text in {"(", "["}) - (text in {")", "]"})
    return 0

"""Literals by dialect: the one place that knows how a language spells strings and numbers.

A string dialect takes the segments of one literal (the text between its interpolations; one segment when it has none,
openers and closers included) and gives them in canonical form. Equal canonical forms must mean equal values.
A number dialect takes and gives one token. Tables STRINGS, JOINS and NUMBERS name them for the language files. Patterns
of one dialect are left to the cache of `re`: a process for one file knows one language.
"""

import re
from collections.abc import Callable, Mapping

Segments = list[bytes]
SHORTEST_LITERAL = 2  # both quotes

ESCAPED = rb"\\((?s:.))"
PYTHON_OPENER = re.compile(rb"^([A-Za-z]*)('''|\"\"\"|'|\")")
NAMED_CHARACTER = b"\\N{"  # its braces are no braces of text
OCTAL_TAIL = rb"(?<!\\)(?:\\\\)*\\[0-7]{1,2}$"


def verbatim(segments: Segments) -> Segments:
    return segments


def plain_quotes(text: bytes) -> bytes:
    r"""Content with `\'` and `\"` unescaped and every other escape as it is written."""
    if b"\\" not in text:
        return text
    return re.sub(ESCAPED, lambda found: found[1] if found[1] in b"'\"" else found[0], text)


# Escapes that name a character in more than one spelling; in bytes `\\u`, `\\U` and `\\N` are no escapes.
PYTHON_ESCAPE = re.compile(rb"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|N\{[^{}]*\}|.)", re.DOTALL)


def python_escapes(text: bytes, *, wide: bool) -> bytes:
    r"""`\'` and `\"` unescaped, hex digits of escapes in lower case, names of characters in upper case."""

    def said(found: re.Match[bytes]) -> bytes:
        kind = found[1][:1]
        if len(found[1]) == 1:
            return found[1] if kind in b"'\"" else found[0]
        if kind == b"x" or (wide and kind in b"uU"):
            return b"\\" + kind + found[1][1:].lower()
        return b"\\" + found[1].upper() if wide else found[0]

    return PYTHON_ESCAPE.sub(said, text) if b"\\" in text else text


def python_string(segments: Segments) -> Segments:
    """Prefix in lower case, sorted, without `u`; one double quote; raw content."""
    opener = PYTHON_OPENER.match(segments[0])
    if opener is None:
        return segments
    prefix = bytes(sorted(opener[1].lower().replace(b"u", b"")))
    quote = opener[2]
    inner = [segments[0][opener.end() :], *segments[1:]]
    inner[-1] = inner[-1].removesuffix(quote)
    if b"r" not in prefix:
        inner = [python_escapes(segment, wide=b"b" not in prefix) for segment in inner]
    inner[0] = prefix + b'"' + inner[0]
    inner[-1] += b'"'
    return inner


def python_documentation(segments: Segments) -> Segments:
    """A string that stands as a statement: its lines without the blanks around them, as documentation is told."""
    said = python_string(segments)
    prefix = said[0].partition(b'"')[0]
    if len(said) != 1 or prefix not in (b"", b"r"):
        return said
    lines = [line.strip() for line in said[0][len(prefix) + 1 : -1].split(b"\n")]
    return [prefix + b'"' + b"\n".join(lines).strip() + b'"']


def python_join(opening: bytes, end: bytes, start: bytes, whole: bool) -> bytes | None:  # noqa: FBT001 # see JOINS
    """The seam of two adjacent canonical literals; None when prefixes differ or an escape would absorb what follows.

    `opening` is the first segment of the left one, `end` its last (the same one when it is `whole`), `start` the first
    segment of the right one. A plain literal joins a format string, its braces doubled.
    """
    left, right = opening[: opening.index(b'"')], start[: start.index(b'"')]
    content = end[len(left) + 1 : -1] if whole else end[:-1]
    following = start[len(right) + 1 :]
    if left != right:
        plain = content if b"f" in right else following
        if left.replace(b"f", b"") != right.replace(b"f", b"") or NAMED_CHARACTER in plain:
            return None
        doubled = plain.replace(b"{", b"{{").replace(b"}", b"}}")
        content, following = (doubled, following) if b"f" in right else (content, doubled)
    if b"r" not in left and re.search(OCTAL_TAIL, content) and re.match(rb"[0-7]", following):
        return None
    return (max(left, right, key=len) + b'"' if whole else b"") + content + following


def quoted(segments: Segments) -> Segments:
    r"""JavaScript and TypeScript: one double quote, `\'` and `\"` unescaped."""
    text = segments[0]
    if len(segments) != 1 or len(text) < SHORTEST_LITERAL or text[:1] not in (b"'", b'"') or text[-1:] != text[:1]:
        return segments
    return [b'"' + plain_quotes(text[1:-1]) + b'"']


def directive(segments: Segments) -> Segments:
    """JavaScript directives: any quote, content as it is written, for escapes mean nothing in them."""
    text = segments[0]
    return [b'"' + text[1:-1] + b'"'] if len(segments) == 1 and text[:1] in (b"'", b'"') else segments


def jsx_attribute(segments: Segments) -> Segments:
    """JSX attributes know no escapes, only entities: `&quot;` and `&apos;` are the quotes themselves."""
    text = segments[0]
    if len(segments) != 1 or len(text) < SHORTEST_LITERAL or text[:1] not in (b"'", b'"'):
        return segments
    return [b'"' + text[1:-1].replace(b"&quot;", b'"').replace(b"&apos;", b"'") + b'"']


def python_number(text: bytes) -> bytes:
    if text.isdigit():
        return text
    text = text.lower().replace(b"_", b"")
    if text[:2] in (b"0x", b"0o", b"0b"):
        return text
    tail = text[-1:] if text.endswith(b"j") else b""
    whole, exponent, power = text.removesuffix(b"j").partition(b"e")
    if whole.startswith(b"."):
        whole = b"0" + whole
    if whole.endswith(b"."):
        whole += b"0"
    return whole + exponent + power.removeprefix(b"+") + tail


JS_DECIMAL = rb"^(\d*)(?:\.(\d*))?(?:e([+-]?)(\d+))?(n?)$"


def js_number(text: bytes) -> bytes:
    """Case and separators; `1.50` = `1.5`, `1.` = `1.0` = `1`, `.5` = `0.5`, `1e+10` = `1e10`."""
    text = text.lower().replace(b"_", b"")
    found = re.match(JS_DECIMAL, text)
    if found is None or (len(found[1]) > 1 and found[1].startswith(b"0")):
        return text
    fraction = (found[2] or b"").rstrip(b"0")
    power = b"e" + found[3].replace(b"+", b"") + found[4] if found[4] else b""
    return (found[1] or b"0") + (b"." + fraction if fraction else b"") + power + found[5]


PLAIN_NUMBER = (
    rb"(0[xX][0-9A-Fa-f_]*(?:\.[0-9A-Fa-f_]*)?(?:[pP][+-]?[0-9_]+)?"
    rb"|0[bBoO][0-9_]*"
    rb"|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?)"
)


def plain_number(text: bytes) -> bytes:
    """Letter case of radix, hex digits and exponent, and `_`; a suffix stays as it is written."""
    found = re.match(PLAIN_NUMBER, text)
    end = found.end() if found else 0
    return text[:end].lower().replace(b"_", b"") + text[end:]


GO_IMAGINARY = rb"^0+(?=[0-9]+i$)"


def go_number(text: bytes) -> bytes:
    """`0123i` = `123i`, as an imaginary number knows no octal of old."""
    return re.sub(GO_IMAGINARY, b"", plain_number(text))


C_NUMBER = (
    rb"[-+]?(0[xX][0-9A-Fa-f']*(?:\.[0-9A-Fa-f']*)?(?:[pP][+-]?[0-9']+)?"
    rb"|0[bB][01']*"
    rb"|[0-9']*(?:\.[0-9']*)?(?:[eE][+-]?[0-9']+)?)"
)


def c_number(text: bytes) -> bytes:
    """Letter case of radix, hex digits and exponent, and `'`; a suffix, also a user's, stays as it is written."""
    found = re.match(C_NUMBER, text)
    end = found.end() if found else 0
    return text[:end].lower().replace(b"'", b"") + text[end:]


C_LITERAL = rb'^(u8|[uUL])?"'
C_OPEN_ESCAPE = re.compile(rb"\\(?:[0-7]{1,2}|(x)[0-9A-Fa-f]+)")  # one that takes more digits


def c_join(opening: bytes, end: bytes, start: bytes, whole: bool) -> bytes | None:  # noqa: FBT001 # see JOINS
    """The seam of two adjacent literals of one prefix; None where an escape would absorb what follows."""
    left, right = re.match(C_LITERAL, opening), re.match(C_LITERAL, start)
    if left is None or right is None or left[0] != right[0]:
        return None
    following = start[right.end() :]
    escape = end.rfind(b"\\")
    taking = C_OPEN_ESCAPE.fullmatch(end, escape, len(end) - 1) if escape >= (left.end() if whole else 0) else None
    if taking is not None and re.match(rb"[0-9A-Fa-f]" if taking[1] else rb"[0-7]", following):
        before = end[:escape]
        if (len(before) - len(before.rstrip(b"\\"))) % 2 == 0:
            return None
    return end[:-1] + following


PHP_SINGLE = rb"\\([\\'])|([\\$])"
PHP_DOUBLE = rb"\\([0-7]|[xX][0-9A-Fa-f]|u\{|[nrtvef])|\\([\\\"$])|(\\)"


def php_string(segments: Segments) -> Segments:
    r"""One spelling for both kinds, by value: double quotes, `\\` and `\$` for what is no escape, `"` as it is."""
    text = segments[0]
    if len(segments) != 1 or text[:1] not in (b"'", b'"') or text[-1:] != text[:1]:
        return segments
    inner = text[1:-1]
    if text[:1] == b"'":
        return [b'"' + re.sub(PHP_SINGLE, lambda m: php_plain(m[1] or m[2]), inner) + b'"']
    if re.search(rb"(?<!\\)(?:\\\\)*\$", inner):
        return segments
    return [b'"' + re.sub(PHP_DOUBLE, lambda m: m[0] if m[1] else php_plain(m[2] or m[3]), inner) + b'"']


PHP_CLOSER = rb"\n([ \t]+)[^ \t\n]*$"


def php_heredoc(segments: Segments) -> Segments:
    """A here-document without the indentation of its closer, which PHP takes off every line."""
    closer = re.search(PHP_CLOSER, segments[-1])
    if closer is None:
        return segments
    indent = b"\n" + closer[1]
    lines = b"".join(segments).count(b"\n")
    indented = sum(len(re.findall(re.escape(indent) + rb"|\n(?=\n)", segment)) for segment in segments)
    return [segment.replace(indent, b"\n") for segment in segments] if indented == lines else segments


def php_plain(byte: bytes) -> bytes:
    return b"\\" + byte if byte in b"\\$" else byte


RUBY_TOLD = rb"\\|#[{$@]"  # an escape, an interpolation


def ruby_string(segments: Segments) -> Segments:
    """One quote for both kinds, where neither an escape nor an interpolation can tell them apart."""
    text = segments[0]
    if len(segments) != 1 or text[:1] not in (b"'", b'"') or re.search(RUBY_TOLD, text):
        return segments
    return [b'"' + text[1:-1] + b'"']


STRINGS: Mapping[str, Callable[[Segments], Segments]] = {
    "ruby": ruby_string,
    "verbatim": verbatim,
    "php": php_string,
    "php-heredoc": php_heredoc,
    "python": python_string,
    "python-doc": python_documentation,
    "js": quoted,
    "jsx": jsx_attribute,
    "directive": directive,
}
# (first segment of the left literal, its last, first segment of the right one, whether the left is one segment) → seam
JOINS: Mapping[str, Callable[[bytes, bytes, bytes, bool], bytes | None]] = {"python": python_join, "c": c_join}
NUMBERS: Mapping[str, Callable[[bytes], bytes]] = {
    "python": python_number,
    "js": js_number,
    "plain": plain_number,
    "go": go_number,
    "c": c_number,
}

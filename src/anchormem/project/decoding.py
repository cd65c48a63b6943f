"""From a file's bytes to the UTF-8 that a parser reads. Knows nothing of files and of languages."""

import codecs
import re

MAX_PARSE_BYTES = 512 * 1024  # larger files are anchored as files

BINARY_LOOK = 8000  # git's rule
DECLARED_WITHIN = 1024  # bytes; the bound of HTML's own rule

# Longer marks first: UTF-32's begins with UTF-16's.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# PEP 263, Ruby, Emacs, XML and CSS declare on one of the first two lines, Vim on the last five too, HTML and PHP early.
ON_FIRST_LINES = re.compile(rb"""(?:coding|charset|fenc)\s*[:= ]\s*["']?([A-Za-z0-9][-\w.]*)""")
ON_VIM_LINES = re.compile(rb"\b(?:vim?|ex):.*\b(?:fileencoding|fenc)=([A-Za-z0-9][-\w.]*)")
EARLY = re.compile(
    rb"""(?:<meta[^>]*charset|\bdeclare\s*\(\s*encoding)\s*=\s*["']?([A-Za-z0-9][-\w.]*)""", re.IGNORECASE
)

# Encodings that source code is written in. Python knows others whose decoding is no text or takes quadratic time.
FAMILIES = (
    "iso8859",
    "latin",
    "cp",
    "koi8",
    "mac",
    "euc",
    "shift",
    "gb",
    "big5",
    "hz",
    "johab",
    "iso2022",
    "tis",
    "utf-16",
    "utf-32",
)


def is_text(data: bytes) -> bool:
    """No NUL in the first 8,000 bytes (git's rule), or a UTF-16 or UTF-32 byte-order mark."""
    return b"\0" not in data[:BINARY_LOOK] or _marked(data) is not None


def for_parsing(data: bytes) -> bytes | None:
    """The source as UTF-8: as it is, or decoded where a mark or a declaration (PEP 263, Ruby, Emacs, Vim, XML, CSS,
    HTML, PHP) names the encoding. None: over 512 KB, binary, or of unknown encoding: anchored as a file only.
    """
    if len(data) > MAX_PARSE_BYTES:
        return None
    marked = _marked(data)
    if marked is not None:
        return _decoded(data, marked)
    if not is_text(data):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        declared = _declared(data)
        return _decoded(data, declared) if declared else None
    return data


def _marked(data: bytes) -> str | None:
    return next((name for mark, name in MARKS if data.startswith(mark)), None)


def _declared(data: bytes) -> str | None:
    early = data[:DECLARED_WITHIN]
    first_lines = b"\n".join(early.splitlines()[:2])
    last_lines = b"\n".join(data[-DECLARED_WITHIN:].splitlines()[-5:])
    for pattern, where in ((ON_FIRST_LINES, first_lines), (ON_VIM_LINES, last_lines), (EARLY, early)):
        found = pattern.search(where)
        if found:
            return _known(found[1].decode("ascii"))
    return None


def _known(name: str) -> str | None:
    try:
        known = codecs.lookup(re.sub(r"-(?:unix|dos|mac)$", "", name)).name  # Emacs adds the line ends
    except LookupError:
        return None
    return known if known.startswith(FAMILIES) else None


def _decoded(data: bytes, encoding: str) -> bytes | None:
    try:
        text = data.decode(encoding)
    except UnicodeError:
        return None
    return text.removeprefix("\ufeff").encode("utf-8", "surrogatepass") if "\0" not in text else None

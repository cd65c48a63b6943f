"""The header of a language file: comment lines `; key: values` above the first query. Closed keys, refused otherwise.

Knows how a header is written, not what its values do.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

# One word or one pattern per key; everything else is a list of words that further lines with the same key lengthen.
SCALARS = frozenset(
    {"grammar", "separator", "inherits", "doc", "doc.adjacent", "directive", "directive.within", "layout", "mask"}
)
LISTS = frozenset(
    {
        "suffixes",
        "filenames",
        "shebangs",
        "own.bare",
        "own.not",
        "own.call",
        "own.never",
        "own.types",
        "own.member",
        "own.receivers",
        "own.member-kinds",
        "own.wraps",
        "hash.skip",
        "hash.atom",
        "hash.text",
        "hash.tail",
        "hash.tail-opener",
        "hash.string",
        "hash.string-code",
        "hash.string-verbatim",
        "hash.concat",
        "hash.number",
        "hash.drop",
        "hash.drop-first",
        "hash.drop-last",
        "hash.drop-empty",
        "hash.comma",
        "hash.comma-multi",
        "hash.parens",
        "hash.parens-keep",
        "hash.parens-chain",
        "hash.parens-single",
        "hash.bare",
        "hash.alias",
        "hash.rewrite",
        "hash.relex",
        "aside",
        "aside.in",
        "aside.before",
    }
)
KEYS = SCALARS | LISTS

LINE = re.compile(r"^; ([a-z][a-z.-]*): ?(.*)$")


class Header(NamedTuple):
    scalars: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]


def head(text: str) -> str:
    """The header lines alone, for whoever wants no queries."""
    found: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        if line.startswith(";") and not line.startswith(";;"):
            found.append(line)
        elif line and not line.lstrip().startswith(";;"):
            break
    return "\n".join(found)


def split(text: str) -> tuple[str, str]:
    """A language file as (header lines, queries), without remarks (`;;` lines) and blank lines."""
    lines = [line.rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.lstrip().startswith(";;")]
    first = next((i for i, line in enumerate(lines) if not line.startswith(";")), len(lines))
    queries = [line for line in lines[first:] if not line.lstrip().startswith(";")]
    return "\n".join(lines[:first]), "\n".join(queries)


def parse(header: str) -> Header:
    """Reads header lines. Raises ValueError on a line that is no `; key: values` or holds an unknown key."""
    scalars: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for line in header.splitlines():
        found = LINE.match(line)
        if not found or found[1] not in KEYS:
            raise ValueError(f"not a header line: {line!r}")
        key, value = found[1], found[2].strip()
        if key in SCALARS:
            scalars[key] = value
        else:
            lists[key] = lists.get(key, ()) + tuple(value.split())
    return Header(scalars, lists)


def inherit(own: Header, base: Header) -> Header:
    """`own` over `base`: words replace, lists lengthen. What finds files (suffixes …) is never inherited."""
    scalars = {**base.scalars, **own.scalars}
    lists = dict(own.lists)
    for key, values in base.lists.items():
        if key not in {"suffixes", "filenames", "shebangs"}:
            lists[key] = lists.get(key, ()) + values
    return Header(scalars, lists)

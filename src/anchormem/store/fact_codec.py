"""What of one content is stored packed: references, imports, inheritance, heads; and the keys the first are found by.

Knows nothing of tables. A change of form here needs derived.CODEC raised.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from anchormem.model import Import, Inheritance, Reference

CALLED, BASE, IMPORTED = 1, 2, 3  # roles of facts.mentions
MARK = "\1"
VERBATIM = MARK + MARK  # before a head that has the mark in it already
LAST_PART = re.compile(r"[\w$]+(?=[^\w$]*\Z)")
LAST_NAME = re.compile(r"[^/\\.:]+(?=[/\\.:]*\Z)")
SUFFIXES = re.compile(r"\.(?:pyi?|[cm]?[jt]sx?|php|rs|go|java|[ch](?:pp|xx|c|h)?|hpp|rb|cs|sh|bash|json|ya?ml|toml)\Z")


def calls_packed(references: Iterable[Reference]) -> bytes:
    """References that differ in line only are kept once, at the first line."""
    return _packed([each.name, each.receiver, each.line, each.within] for each in _distinct(references))


def imports_packed(imports: Iterable[Import]) -> bytes:
    return _packed([each.module, list(each.names), each.line] for each in imports)


def bases_packed(inheritance: Iterable[Inheritance]) -> bytes:
    return _packed([each.qualified, each.base, each.rel, each.line] for each in inheritance)


def head_packed(head: str, name: str) -> str:
    """With a mark where it says the name, which stands beside it."""
    return VERBATIM + head if MARK in head or not name else head.replace(name, MARK, 1)


def head(stored: str, name: str) -> str:
    return stored.removeprefix(VERBATIM) if stored.startswith(VERBATIM) else stored.replace(MARK, name, 1)


def calls(stored: bytes) -> tuple[Reference, ...]:
    return tuple(Reference(*each) for each in _unpacked(stored))


def imports(stored: bytes) -> tuple[Import, ...]:
    return tuple(Import(module, tuple(names), line) for module, names, line in _unpacked(stored))


def bases(stored: bytes) -> tuple[Inheritance, ...]:
    return tuple(Inheritance(*each) for each in _unpacked(stored))


def _packed(rows: Iterable[list[object]]) -> bytes:
    listed = list(rows)
    return zlib.compress(json.dumps(listed, separators=(",", ":")).encode(), 1) if listed else b""


def _unpacked(stored: bytes) -> list[list[Any]]:
    found: list[list[Any]] = json.loads(zlib.decompress(stored)) if stored else []
    return found


def mentions(
    references: Iterable[Reference], imported: Iterable[Import], inheritance: Iterable[Inheritance]
) -> set[tuple[int, str]]:
    """(role, spelling) of everything that can be asked for."""
    found = {(CALLED, each.name) for each in references}
    found.update((BASE, last_part(each.base)) for each in inheritance)
    found.update((IMPORTED, key) for each in imported for key in import_keys(each))
    return found


def last_part(name: str) -> str:
    """`Base` of `pkg.mod.Base`, `ns::Base`, `\\Ns\\Base`."""
    found = LAST_PART.search(name)
    return found[0] if found else name


def import_keys(imported: Import) -> Iterator[str]:
    """The last part of the module without suffix (`queue` of `./lib/queue.ts`), and the names it brings in."""
    found = LAST_NAME.search(SUFFIXES.sub("", imported.module))
    if found:
        yield found[0]
    yield from imported.names


def _distinct(references: Iterable[Reference]) -> Iterable[Reference]:
    first: dict[tuple[str, str, str], Reference] = {}
    for each in references:
        kept = first.setdefault((each.name, each.receiver, each.within), each)
        if each.line < kept.line:
            first[each.name, each.receiver, each.within] = each
    return first.values()

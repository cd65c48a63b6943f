"""References, imports and inheritance of one content as a compressed column, and the keys they are found by.

Knows nothing of tables. A change of form here needs derived.CODEC raised.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from anchormem.model import FileFacts, Import, Inheritance, Reference

CALLED, BASE, IMPORTED = 1, 2, 3  # roles of facts.mentions
LAST_PART = re.compile(r"[\w$]+(?=[^\w$]*\Z)")
LAST_NAME = re.compile(r"[^/\\.:]+(?=[/\\.:]*\Z)")
SUFFIXES = re.compile(r"\.(?:pyi?|[cm]?[jt]sx?|php|rs|go|java|[ch](?:pp|xx|c|h)?|hpp|rb|cs|sh|bash|json|ya?ml|toml)\Z")


@dataclass(frozen=True, slots=True)
class Rest:
    """What FileFacts hold beside symbols."""

    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    inheritance: tuple[Inheritance, ...]


def packed(facts: FileFacts) -> bytes:
    """References that differ in line only are kept once, at the first line."""
    columns = [
        [[each.name, each.receiver, each.line, each.within] for each in _distinct(facts.references)],
        [[each.module, list(each.names), each.line] for each in facts.imports],
        [[each.qualified, each.base, each.rel, each.line] for each in facts.inheritance],
    ]
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 1)


def unpacked(stored: bytes) -> Rest:
    references, imports, inheritance = json.loads(zlib.decompress(stored))
    return Rest(
        tuple(Reference(*each) for each in references),
        tuple(Import(module, tuple(names), line) for module, names, line in imports),
        tuple(Inheritance(*each) for each in inheritance),
    )


def mentions(
    references: Iterable[Reference], imports: Iterable[Import], inheritance: Iterable[Inheritance]
) -> set[tuple[int, str]]:
    """(role, spelling) of everything that can be asked for."""
    found = {(CALLED, each.name) for each in references}
    found.update((BASE, last_part(each.base)) for each in inheritance)
    found.update((IMPORTED, key) for each in imports for key in import_keys(each))
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

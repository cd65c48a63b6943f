"""Facts of code, and questions about the code of this checkout: places, references, lineage, imports.

"This checkout" is what files.put_many said last. Facts are kept by content (fact_rows) and shared by all checkouts;
those of an older epoch serve until newer ones of the same content and language replace them.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from anchormem.model import Digest, Import, Inheritance, Place, Reference, Slot, Symbol
from anchormem.store import fact_codec
from anchormem.store.db import Store
from anchormem.store.fact_rows import Wanted, get, get_many, hashes, known, of_path, put_many, symbol_of
from anchormem.store.odd_text import digests as digest_list
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, SqlValue
from anchormem.store.pruning import prune, tidy

__all__ = [
    "Derivation",
    "ImportedBy",
    "Totals",
    "Use",
    "Wanted",
    "derived_from",
    "get",
    "get_many",
    "hashes",
    "importers_of",
    "imports_of",
    "inheritance_of",
    "known",
    "near_names",
    "of_path",
    "places_named",
    "places_of_bodies",
    "places_of_files",
    "prune",
    "put_many",
    "references_to",
    "references_within",
    "symbols_of",
    "tidy",
    "totals",
]

PLACES_OF_BODIES = """
SELECT
  f.path, s.name, s.qualified, s.disambiguator, s.kind, s.start_byte, s.end_byte, s.start_line, s.end_line, s.body,
  s.signature, s.doc, s.raw, s.tokens, s.head, s.damaged
FROM json_each(:digests) w
CROSS JOIN facts.symbols s ON s.body = digest(w.value)
CROSS JOIN facts.contents c ON c.id = s.content
CROSS JOIN checkout.files f ON f.content = c.content AND f.language = c.language
ORDER BY f.path, s.ordinal
"""
FILES_OF_DIGESTS = """
SELECT f.path, f.content FROM json_each(:digests) w CROSS JOIN checkout.files f ON f.content = digest(w.value)
UNION
SELECT f.path, c.normal
FROM json_each(:digests) w
CROSS JOIN facts.contents c ON c.normal = digest(w.value)
CROSS JOIN checkout.files f ON f.content = c.content AND f.language = c.language
ORDER BY 1
"""
PLACES_NAMED = """
SELECT
  f.path, s.name, s.qualified, s.disambiguator, s.kind, s.start_byte, s.end_byte, s.start_line, s.end_line, s.body,
  s.signature, s.doc, s.raw, s.tokens, s.head, s.damaged
FROM json_each(:names) w
CROSS JOIN facts.symbols s ON s.name = w.value
CROSS JOIN facts.contents c ON c.id = s.content
CROSS JOIN checkout.files f ON f.content = c.content AND f.language = c.language
WHERE s.qualified = :wanted OR substr(s.qualified, -length(:wanted) - 1) = '.' || :wanted
ORDER BY s.qualified <> :wanted, f.path, s.ordinal
LIMIT :limit
"""
PLACES_NAMED_IN = """
SELECT
  f.path, s.name, s.qualified, s.disambiguator, s.kind, s.start_byte, s.end_byte, s.start_line, s.end_line, s.body,
  s.signature, s.doc, s.raw, s.tokens, s.head, s.damaged
FROM checkout.files f
CROSS JOIN facts.contents c ON c.content = f.content AND c.language = f.language
CROSS JOIN facts.symbols s ON s.content = c.id
WHERE f.path = :path AND (s.qualified = :wanted OR substr(s.qualified, -length(:wanted) - 1) = '.' || :wanted)
ORDER BY s.qualified <> :wanted, s.ordinal
LIMIT :limit
"""
SYMBOLS_OF = """
SELECT
  s.name, s.qualified, s.disambiguator, s.kind, s.start_byte, s.end_byte, s.start_line, s.end_line, s.body,
  s.signature, s.doc, s.raw, s.tokens, s.head, s.damaged
FROM checkout.files f
CROSS JOIN facts.contents c ON c.content = f.content AND c.language = f.language
CROSS JOIN facts.symbols s ON s.content = c.id
WHERE f.path = :path ORDER BY s.ordinal
"""
MENTIONS = """
SELECT DISTINCT f.path, m.content
FROM json_each(:spellings) w
CROSS JOIN facts.mentions m ON m.role = :role AND m.spelling = w.value
CROSS JOIN facts.contents c ON c.id = m.content
CROSS JOIN checkout.files f ON f.content = c.content AND f.language = c.language
ORDER BY f.path
LIMIT :limit
"""
CALLS = "SELECT calls FROM facts.contents WHERE id = :content"
IMPORTS = "SELECT imports FROM facts.contents WHERE id = :content"
BASES = "SELECT bases FROM facts.contents WHERE id = :content"
CALLS_OF = """
SELECT c.calls FROM checkout.files f CROSS JOIN facts.contents c ON c.content = f.content AND c.language = f.language
WHERE f.path = :path
"""
IMPORTS_OF = """
SELECT c.imports FROM checkout.files f CROSS JOIN facts.contents c ON c.content = f.content AND c.language = f.language
WHERE f.path = :path
"""
BASES_OF = """
SELECT c.bases FROM checkout.files f CROSS JOIN facts.contents c ON c.content = f.content AND c.language = f.language
WHERE f.path = :path
"""
LIKE_NAMES = """
SELECT DISTINCT s.name FROM facts.symbols s
WHERE (substr(s.name, 1, 2) = substr(:name, 1, 2) COLLATE NOCASE AND abs(length(s.name) - length(:name)) <= 6)
  OR (substr(s.name, 1, 1) = substr(:name, 1, 1) COLLATE NOCASE AND abs(length(s.name) - length(:name)) <= 2)
  OR instr(lower(s.name), lower(:name)) > 0
ORDER BY abs(length(s.name) - length(:name)), s.name
LIMIT 4000
"""
MADE = "SELECT content FROM facts.about WHERE name = 'made'"
TOTALS = """
SELECT count(*), coalesce(sum(c.id IS NOT NULL), 0), coalesce(sum(c.symbols), 0), coalesce(sum(f.size), 0)
FROM checkout.files f
LEFT JOIN facts.contents c ON c.content = f.content AND c.language = f.language
"""


class Use(NamedTuple):
    """A call found in this checkout."""

    path: str
    reference: Reference


class ImportedBy(NamedTuple):
    """An import found in this checkout."""

    path: str
    imported: Import


class Derivation(NamedTuple):
    """A symbol that derives from a base, found in this checkout."""

    path: str
    inheritance: Inheritance


class Totals(NamedTuple):
    """Of this checkout: files seen, files with facts, symbols, bytes of source."""

    files: int
    parsed: int
    symbols: int
    source_bytes: int


def places_of_bodies(store: Store, digests: Iterable[Digest]) -> dict[Digest, list[Place]]:
    """Symbols of this checkout with these body hashes, by path and order in the file. Absent: none."""
    found: dict[Digest, list[Place]] = {}
    for row in store.rows(PLACES_OF_BODIES, {"digests": digest_list(set(digests))}):
        found.setdefault(row[9], []).append(_place(row))
    return found


def places_of_files(store: Store, digests: Iterable[Digest]) -> dict[Digest, list[str]]:
    """Paths of this checkout whose content hash, or whose normalised hash, is one of these. Absent: none."""
    found: dict[Digest, list[str]] = {}
    for path, digest in store.rows(FILES_OF_DIGESTS, {"digests": digest_list(set(digests))}):
        found.setdefault(digest, []).append(unpacked(path))
    return found


def places_named(store: Store, wanted: str, *, path: str = "", limit: int = 200) -> list[Place]:
    """Symbols whose qualified name is `wanted`, or ends in it at a `.` (a bare name: any symbol of that name).

    By path and order in the file, exact qualified names first. With `path`: in that file only.
    """
    if path:
        return [_place(row) for row in store.rows(PLACES_NAMED_IN, {"path": path, "wanted": wanted, "limit": limit})]
    parts = wanted.split(".")
    names = listed(".".join(parts[start:]) for start in range(len(parts)))  # a name may hold dots, as headings do
    return [_place(row) for row in store.rows(PLACES_NAMED, {"names": names, "wanted": wanted, "limit": limit})]


def symbols_of(store: Store, path: str) -> tuple[Symbol, ...]:
    """In source order."""
    return tuple(symbol_of(row) for row in store.rows(SYMBOLS_OF, {"path": path}))


def references_to(store: Store, name: str, *, limit: int = 500) -> list[Use]:
    """Calls of this bare name in this checkout, by path and line; at most `limit`."""
    found = (
        Use(path, each)
        for path, stored in _mentioning(store, fact_codec.CALLED, (name,), CALLS, limit)
        for each in sorted(fact_codec.calls(stored), key=_line)
        if each.name == name
    )
    return list(islice(found, limit))


def references_within(store: Store, path: str, qualified: str) -> tuple[Reference, ...]:
    """Calls made inside a symbol of a file (nested definitions included), by line. "": at file level only."""
    inside = f"{qualified}."
    found = (
        each
        for row in store.rows(CALLS_OF, {"path": path})
        for each in fact_codec.calls(row[0])
        if each.within == qualified or (qualified and each.within.startswith(inside))
    )
    return tuple(sorted(found, key=_line))


def inheritance_of(store: Store, path: str, qualified: str) -> tuple[Inheritance, ...]:
    """What a symbol derives from, in source order."""
    found = (each for row in store.rows(BASES_OF, {"path": path}) for each in fact_codec.bases(row[0]))
    return tuple(each for each in found if each.qualified == qualified)


def derived_from(store: Store, name: str, *, limit: int = 500) -> list[Derivation]:
    """What derives, in this checkout, from a base whose last part is `name`, by path and line; at most `limit`."""
    found = (
        Derivation(path, each)
        for path, stored in _mentioning(store, fact_codec.BASE, (name,), BASES, limit)
        for each in fact_codec.bases(stored)
        if fact_codec.last_part(each.base) == name
    )
    return list(islice(found, limit))


def imports_of(store: Store, path: str) -> tuple[Import, ...]:
    """In source order."""
    return tuple(each for row in store.rows(IMPORTS_OF, {"path": path}) for each in fact_codec.imports(row[0]))


def importers_of(store: Store, keys: Iterable[str], *, limit: int = 500) -> list[ImportedBy]:
    """Imports in this checkout whose module's last part (without suffix) or one of whose names is among `keys`.

    Keys are file stems and package folders; whether an import really means the file is for the caller to judge.
    By path and line; at most `limit`.
    """
    wanted = set(keys)
    found = (
        ImportedBy(path, each)
        for path, stored in _mentioning(store, fact_codec.IMPORTED, wanted, IMPORTS, limit)
        for each in fact_codec.imports(stored)
        if not wanted.isdisjoint(fact_codec.import_keys(each))
    )
    return list(islice(found, limit))


def near_names(store: Store, text: str, limit: int = 5) -> tuple[str, ...]:
    """Qualified names of this checkout most like `text`, best first."""
    name = text.rpartition(".")[2] or text
    spelled = {row[0].lower(): row[0] for row in store.rows(LIKE_NAMES, {"name": name})}
    best = get_close_matches(name.lower(), spelled, n=limit * 2, cutoff=0.5)
    best += [lower for lower in sorted(spelled, key=len) if name.lower() in lower and lower not in best]
    places = (place for lower in best[: limit * 2] for place in places_named(store, spelled[lower], limit=3))
    return tuple(dict.fromkeys(place.slot.qualified for place in places))[:limit]


def totals(store: Store) -> Totals:
    """Counts over this checkout."""
    return Totals(*store.rows(TOTALS)[0])


def made(store: Store) -> str:
    """Tells this facts.db from every other: what a checkout knows to be in one need not be in the next."""
    return str(store.rows(MADE)[0][0])


def _mentioning(
    store: Store, role: int, spellings: Iterable[str], column: str, limit: int
) -> Iterator[tuple[str, bytes]]:
    """Files that mention one of the spellings, by path, with the column read only when its turn comes."""
    values: dict[str, SqlValue] = {"role": role, "spellings": listed(spellings), "limit": limit}
    for path, content in store.rows(MENTIONS, values):
        for row in store.rows(column, {"content": content}):
            yield unpacked(path), row[0]


def _line(reference: Reference) -> int:
    return reference.line


def _place(row: Row) -> Place:
    symbol = symbol_of(row[1:])
    return Place(Slot(unpacked(row[0]), symbol.qualified, symbol.disambiguator), symbol)

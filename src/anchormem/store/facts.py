"""Facts of code by content, shared by all checkouts of a repository, and questions about the code of this checkout.

"This checkout" is what files.put_many said last. Facts of an older epoch serve until newer ones of the same content replace them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from anchormem.model import Digest, FileFacts, Import, Inheritance, Place, Reference, Symbol
from anchormem.store.db import Store

Wanted = tuple[Digest, str | None, str]  # content, language, epoch


@dataclass(frozen=True, slots=True)
class Use:
    """A reference, import or inheritance found in this checkout."""

    path: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class ImportedBy:
    path: str
    imported: Import


@dataclass(frozen=True, slots=True)
class Derivation:
    path: str
    inheritance: Inheritance


@dataclass(frozen=True, slots=True)
class Totals:
    """Of this checkout: files seen, files with facts, symbols, bytes of source."""

    files: int
    parsed: int
    symbols: int
    source_bytes: int


def known(store: Store, wanted: Iterable[Wanted]) -> set[Wanted]:
    """Those whose facts are stored under exactly this epoch."""
    raise NotImplementedError


def put_many(store: Store, facts: Iterable[FileFacts]) -> None:
    """Stores facts, in the place of any of another epoch for the same content and language. References that differ in line only
    are kept once, at the first line.
    """
    raise NotImplementedError


def get(store: Store, content: Digest, language: str | None, epoch: str | None = None) -> FileFacts | None:
    """Facts of one content; of any epoch when None."""
    raise NotImplementedError


def get_many(store: Store, wanted: Iterable[tuple[Digest, str | None]]) -> dict[tuple[Digest, str | None], FileFacts]:
    """Facts of many contents, of whatever epoch is stored."""
    raise NotImplementedError


def of_path(store: Store, path: str) -> FileFacts | None:
    """Facts of the content this checkout last saw at `path`."""
    raise NotImplementedError


def places_of_bodies(store: Store, digests: Iterable[Digest]) -> dict[Digest, list[Place]]:
    """Symbols of this checkout with these body hashes, by slot. Absent: none."""
    raise NotImplementedError


def places_of_files(store: Store, digests: Iterable[Digest]) -> dict[Digest, list[str]]:
    """Paths of this checkout whose content hash, or whose normalised hash, is one of these. Absent: none."""
    raise NotImplementedError


def places_named(store: Store, wanted: str, *, path: str = "", limit: int = 200) -> list[Place]:
    """Symbols whose qualified name is `wanted`, or ends in it at a `.` (a bare name: any symbol of that name), by slot;
    exact qualified names first. With `path`: in that file only.
    """
    raise NotImplementedError


def symbols_of(store: Store, path: str) -> tuple[Symbol, ...]:
    """In source order."""
    raise NotImplementedError


def references_to(store: Store, name: str, *, limit: int = 500) -> list[Use]:
    """Calls of this bare name in this checkout, by path and line; at most about `limit`."""
    raise NotImplementedError


def references_within(store: Store, path: str, qualified: str) -> tuple[Reference, ...]:
    """Calls made inside a symbol of a file (nested definitions included), by line. "": at file level only."""
    raise NotImplementedError


def inheritance_of(store: Store, path: str, qualified: str) -> tuple[Inheritance, ...]:
    """What a symbol derives from, in source order."""
    raise NotImplementedError


def derived_from(store: Store, name: str, *, limit: int = 500) -> list[Derivation]:
    """What derives, in this checkout, from a base whose last part is `name`, by path and line."""
    raise NotImplementedError


def imports_of(store: Store, path: str) -> tuple[Import, ...]:
    raise NotImplementedError


def importers_of(store: Store, keys: Iterable[str], *, limit: int = 500) -> list[ImportedBy]:
    """Imports in this checkout whose module's last part (without suffix) or one of whose names is among `keys` (file stem, package
    folder), by path and line. Whether they really mean the file is for the caller to judge.
    """
    raise NotImplementedError


def near_names(store: Store, text: str, limit: int = 5) -> tuple[str, ...]:
    """Qualified names of this checkout most like `text`, best first."""
    raise NotImplementedError


def totals(store: Store) -> Totals:
    raise NotImplementedError


def prune(store: Store) -> int:
    """Drops facts that no checkout of the repository uses, least recently used first, beyond 0.4 of the live size. How many."""
    raise NotImplementedError

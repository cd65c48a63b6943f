"""Memories as wholes: written, read, listed, forgotten. Links are in links, history in revisions, search in search."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anchormem.model import Memory
from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Filter:
    """Of a page. None: either. Empty tuples: any. `text`: a substring of the body, case ignored (ASCII)."""

    kinds: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    by: str = ""
    origin: str = ""  # as written; a trailing "*" makes it a prefix
    text: str = ""
    archived: bool | None = None
    forgotten: bool | None = False
    superseded: bool | None = None
    imported: bool | None = None
    private: bool | None = None
    unapproved: bool | None = None  # True: evidence whose command waits for approval


@dataclass(frozen=True, slots=True)
class Page:
    """`total` counts all that pass the filter. Newest change first, then id."""

    memories: tuple[Memory, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of memories. `live`: neither forgotten nor superseded (archived ones are live). `kinds`, `sources`,
    `unanchored`, `private`, `archived`, `imported`: of the live ones.
    """

    live: int
    superseded: int
    forgotten: int
    archived: int
    private: int
    imported: int
    unanchored: int
    kinds: Mapping[str, int]
    sources: Mapping[str, int]


def insert(store: Store, memory: Memory) -> Memory:
    """Stores a new memory whole and gives it back with anchor ids. Duplicate: its id or origin is taken.

    Links are stored as given, without effect on their targets (links.supersede does that).
    """
    raise NotImplementedError


def replace(store: Store, memory: Memory, act: str, now: int) -> Memory:
    """Puts `memory` in the place of the one with its id, keeping the old state as a Revision made by `act` at `now`.

    Everything is replaced, anchors, links and evidence included; `memory.updated_at` is stored as given. Anchors equal to
    stored ones in all that was written (their `id` and proved `slots` apart) keep their row, id and proved slots. NotFound.
    """
    raise NotImplementedError


def get(store: Store, ids: Iterable[str]) -> list[Memory]:
    """Whole memories in the given order, unknown ids left out; forgotten, superseded and archived ones included."""
    raise NotImplementedError


def one(store: Store, memory_id: str) -> Memory:
    """One whole memory by its exact id. NotFound."""
    raise NotImplementedError


def resolve_prefix(store: Store, prefix: str, *, exact_only: bool = False) -> str:
    """The id that `prefix` (case ignored) is, or uniquely begins. NotFound; Refused when ambiguous, or short with exact_only."""
    raise NotImplementedError


def by_origin(store: Store, origin: str) -> str | None:
    """The id of the memory with this origin (forgotten ones too); None for "" too."""
    raise NotImplementedError


def page(store: Store, wanted: Filter, *, offset: int = 0, limit: int = 20) -> Page:
    raise NotImplementedError


def everything(store: Store) -> list[Memory]:
    """All memories, sorted by id: forgotten, superseded and archived ones too (for export)."""
    raise NotImplementedError


def counts(store: Store) -> Counts:
    raise NotImplementedError


def set_archived(store: Store, memory_id: str, now: int, *, archived: bool) -> bool:
    """True when that changed something (then with a Revision). NotFound."""
    raise NotImplementedError


def forget(store: Store, memory_id: str, now: int) -> Memory:
    """Gone from every answer: a tombstone, recoverable until it is purged. Gives the memory as it was. NotFound (forgotten: too)."""
    raise NotImplementedError


def unforget(store: Store, memory_id: str, now: int) -> Memory:
    """Takes a tombstone back. NotFound when there is none; Refused when it has been purged."""
    raise NotImplementedError


def purge(store: Store, before: int) -> int:
    """Empties tombstones made before `before`: body, evidence, anchors and history go, id, origin and date stay. How many."""
    raise NotImplementedError


def approve_evidence(store: Store, memory_id: str, now: int) -> bool:
    """Marks the evidence command as approved by a person. False when there is none, or it was approved."""
    raise NotImplementedError


def count_recalls(store: Store, ids: Iterable[str], now: int) -> None:
    """One more recall for each; changes nothing else of them."""
    raise NotImplementedError

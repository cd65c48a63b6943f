"""Fates of anchors in this checkout, and what has to be resolved again. Derived: losing them costs a resolution each."""

from collections.abc import Iterable
from dataclasses import dataclass

from anchormem.model import Digest, Fate, Slot
from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Restamp:
    """An anchor's hashes under a newer recipe, found equal to what was written. Never written to the memory."""

    epoch: str
    body: Digest | None = None
    signature: Digest | None = None
    doc: Digest | None = None
    normal: Digest | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class FateRow:
    """All that a checkout keeps of one anchor. `revision`: of the memory it was computed for (anchors.Held.revision)."""

    anchor: int
    revision: int
    fate: Fate
    proven: Slot | None = None  # where the hash was proved last, here
    seen_body: Digest | None = None  # last body seen fresh (aspect and quote anchors)
    seen_tokens: int = 0
    seen_commit: str = ""  # HEAD when the code was last seen here, "" when never seen committed
    twins: tuple[Slot, ...] = ()  # other places that held an equal body while the slot did
    restamp: Restamp | None = None


def get(store: Store, anchors: Iterable[int]) -> dict[int, FateRow]:
    raise NotImplementedError


def get_all(store: Store) -> dict[int, FateRow]:
    raise NotImplementedError


def put_many(store: Store, rows: Iterable[FateRow]) -> None:
    raise NotImplementedError


def outdated(store: Store, changed_paths: Iterable[str] = (), changed_bodies: Iterable[Digest] = ()) -> list[int]:
    """Ids of live anchors to resolve again, sorted: no row or one of another revision of the memory; written, proved or now in
    a changed path; written with (or last seen with) a changed body. When anything changed, also all that are not fresh.
    """
    raise NotImplementedError


def outdate(store: Store, anchors: Iterable[int] | None = None) -> None:
    """Makes these (None: all) be resolved again, keeping what was seen and proved."""
    raise NotImplementedError


def drop_orphans(store: Store) -> int:
    """Removes rows of anchors that no longer exist. How many."""
    raise NotImplementedError


def tally(store: Store) -> dict[str, int]:
    """Anchors of live memories by fate name; `pending` for those without a row."""
    raise NotImplementedError

"""Anchors of live memories (neither forgotten nor superseded; archived ones are live). A scan may add a proved slot, no more."""

from collections.abc import Iterable
from dataclasses import dataclass

from anchormem.model import Anchor, Digest, FileState, Slot
from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Held:
    """An anchor and the memory that holds it. `revision` counts the memory's deliberate changes; `body` is the memory's text."""

    anchor: Anchor
    memory: str
    revision: int
    body: str


def every_live(store: Store) -> list[Held]:
    """All anchors of live memories, with anchored text, by id."""
    raise NotImplementedError


def get(store: Store, ids: Iterable[int]) -> list[Held]:
    """These anchors when their memory is live, by id."""
    raise NotImplementedError


def by_paths(store: Store, paths: Iterable[str]) -> list[Held]:
    """Live anchors written, proved or followed into these files, by id."""
    raise NotImplementedError


def by_body(store: Store, digests: Iterable[Digest]) -> list[Held]:
    """Live anchors written with one of these body hashes, by id."""
    raise NotImplementedError


def for_memory(store: Store, memory_id: str) -> tuple[Anchor, ...]:
    """In the order they were given; of any memory, live or not."""
    raise NotImplementedError


def add_slot(store: Store, anchor_id: int, slot: Slot) -> bool:
    """One more place where the anchor's hash has been proved; False when known, or the anchor is gone."""
    raise NotImplementedError


def anchored_paths(store: Store) -> list[tuple[str, FileState | None]]:
    """Every file a live anchor may be in (written, proved, followed) with what this checkout last saw of it, by path."""
    raise NotImplementedError


def live_count(store: Store) -> int:
    raise NotImplementedError

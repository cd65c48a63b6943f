"""What memories say of each other. The state of a memory by links is computed here, its meaning elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass

from anchormem.model import Relation
from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Superseding:
    """Around one memory: what it supersedes, and what supersedes it ("" when nothing)."""

    supersedes: tuple[str, ...]
    superseded_by: str


def link(store: Store, memory_id: str, target: str, rel: Relation) -> bool:
    """Adds a link; False when it is there. NotFound for either side. `supersedes` goes through `supersede`."""
    raise NotImplementedError


def supersede(store: Store, memory_id: str, target: str, now: int) -> None:
    """`memory_id` takes the place of `target`: link, and `target.superseded_by` with a Revision.

    NotFound. Refused: itself, a loop, a target that another one has superseded.
    """
    raise NotImplementedError


def unlink(store: Store, memory_id: str, target: str, rel: Relation, now: int) -> bool:
    """Takes a link back; of `supersedes` the target is alive again (with a Revision). False when there is no such link."""
    raise NotImplementedError


def superseding(store: Store, memory_id: str) -> Superseding:
    raise NotImplementedError


def contradictions(store: Store) -> list[tuple[str, str]]:
    """Pairs (who says it, of whom) where both sides stand: neither superseded, archived nor forgotten. Sorted."""
    raise NotImplementedError


def contradicted_by(store: Store, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each of the ids that is in a standing contradiction: the other sides, whoever said it."""
    raise NotImplementedError

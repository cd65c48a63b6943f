"""Likeness of texts and of code tokens: near copies, conflicts, the edited successor, clusters. Knows no store."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Gist:
    """What a body says, as sets to compare. Make it once per body with `gist`."""

    terms: frozenset[str]
    values: frozenset[str]
    negated: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """`other` says something else than the text compared with; `hint` is one line: `50 against 100`."""

    other: str
    hint: str


def gist(body: str) -> Gist:
    raise NotImplementedError


def near_copy(one: Gist, other: Gist) -> bool:
    """Whether two bodies say the same in nearly the same words. A correction never does: see `conflict`."""
    raise NotImplementedError


def conflict(one: Gist, other: Gist) -> str:
    """The hint when two bodies speak of the same and differ in a number, a negation or a named value; else ""."""
    raise NotImplementedError


def overlap(one: Gist, other: Gist) -> float:
    """Share of common words, 0..1."""
    raise NotImplementedError


def duplicates(body: str, others: Mapping[str, str], limit: int = 3) -> tuple[str, ...]:
    """Ids of bodies near to this one, nearest first: the first that is a near copy is what a refusal names."""
    raise NotImplementedError


def near_identical(body: str, others: Mapping[str, str]) -> str | None:
    """The id of the near copy that refuses a new memory in the same slot, or None."""
    raise NotImplementedError


def conflicts(body: str, others: Mapping[str, str]) -> tuple[Conflict, ...]:
    """Bodies of the same slot that this one corrects or contradicts, nearest first."""
    raise NotImplementedError


def clusters(bodies: Mapping[str, str], places: Mapping[str, Iterable[Hashable]]) -> tuple[tuple[str, ...], ...]:
    """Groups of two or more memories that share a place (anchor) and overlap in words: for `admin consolidate`."""
    raise NotImplementedError


def closest(old: Sequence[str], candidates: Mapping[K, Sequence[str]]) -> K | None:
    """The key of the candidate that is clearly the edited successor of the old tokens, or None (none or a tie)."""
    raise NotImplementedError

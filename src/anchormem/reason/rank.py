"""Relevance and order of candidates. Pure: the same arguments in any order give the same answer. Knows no store or clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from anchormem.model import Source, Status

Nearness = Literal["", "same_file", "imports", "same_directory"]


@dataclass(frozen=True, slots=True)
class Query:
    """A task, tokenised once: `terms` for relevance and the full-text search, `words` for `matched`."""

    terms: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """How many memories there are, and in how many of them each query term occurs (absent: none)."""

    documents: int
    frequency: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be returned. `fields` holds its searchable texts by name: body, symbol, path, command."""

    id: str
    fields: Mapping[str, str]
    source: Source = "explicit"
    imported: bool = False
    status: Status = "active"
    at: int = 0  # milliseconds of its last deliberate change
    nearness: Nearness = ""
    origin: str = "memory"  # other sources may join later


@dataclass(frozen=True, slots=True)
class Ranked:
    """`relevance` 0..1 is text only and absolute; `score` orders; `why` holds each ranking term by name."""

    candidate: Candidate
    relevance: float
    score: float
    matched: str
    why: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first. `weak`: hits under the relevance floor, counted and never returned."""

    items: tuple[Ranked, ...]
    weak: tuple[Ranked, ...]

    @property
    def omitted_reason(self) -> str:
        """`relevance_floor` when something was left under it, else ""."""
        return "relevance_floor" if self.weak else ""


def query(task: str) -> Query:
    raise NotImplementedError


def rank(asked: Query, candidates: Sequence[Candidate], corpus: Corpus) -> Ranking:
    """Orders candidates. Those without any hit in their texts are dropped, unless the task has no terms at all:
    then what is near the working set is returned in order of nearness.
    """
    raise NotImplementedError


def copies(items: Sequence[Ranked]) -> dict[int, tuple[int, ...]]:
    """For `pack`: the earlier positions that each item is a near copy of (same status, no conflict)."""
    raise NotImplementedError


def nearness(paths: Sequence[str], working_set: Sequence[str], imported: frozenset[str]) -> Nearness:
    """The closest relation of a memory's anchored paths to the working set.

    `imported`: paths of files that the working set imports or that import it.
    """
    raise NotImplementedError

"""What a part of the proof reports: rows of a table, gates, and each miss by name."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """How to run: `quick` is the share that a continuous build can afford; `cache` keeps fetched sources and tools."""

    quick: bool
    seed: int
    cache: Path


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: of `tried` cases `right` came out as promised; `note` names exceptions and gaps."""

    what: str
    tried: int
    right: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """A promise in words, and whether this run kept it."""

    promise: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    rows: tuple[Row, ...]
    gates: tuple[Gate, ...]
    misses: tuple[str, ...]  # one line each: where, what was done, what came out, what should have

"""The reply: `{"data": …, "meta": …}` as compact JSON, and the envelope `meta`. Knows nothing of where figures come from."""

from collections.abc import Mapping
from dataclasses import dataclass

from anchormem.model import JsonObject

SHOWN_FILES = 10


@dataclass(frozen=True, slots=True)
class Envelope:
    """The figures of `meta`. Counts are of the matched population, lists are given whole and cut here."""

    indexed_at: int = 0  # milliseconds of the last complete sweep, 0: never
    dirty: int = 0
    dirty_files: tuple[str, ...] = ()
    failed_files: tuple[str, ...] = ()
    unchecked: int = 0
    scan_failed: str = ""
    matched: int = 0
    returned: int = 0
    omitted_reason: str = ""  # budget | relevance_floor | budget+relevance_floor | limit
    omitted: tuple[str, ...] = ()  # ids of what the budget left out
    stale: int = 0
    contradicted: int = 0
    unknown: int = 0
    warnings: tuple[str, ...] = ()


def meta(envelope: Envelope) -> JsonObject:
    """The envelope as tools.md has it: six base keys always, the rest when not empty."""
    raise NotImplementedError


def compact(value: object) -> str:
    """Compact JSON, UTF-8 unescaped, numbers rounded to two decimals, always encodable (lone surrogates become U+FFFD)."""
    raise NotImplementedError


def size(value: object) -> int:
    """UTF-8 bytes of `compact(value)`."""
    raise NotImplementedError


def iso(milliseconds: int) -> str:
    """`2026-01-31T12:00:00Z`, or "never" for 0."""
    raise NotImplementedError


def day(milliseconds: int) -> str:
    """`2026-01-31`: the `on` of an item."""
    raise NotImplementedError


def lean(item: Mapping[str, object]) -> JsonObject:
    """The item without keys that hold None, False, "" or an empty collection. Zero stays."""
    raise NotImplementedError

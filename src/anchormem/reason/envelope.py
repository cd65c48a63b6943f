"""The reply: `{"data": …, "meta": …}` as compact JSON, and its envelope. Knows nothing of where figures come from."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from anchormem.model import JsonObject

SHOWN_FILES = 10
SHOWN_IDS = 10
DECIMALS = 2  # numbers are for orientation; more digits are paid for and never read
NEVER = "never"
PLAIN = (str, int)  # most of what there is, and nothing to round
LAST_SECOND = 253_402_300_799  # of the year 9999: an absurd date must not cost the reply


@dataclass(frozen=True, slots=True)
class Envelope:
    """The figures of `meta`. Counts are of the matched population, lists are given whole and cut here."""

    indexed_at: int = 0  # milliseconds of the last complete sweep, 0: never
    dirty: int = 0
    dirty_files: tuple[str, ...] = ()
    failed_files: tuple[str, ...] = ()
    failed: int = 0  # files that failed, when the list is left out or cut; 0: the list is whole
    unchecked: int = 0
    scan_failed: str = ""
    matched: int = 0
    returned: int = 0
    omitted_reason: str = ""  # budget | relevance_floor | budget+relevance_floor | limit
    omitted: tuple[str, ...] = ()  # ids of what the budget left out
    stale: int = 0
    contradicted: int = 0
    invalidated: int = 0
    unknown: int = 0
    warnings: tuple[str, ...] = ()


def meta(envelope: Envelope) -> JsonObject:
    """The envelope as tools.md has it: six base keys always, the rest when not empty."""
    failed = envelope.failed or len(envelope.failed_files)
    freshness: JsonObject = {"indexed_at": iso(envelope.indexed_at), "dirty": envelope.dirty}
    freshness |= filled(
        dirty_files=list(envelope.dirty_files[:SHOWN_FILES]),
        failed_files=list(envelope.failed_files[:SHOWN_FILES]),
        failed=0 if failed == len(envelope.failed_files[:SHOWN_FILES]) else failed,
        unchecked=envelope.unchecked,
        scan_failed=envelope.scan_failed,
    )
    completeness: JsonObject = {"matched": envelope.matched, "returned": envelope.returned}
    completeness |= filled(omitted_reason=envelope.omitted_reason, omitted=list(envelope.omitted[:SHOWN_IDS]))
    staleness: JsonObject = {"stale": envelope.stale, "contradicted": envelope.contradicted}
    staleness |= filled(invalidated=envelope.invalidated, unknown=envelope.unknown)
    return {
        "freshness": freshness,
        "completeness": completeness,
        "staleness": staleness,
        **filled(warnings=list(envelope.warnings)),
    }


def filled(**values: object) -> JsonObject:
    """The keys whose values are neither zero nor empty."""
    return {key: value for key, value in values.items() if value}


def lean(item: Mapping[str, object]) -> JsonObject:
    """The item without keys that hold None, False, "" or an empty collection. Zero stays."""
    return {
        key: value
        for key, value in item.items()
        if value or (isinstance(value, int | float) and not isinstance(value, bool))
    }


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def compact(value: object) -> str:
    """Compact JSON, UTF-8 unescaped, numbers rounded, always encodable (lone surrogates become U+FFFD)."""
    text = _ENCODER.encode(rounded(value))
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def rounded(value: object) -> object:
    """The value with every float rounded, whole ones as integers, and null for what is no number."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        short = round(value, DECIMALS)
        return int(short) if short.is_integer() else short
    if isinstance(value, Mapping):
        return {str(key): rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value


def size(value: object) -> int:
    """UTF-8 bytes of `compact(value)`."""
    return length(compact(value))


def length(text: str) -> int:
    """UTF-8 bytes of a text."""
    return len(text) if text.isascii() else len(text.encode())


def iso(milliseconds: int) -> str:
    """`2026-01-31T12:00:00Z`, or "never" for 0."""
    if not milliseconds:
        return NEVER
    return _moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(milliseconds: int) -> str:
    """`2026-01-31`: the `on` of an item."""
    return _moment(milliseconds).strftime("%Y-%m-%d")


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(min(max(milliseconds // 1000, 0), LAST_SECOND), UTC)

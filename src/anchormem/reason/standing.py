"""What a memory shows in one checkout, from the fates of its anchors: status, reasons, confidence.

Knows nothing of how fates come about.
"""

from collections.abc import Collection, Mapping, Sequence

from anchormem.model import Fate, FateName, Memory, Source, Standing, Status

PENDING = Fate("unknown", "pending")

# What a claim is worth when written, and the most that may be asked for it.
BASE: dict[Source, float] = {"verified": 0.95, "explicit": 0.8, "mined": 0.5}
HIGHEST: dict[Source, float] = {"verified": 0.95, "explicit": 0.85, "mined": 0.5}
IMPORTED_HIGHEST = 0.8  # until it is proved in this repository
STALE_VERIFIED_HIGHEST = 0.5  # evidence about other code than today's is worth less than a fresh word of mouth

FACTOR: dict[Status, float] = {"active": 1.0, "stale": 0.6, "invalidated": 0.3, "unknown": 0.8, "superseded": 1.0}


def standing(memory: Memory, fates: Mapping[int, Fate]) -> Standing:
    """Status, every reason (anchor_lost first) and shown confidence. An anchor without a fate is unknown(pending)."""
    own = {anchor.id: fates.get(anchor.id, PENDING) for anchor in memory.anchors}
    status, reasons = _status(memory, tuple(own.values()))
    base = min(memory.confidence, IMPORTED_HIGHEST) if memory.imported else memory.confidence
    return Standing(status, reasons, shown_confidence(base, memory.source, status), own)


def _status(memory: Memory, fates: Sequence[Fate]) -> tuple[Status, tuple[str, ...]]:
    if memory.superseded_by:
        return "superseded", (memory.superseded_by,)
    status = status_of([fate.name for fate in fates])
    if status == "invalidated":
        return status, ("anchor_deleted",)
    if status == "active":
        return status, () if fates else ("unanchored",)
    named: tuple[str, ...] = tuple(dict.fromkeys(fate.reason for fate in fates if fate.name == status))
    return status, ("anchor_lost", *named) if any(fate.name == "gone" for fate in fates) else named


def status_of(names: Collection[FateName]) -> Status:
    """The status of a memory that nothing supersedes, from what became of its anchors."""
    if "gone" in names:
        return "stale" if any(name != "gone" for name in names) else "invalidated"
    if "stale" in names:
        return "stale"
    return "unknown" if "unknown" in names else "active"


def base_confidence(source: Source, given: float | None = None, *, imported: bool = False) -> float:
    """The base to store: verified 0.95, explicit 0.8 (at most 0.85), mined 0.5; an imported mark caps at 0.8."""
    base = BASE[source] if given is None else min(max(given, 0.0), HIGHEST[source])
    return min(base, IMPORTED_HIGHEST) if imported else base


def shown_confidence(base: float, source: Source, status: Status) -> float:
    """Base × factor of the status; stale verified at most 0.5."""
    shown = base * FACTOR[status]
    return min(shown, STALE_VERIFIED_HIGHEST) if status == "stale" and source == "verified" else shown

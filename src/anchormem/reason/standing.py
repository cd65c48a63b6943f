"""What a memory shows in one checkout, from the fates of its anchors: status, reasons, confidence.

Knows nothing of how fates come about.
"""

from collections.abc import Mapping

from anchormem.model import Fate, Memory, Source, Standing, Status


def standing(memory: Memory, fates: Mapping[int, Fate]) -> Standing:
    """Status, every reason (anchor_lost first) and shown confidence. An anchor without a fate is unknown(pending)."""
    raise NotImplementedError


def base_confidence(source: Source, given: float | None = None, *, imported: bool = False) -> float:
    """The base to store: verified 0.95, explicit 0.8 (at most 0.85), mined 0.5; an imported mark caps at 0.8."""
    raise NotImplementedError


def shown_confidence(base: float, source: Source, status: Status) -> float:
    """Base × factor of the status; stale verified at most 0.5."""
    raise NotImplementedError

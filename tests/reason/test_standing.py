"""What a memory shows, from the fates of its anchors."""

from dataclasses import replace

import pytest

from anchormem.model import Fate, Memory, Source, Status
from anchormem.reason.standing import base_confidence, shown_confidence, standing
from reason.scenes import anchor

FRESH, GONE = Fate("fresh"), Fate("gone", "anchor_deleted")
EDITED, QUOTE = Fate("stale", "body_edited"), Fate("stale", "quote_gone")
PENDING = Fate("unknown", "pending")


def memory(count: int, source: Source = "explicit") -> Memory:
    anchors = tuple(replace(anchor(), id=number + 1) for number in range(count))
    return Memory("m000000000", "fact", "words", source, base_confidence(source), 0, 0, anchors=anchors)


@pytest.mark.parametrize(
    ("fates", "status", "reasons"),
    [
        ((FRESH, FRESH), "active", ()),
        ((FRESH, Fate("followed")), "active", ()),
        ((GONE, GONE), "invalidated", ("anchor_deleted",)),
        ((FRESH, GONE), "stale", ("anchor_lost",)),
        ((EDITED, GONE, QUOTE), "stale", ("anchor_lost", "body_edited", "quote_gone")),
        ((PENDING, GONE), "stale", ("anchor_lost",)),
        ((PENDING, EDITED), "stale", ("body_edited",)),
        ((EDITED, EDITED), "stale", ("body_edited",)),
        ((FRESH, PENDING), "unknown", ("pending",)),
    ],
)
def test_the_status_follows_the_gravest_fate(fates: tuple[Fate, ...], status: Status, reasons: tuple[str, ...]) -> None:
    shown = standing(memory(len(fates)), {number + 1: fate for number, fate in enumerate(fates)})
    assert (shown.status, shown.reasons) == (status, reasons)


def test_superseded_is_final() -> None:
    assert standing(replace(memory(1), superseded_by="n000000000"), {1: EDITED}).status == "superseded"


def test_a_memory_without_anchors_is_active_and_unanchored() -> None:
    shown = standing(memory(0), {})
    assert (shown.status, shown.reasons) == ("active", ("unanchored",))


def test_an_anchor_nobody_resolved_is_pending() -> None:
    shown = standing(memory(1), {})
    assert (shown.status, shown.reasons) == ("unknown", ("pending",))


@pytest.mark.parametrize(
    ("source", "status", "expected"),
    [
        ("verified", "active", 0.95),
        ("verified", "stale", 0.5),
        ("explicit", "stale", 0.48),
        ("explicit", "invalidated", 0.24),
        ("explicit", "unknown", 0.64),
        ("mined", "active", 0.5),
    ],
)
def test_shown_confidence_is_base_times_factor(source: Source, status: Status, expected: float) -> None:
    assert shown_confidence(base_confidence(source), source, status) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("source", "given", "imported", "expected"),
    [
        ("explicit", None, False, 0.8),
        ("explicit", 1.0, False, 0.85),
        ("explicit", -3.0, False, 0.0),
        ("mined", 0.9, False, 0.5),
        ("verified", None, False, 0.95),
        ("verified", None, True, 0.8),
    ],
)
def test_a_source_caps_what_may_be_claimed(
    source: Source, given: float | None, expected: float, *, imported: bool
) -> None:
    assert base_confidence(source, given, imported=imported) == pytest.approx(expected)


def test_an_imported_memory_counts_as_explicit_until_it_is_proved_here() -> None:
    foreign = replace(memory(1, "verified"), imported=True)
    assert standing(foreign, {1: FRESH}).confidence == pytest.approx(0.8)
    assert standing(replace(foreign, imported=False), {1: FRESH}).confidence == pytest.approx(0.95)

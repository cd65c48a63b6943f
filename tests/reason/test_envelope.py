"""The envelope has its six base keys always, the rest when there is something to say."""

import json

from hypothesis import given
from hypothesis import strategies as st

from anchormem.reason.envelope import Envelope, compact, day, iso, lean, meta, size


def test_a_quiet_reply_has_exactly_the_six_base_keys() -> None:
    assert meta(Envelope()) == {
        "freshness": {"indexed_at": "never", "dirty": 0},
        "completeness": {"matched": 0, "returned": 0},
        "staleness": {"stale": 0, "contradicted": 0},
    }


def test_everything_there_is_to_say_is_said() -> None:
    told = meta(
        Envelope(
            indexed_at=1_769_860_800_000,
            dirty=1,
            dirty_files=("a.py",),
            failed_files=("b.py",),
            unchecked=2,
            scan_failed="disk full",
            matched=5,
            returned=3,
            omitted_reason="budget",
            omitted=("k1", "k2"),
            stale=1,
            contradicted=2,
            invalidated=4,
            unknown=3,
            warnings=("configuration broken",),
        )
    )
    assert told == {
        "freshness": {
            "indexed_at": "2026-01-31T12:00:00Z",
            "dirty": 1,
            "dirty_files": ["a.py"],
            "failed_files": ["b.py"],
            "unchecked": 2,
            "scan_failed": "disk full",
        },
        "completeness": {"matched": 5, "returned": 3, "omitted_reason": "budget", "omitted": ["k1", "k2"]},
        "staleness": {"stale": 1, "contradicted": 2, "invalidated": 4, "unknown": 3},
        "warnings": ["configuration broken"],
    }


def test_long_lists_of_files_are_cut_at_ten_and_counted() -> None:
    names = tuple(f"{number}.py" for number in range(25))
    freshness = meta(Envelope(dirty=25, dirty_files=names, failed_files=names))["freshness"]
    assert isinstance(freshness, dict)
    assert len(freshness["dirty_files"]) == len(freshness["failed_files"]) == 10
    assert (freshness["dirty"], freshness["failed"]) == (25, 25)


def test_json_is_compact_unescaped_and_rounded() -> None:
    assert compact({"a": 0.12345, "b": 2.0, "c": "é 字 🚀", "d": [1, 0.999], "e": float("nan")}) == (
        '{"a":0.12,"b":2,"c":"é 字 🚀","d":[1,1],"e":null}'
    )


def test_keys_that_hold_a_default_are_left_out_and_zero_is_not_one() -> None:
    assert lean({"a": None, "b": "", "c": [], "d": False, "e": 0, "f": True, "g": 0.0}) == {"e": 0, "f": True, "g": 0.0}


def test_an_absurd_date_costs_no_reply() -> None:
    assert iso(10**18) == "9999-12-31T23:59:59Z"
    assert day(-5) == "1970-01-01"


@given(st.text(alphabet=st.characters(), max_size=50))
def test_any_text_can_be_sent(text: str) -> None:
    sent = compact({"body": text}).encode()
    assert len(sent) == size({"body": text})
    assert set(json.loads(sent)) == {"body"}

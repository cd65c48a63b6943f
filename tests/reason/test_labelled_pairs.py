"""How often the detector is right about pairs of notes that people labelled: a contradiction, or none.

`pairs.jsonl`: a row a pair, as two notes of one place. Kinds of contradiction: numbers, units, versions, negations,
named values, either-or, Chinese, Japanese and Korean, across languages. Kinds that are none: templated notes on
different things, the same in other words, more on the same, something else.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from anchormem.reason.similar import conflict, duplicates, gist, near_copy, opposed

PAIRS = [json.loads(row) for row in Path(__file__).with_name("pairs.jsonl").read_text(encoding="utf-8").splitlines()]
LEAST_PRECISION, LEAST_RECALL = 0.9, 0.75


def counted(*, surely: bool) -> Counter[tuple[bool, bool]]:
    """How many pairs by what they are and by what they are held for."""
    return Counter(
        (pair["conflict"], bool(conflict(gist(pair["one"]), gist(pair["other"]), surely=surely))) for pair in PAIRS
    )


@pytest.mark.parametrize("surely", [False, True], ids=["when it is written", "on recall"])
def test_contradictions_are_found_and_others_left_alone(*, surely: bool) -> None:
    counts = counted(surely=surely)
    right, wrong, missed = counts[True, True], counts[False, True], counts[True, False]
    assert right / (right + wrong) >= LEAST_PRECISION, f"{wrong} pairs are no contradiction"
    assert right / (right + missed) >= LEAST_RECALL, f"{missed} contradictions were not seen"


def test_there_are_pairs_enough_of_every_kind() -> None:
    assert len(PAIRS) >= 120
    kinds = Counter((pair["kind"], pair["conflict"]) for pair in PAIRS)
    assert min(count for (kind, _), count in kinds.items() if kind != "cross") >= 5, kinds
    assert len({frozenset((pair["one"], pair["other"])) for pair in PAIRS}) == len(PAIRS)


TEMPLATES = [
    "Field `{name}` must not be null",
    "Case {number} is handled by the fallback",
    "Column `{name}` is stored in cents",
    "Table {name} has {number} columns",
    "Worker {number} drains the mail queue",
    "Node `{name}` runs the scheduler",
]
NAMES = ("price", "email", "owner", "city", "tax", "phone", "colour", "weight")


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_row_of_like_notes_on_different_things_contradicts_nothing(template: str) -> None:
    bodies = {name: template.format(name=name, number=number) for number, name in enumerate(NAMES, 17)}
    assert opposed(bodies, {name: ["shop/model.py"] for name in bodies}) == {}


LONG_TEMPLATES = [
    "Worker {number} drains the mail queue of the warehouse every night before the backup starts",
    "Node `{name}` runs the scheduler of the billing cluster and restarts it after a crash",
    "Field `{name}` must not be null because the export to the warehouse has no empty cells",
]


@pytest.mark.parametrize("template", LONG_TEMPLATES)
def test_like_notes_on_different_things_are_no_copies_of_each_other(template: str) -> None:
    first, *others = (template.format(name=name, number=number) for number, name in enumerate(NAMES, 17))
    assert not any(near_copy(gist(first), gist(other)) for other in others)
    assert duplicates(first, {str(number): other for number, other in enumerate(others)}) == ()


def test_no_contradiction_and_no_note_on_something_else_is_a_copy() -> None:
    for pair in PAIRS:
        if pair["conflict"] or pair["kind"] in ("template", "aside"):
            assert not near_copy(gist(pair["one"]), gist(pair["other"])), pair


def test_notes_of_different_files_are_not_compared() -> None:
    bodies = {"a": "The batch size is 50", "b": "The batch size is 100"}
    assert opposed(bodies, {"a": ["a.py"], "b": ["b.py"]}) == {}
    assert opposed(bodies, {"a": ["a.py"], "b": ["a.py"]}) == {"a": ("b",), "b": ("a",)}

"""The merge of two exports: which side is which does not matter, twice is as good as once, no memory is lost."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.cli import main
from anchormem.model import Anchor, Link, Memory, Slot
from anchormem.workspace import exported, ids, merging
from anchormem.workspace.exported import Line, opened, whole
from store.samples import anchor, digest

IDS = [ids.derived(f"memory {number}") for number in range(3)]
SLOTS = st.lists(st.builds(Slot, st.sampled_from(["a.py", "b.py"]), st.just("f")), max_size=2).map(tuple)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)


def anchors() -> st.SearchStrategy[tuple[Anchor, ...]]:
    made = st.builds(lambda seed, slots: replace(anchor(body=seed), text=None, slots=slots), st.integers(0, 1), SLOTS)
    return st.lists(made, max_size=2).map(tuple)


def memories(body: st.SearchStrategy[str] = TEXTS) -> st.SearchStrategy[Memory]:
    return st.builds(
        Memory,
        st.sampled_from(IDS), st.sampled_from(["fact", "decision"]), body, st.sampled_from(["explicit", "mined"]),
        st.just(0.5), st.integers(0, 2), st.integers(0, 3), forgotten_at=st.sampled_from([0, 0, 0, 1, 2]),
        superseded_by=st.sampled_from(["", ids.derived("another")]), archived=st.booleans(),
        links=st.sampled_from([(), (Link(ids.derived("linked"), "supports"),)]), anchors=anchors(),
    )  # fmt: skip


LINES = st.one_of(
    memories().map(exported.line),
    st.sampled_from(
        ["{cut", "<<<<<<< ours", ">>>>>>> theirs", json.dumps({"id": IDS[0], "kind": "rumour", "updated_at": 2})]
    ),
)
SIDES = st.lists(LINES, max_size=6)


def lines(texts: list[str]) -> tuple[Line, ...]:
    return opened(whole(texts)).lines


def text(merge: merging.Merge) -> list[str]:
    return [line.text for line in (*merge.lines, *merge.left)]


@settings(max_examples=25)
@given(one=SIDES, other=SIDES)
def test_sides_can_be_exchanged_and_repeated_and_nothing_with_an_id_is_lost(one: list[str], other: list[str]) -> None:
    left, right = lines(one), lines(other)
    merged = text(merging.union(left, right))
    assert text(merging.union(right, left)) == merged
    again = opened(whole(merged)).lines
    for side in ((), left, right, again):
        assert text(merging.union(again, side)) == merged
    assert {line.id for line in again} == {line.id for line in (*left, *right) if line.fault != exported.MARKER}
    assert not any(line.fault == exported.MARKER for line in again)
    kept = {line.id: line for line in again if line.memory}
    for line in (*left, *right):
        if line.memory and line.id in kept and (won := kept[line.id].memory):
            assert merging.stamp(won) >= merging.stamp(line.memory)


def test_an_anchor_that_a_memory_holds_twice_keeps_the_places_of_both_whichever_side_is_which() -> None:
    bare = replace(anchor(body=1), text=None, slots=())
    moved = replace(bare, slots=(Slot("a.py", "f"),))
    one = exported.line(Memory(IDS[0], "fact", "b", "explicit", 0.5, 1, 1, anchors=(bare, moved)))
    other = exported.line(Memory(IDS[0], "fact", "b", "explicit", 0.5, 1, 1, anchors=(bare, bare)))
    merged = text(merging.union(lines([one]), lines([other])))
    assert text(merging.union(lines([other]), lines([one]))) == merged
    assert merged[0].count("a.py") == 2


@settings(max_examples=20)
@given(memory=memories(st.text(min_size=1, max_size=20).filter(str.strip)))
def test_a_line_gives_the_memory_back_whatever_it_says(memory: Memory) -> None:
    written = exported.line(memory)
    (read,) = opened(whole([written])).lines
    assert read.memory, read.fault
    assert exported.line(read.memory) == written
    assert "\n" not in written


def memory(**more: object) -> Memory:
    values = {"id": IDS[0], "kind": "fact", "body": "b", "source": "explicit", "confidence": 0.8}
    return Memory(**{**values, "created_at": 1, "updated_at": 1, **more})  # type: ignore[arg-type]  # as samples.memory


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "told"),
    [
        (memory(), memory(), memory(body="c", updated_at=2), ""),
        (memory(), memory(body="c", updated_at=2), memory(body="d", updated_at=3), "changed on both sides"),
        (memory(), memory(body="c", updated_at=2), memory(body="d", updated_at=2), "changed on both sides"),
        (None, memory(body="c"), memory(body="d"), "two versions of one moment"),
        (None, memory(body="c"), memory(body="d", updated_at=2), ""),
        (None, memory(created_at=7, updated_at=9), memory(body="d"), "two memories of one id"),
        (None, memory(created_at=7, updated_at=9, origin="seed:a#1"), memory(body="d", origin="seed:a#1"), ""),
        (memory(), memory(forgotten_at=5), memory(body="d", updated_at=3), ""),
    ],
)
def test_what_both_sides_did_to_one_memory_is_told(
    base: Memory | None, ours: Memory, theirs: Memory, told: str
) -> None:
    sides = [lines([exported.line(one)]) if one else () for one in (base, ours, theirs)]
    merge = merging.union(*sides[1:], base=sides[0])
    assert bool(merge.clashes) is bool(told)
    assert told in str(merge.clashes)


def driven(folder: Path, *sides: bytes) -> int:
    for name, data in zip("oab", sides, strict=True):
        (folder / name).write_bytes(data)
    os.chdir(folder)
    return main(["merge-driver", "o", "a", "b"])


def test_the_driver_writes_our_side_and_says_what_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    base, ours, theirs = (
        whole([exported.line(memory(body=body, updated_at=at)), *more])
        for body, at, more in (("b", 1, ()), ("c", 2, ("{cut",)), ("d", 3, ()))
    )
    assert driven(tmp_path, base, ours, theirs) == 0
    assert (tmp_path / "a").read_bytes() == whole([exported.line(memory(body="d", updated_at=3)), "{cut"])
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{IDS[0]}: changed on both sides" in said.err
    assert "1 line could not be read and stays as it is" in said.err


def test_the_driver_leaves_a_newer_format_to_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert driven(tmp_path, b"", whole([]), b'{"anchormem":2}\n') == 1
    assert (tmp_path / "a").read_bytes() == whole([])
    assert "newer anchormem" in capsys.readouterr().err
    assert main(["merge-driver", "nowhere", "a", "b"]) == 2


def test_hashes_and_odd_names_survive_a_line() -> None:
    odd = replace(anchor("src/\udcff.py", "f"), text=None, twins=(Slot("b.py", "é"),), normal=digest(5))
    (read,) = opened(whole([exported.line(memory(anchors=(odd,)))])).lines
    assert read.memory
    assert replace(read.memory.anchors[0], id=0) == odd

"""Whatever two people do to shared memories, merging their exports gives both the same ones, and loses nothing."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchormem.model import Memory
from anchormem.store import links, listing, revisions
from anchormem.workspace import exported, merging
from workspace.sharing.histories import Side, merged, side

SEEDS = st.integers(0, 1 << 32)
ONCE = settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])


def known(one: Side) -> set[str]:
    """Every text that this machine has, in a memory or its history."""
    everything = listing.everything(one.store)
    past = (revision.memory for memory in everything for revision in revisions.history(one.store, memory.id))
    return {memory.body for memory in (*everything, *past)}


@ONCE
@given(seed=SEEDS)
def test_two_histories_become_one_store_on_both(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    dice, folder = random.Random(seed), tmp_path_factory.mktemp("team")
    ours, theirs = side(folder / "a", dice), side(folder / "b", dice)
    for _ in range(3):
        with ours.store.writing(), theirs.store.writing():  # one commit for all of it
            for _ in range(dice.randrange(20)):
                dice.choice((ours, theirs)).act()
        before = known(ours), known(theirs)
        one, other = merged(ours, theirs), merged(theirs, ours)
        assert [line.text for line in one] == [line.text for line in other]
        ours.take(one)
        theirs.take(other)
        assert ours.contents() == theirs.contents()
        assert known(ours) >= before[0]
        assert known(theirs) >= before[1]
        shared = {line.id for line in one}
        assert {line.id for line in ours.lines()} == shared
        for again in (theirs.take(merged(ours, theirs)), ours.take(merged(ours, theirs))):
            assert (again.new, again.changed, again.forgotten, again.settled) == ([], [], [], [])
        assert ours.text() == theirs.text()
    ours.store.close()
    theirs.store.close()


def standing(one: Side) -> dict[str, Memory]:
    return {memory.id: memory for memory in one.alive() if not memory.superseded_by}


def test_what_supersedes_still_does_when_the_other_was_edited_meanwhile(tmp_path: Path) -> None:
    dice = random.Random(1)
    ours, theirs = side(tmp_path / "a", dice), side(tmp_path / "b", dice)
    ours.remember()
    ours.remember()
    theirs.take(ours.lines())
    old, new = ours.made
    links.supersede(ours.store, new, old, ours.clock + 1)
    theirs.clock = ours.clock + 1_000
    while theirs.text() == exported.whole(line.text for line in merged(ours, theirs)):
        theirs.edit()
    for one in (ours, theirs):
        one.take(merged(ours, theirs))
    assert ours.text() == theirs.text()
    assert old not in standing(ours)


def test_of_some_that_supersede_each_other_one_stands_again(tmp_path: Path) -> None:
    dice = random.Random(1)
    ours, theirs = side(tmp_path / "a", dice), side(tmp_path / "b", dice)
    ours.remember()
    ours.remember()
    theirs.take(ours.lines())
    one, other = ours.made
    links.supersede(ours.store, one, other, ours.clock + 1)
    links.supersede(theirs.store, other, one, ours.clock + 2)
    lines = merged(ours, theirs)
    for machine in (ours, theirs):
        machine.take(lines)
    assert ours.text() == theirs.text()
    assert len(standing(ours)) == 1
    assert merging.union(ours.lines(), lines).clashes == ()

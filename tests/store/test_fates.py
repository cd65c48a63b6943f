"""Fates and anchors: what is kept, and what has to be resolved again."""

from dataclasses import replace

import pytest

from anchormem.model import Change, Fate, Slot
from anchormem.store import anchors, fates, files, links, memories
from anchormem.store.db import Store
from anchormem.store.fates import FateRow, Restamp
from store.samples import anchor, digest, full_anchor, memory, state

FRESH = Fate("fresh")


def settle(store: Store, **named: Fate) -> dict[str, int]:
    """A memory for each name with one anchor in `<name>.py`, resolved as given; gives the anchor ids."""
    found = {}
    for name, fate in named.items():
        [kept] = memories.insert(store, memory(name, anchors=(anchor(f"{name}.py", body=name),))).anchors
        fates.put_many(store, [FateRow(kept.id, 0, fate)])
        found[name] = kept.id
    return found


def test_a_row_comes_back_whole(store: Store) -> None:
    [kept] = memories.insert(store, memory()).anchors
    full = FateRow(
        anchor=kept.id,
        revision=3,
        fate=Fate(
            "stale",
            "ambiguous_anchor",
            Slot("ö.py", "a.b", "@x"),
            ("x.py::a", "y.py::\udce9"),
            doc_changed=True,
            change=Change("50 → 200", touches=True, commit="1a2b3c4d5e 2026-01-31"),
            detail="why",
        ),
        proven=Slot("p.py", "q", "r"),
        seen_body=digest("seen"),
        seen_content=digest("file"),
        seen_commit="abc",
        twins=(Slot("t.py", "u"),),
        restamp=Restamp("2.python", digest(1), None, digest(3), digest(4), 5),
    )
    plain = FateRow(7, 0, FRESH)
    fates.put_many(store, [full, plain])
    assert fates.get(store, [kept.id, 999]) == {kept.id: full}
    assert fates.get_all(store) == {kept.id: full, 7: plain}
    fates.put_many(store, [FateRow(kept.id, 4, FRESH)])
    assert fates.get(store, [kept.id]) == {kept.id: FateRow(kept.id, 4, FRESH)}
    assert fates.drop_orphans(store) == 1
    assert fates.drop_orphans(store) == 0


def test_nothing_is_outdated_while_nothing_changes(store: Store) -> None:
    settle(store, a1=FRESH, b2=Fate("stale", "body_edited"), c3=Fate("gone"))
    assert fates.outdated(store) == []


def test_a_change_outdates_its_own_and_all_that_are_not_fresh(store: Store) -> None:
    at = settle(store, a1=FRESH, b2=Fate("stale", "body_edited"), c3=FRESH, d4=Fate("followed", at=Slot("n.py", "f")))
    unwell = {at["b2"], at["d4"]}
    assert set(fates.outdated(store, ["unrelated.py"])) == unwell
    assert set(fates.outdated(store, ["a1.py"])) == {at["a1"], *unwell}
    assert set(fates.outdated(store, ["n.py"])) == unwell
    assert set(fates.outdated(store, [], [digest("c3")])) == {at["c3"], *unwell}
    fates.put_many(store, [FateRow(at["a1"], 0, FRESH, seen_body=digest("seen"))])
    assert set(fates.outdated(store, [], [digest("seen")])) == {at["a1"], *unwell}
    anchors.add_slot(store, at["c3"], Slot("proved.py", "f"))
    assert set(fates.outdated(store, ["proved.py"])) == {at["c3"], *unwell}


def test_new_anchors_and_changed_memories_are_outdated(store: Store) -> None:
    at = settle(store, a1=FRESH, b2=FRESH)
    [new] = memories.insert(store, memory("c3")).anchors
    memories.replace(store, replace(memories.one(store, "b2"), body="other words"), "update", 5)
    assert fates.outdated(store) == sorted([new.id, at["b2"]])


def test_the_dead_are_never_outdated(store: Store) -> None:
    at = settle(store, a1=FRESH, b2=Fate("gone"), c3=FRESH)
    memories.forget(store, "a1", 5)
    links.supersede(store, "c3", "b2", 5)
    assert fates.outdated(store, ["a1.py", "b2.py"], [digest("a1"), digest("b2")]) == [at["c3"]]
    fates.put_many(store, [FateRow(at["c3"], 1, FRESH)])
    assert fates.outdated(store, ["a1.py", "b2.py"], [digest("a1"), digest("b2")]) == []
    assert fates.tally(store) == {"fresh": 1}
    assert [path for path, _ in anchors.anchored_paths(store)] == ["c3.py"]


def test_outdating_keeps_what_was_seen(store: Store) -> None:
    at = settle(store, a1=FRESH, b2=FRESH)
    row = FateRow(at["a1"], 0, FRESH, proven=Slot("x.py", "f"), seen_body=digest("seen"))
    fates.put_many(store, [row])
    fates.outdate(store, [at["a1"]])
    assert fates.outdated(store) == [at["a1"]]
    assert fates.get(store, [at["a1"]])[at["a1"]] == replace(row, revision=-1)
    fates.outdate(store)
    assert fates.outdated(store) == sorted(at.values())


def test_archived_ones_are_resolved_like_the_rest(store: Store) -> None:
    at = settle(store, a1=FRESH)
    memories.set_archived(store, "a1", 5, archived=True)
    assert fates.outdated(store, ["a1.py"]) == [at["a1"]]
    assert anchors.live_count(store) == 1


def test_live_anchors_come_with_their_memory(store: Store) -> None:
    memories.insert(store, memory("a1", anchors=(full_anchor(), anchor("b.py", body="b"))))
    memories.replace(store, replace(memories.one(store, "a1"), body="new words"), "update", 5)
    first, second = anchors.every_live(store)
    assert (first.memory, first.revision, first.body) == ("a1", 1, "new words")
    assert replace(first.anchor, id=0) == full_anchor()
    assert anchors.get(store, [second.anchor.id, 12345]) == [second]
    assert anchors.by_paths(store, ["b.py"]) == [second]
    assert anchors.by_paths(store, ["lib/b.py"]) == [first]
    assert anchors.for_memory(store, "a1") == (first.anchor, second.anchor)
    fates.put_many(store, [FateRow(second.anchor.id, 1, Fate("followed", at=Slot("now.py", "f")))])
    assert anchors.by_paths(store, ["now.py"]) == [second]


def test_proved_slots_only_grow(store: Store) -> None:
    [kept] = memories.insert(store, memory("a1")).anchors
    assert not anchors.add_slot(store, kept.id, kept.slot)
    assert anchors.add_slot(store, kept.id, Slot("lib/x.py", "f"))
    assert not anchors.add_slot(store, kept.id, Slot("lib/x.py", "f"))
    assert anchors.add_slot(store, kept.id, Slot("lib/x.py", "f", "2"))
    assert not anchors.add_slot(store, 12345, Slot("lib/x.py", "f"))
    [now] = anchors.for_memory(store, "a1")
    assert now == replace(kept, slots=(kept.slot, Slot("lib/x.py", "f"), Slot("lib/x.py", "f", "2")))


def test_anchored_paths_come_with_what_was_seen(store: Store) -> None:
    at = settle(store, a1=FRESH, b2=Fate("followed", at=Slot("now.py", "f")))
    anchors.add_slot(store, at["a1"], Slot("proved.py", "f"))
    files.put_many(store, [state("a1.py"), state("unanchored.py")])
    assert anchors.anchored_paths(store) == [
        ("a1.py", files.looks(store)["a1.py"]),
        ("b2.py", None),
        ("now.py", None),
        ("proved.py", None),
    ]


def test_ids_are_never_used_again(store: Store) -> None:
    seen = set()
    for number in range(50):
        stored = memories.insert(store, memory(f"a{number}"))
        memories.replace(store, replace(stored, anchors=()), "reanchor", 5)
        seen.add(stored.anchors[0].id)
    assert len(seen) == 50


def test_a_scan_inside_a_deliberate_act_is_a_mistake(store: Store) -> None:
    with pytest.raises(ValueError, match="inside"), store.writing():
        fates.outdate(store)
    with pytest.raises(ValueError, match="inside"), store.deriving():
        memories.count_recalls(store, [], 5)

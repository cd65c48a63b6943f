"""Memories as wholes: what is put in comes out, and nothing is lost by a deliberate act."""

from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from anchormem.errors import Duplicate, NotFound, Refused
from anchormem.model import Anchor, Link, Memory
from anchormem.store import anchors, links, listing, memories, revisions, search
from anchormem.store.db import Store
from anchormem.store.listing import Filter
from store.samples import anchor, full_anchor, full_memory, memory


def without_ids(found: Memory) -> Memory:
    return replace(found, anchors=tuple(replace(each, id=0) for each in found.anchors))


def test_every_field_comes_back(store: Store) -> None:
    given_memory = full_memory()
    stored = memories.insert(store, given_memory)
    assert all(each.id for each in stored.anchors)
    assert without_ids(stored) == given_memory
    assert memories.get(store, ["z000000001"]) == [stored]


def test_the_sample_leaves_no_field_at_its_default() -> None:
    for value, kept in ((full_anchor(), {"id"}), (full_memory(), {"superseded_by", "forgotten_at"})):
        plain = {each.name for each in fields(value) if getattr(value, each.name) == each.default}
        assert plain == kept


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@example(body="\ud800\U0010d800\U0010d7ff\udfff\U0010dfff\U0010d7ff\U0010d7ff", origin="\U0010d7ff")
@given(body=st.text(alphabet=st.characters(), max_size=200), origin=st.text(alphabet=st.characters(), max_size=20))
def test_any_text_comes_back(store: Store, body: str, origin: str) -> None:
    with store.writing():
        stored = memories.insert(store, memory(body=body, origin=origin, anchors=()))
        store.run("DELETE FROM main.memories WHERE id = 'm000000001'")
    assert (stored.body, stored.origin) == (body, origin)


def test_memories_come_in_the_order_asked_and_unknown_ones_are_left_out(store: Store) -> None:
    for name in ("a1", "b2", "c3"):
        memories.insert(store, memory(name))
    assert [each.id for each in memories.get(store, ["c3", "zz", "a1", "c3"])] == ["c3", "a1"]


def test_a_taken_id_or_origin_is_refused_and_changes_nothing(store: Store) -> None:
    memories.insert(store, memory("a1", origin="seed:1"))
    with pytest.raises(Duplicate, match="a1"):
        memories.insert(store, memory("a1"))
    with pytest.raises(Duplicate, match="seed:1"):
        memories.insert(store, memory("b2", origin="seed:1"))
    assert listing.counts(store).live == 1
    assert memories.by_origin(store, "seed:1") == "a1"
    assert memories.by_origin(store, "") is None


def test_replacing_keeps_the_old_state_whole(store: Store) -> None:
    before = memories.insert(store, full_memory())
    after = memories.replace(store, replace(before, body="The batch size is 100", anchors=()), "update", 5)
    assert (after.body, after.anchors) == ("The batch size is 100", ())
    [kept] = revisions.history(store, before.id)
    assert (kept.number, kept.act, kept.at) == (1, "update", 5)
    assert kept.memory == before


def test_restoring_a_revision_is_a_further_act(store: Store) -> None:
    first = memories.insert(store, full_memory())
    memories.replace(store, replace(first, body="second", anchors=()), "update", 5)
    restored = memories.replace(store, revisions.numbered(store, first.id, 1).memory, "restore", 6)
    assert without_ids(replace(restored, updated_at=first.updated_at)) == without_ids(first)
    assert restored.updated_at > first.updated_at
    assert [each.act for each in revisions.history(store, first.id)] == ["update", "restore"]
    with pytest.raises(NotFound):
        revisions.numbered(store, first.id, 3)


def test_an_unchanged_anchor_keeps_its_row_and_proved_slots(store: Store) -> None:
    stored = memories.insert(store, memory(anchors=(anchor(), anchor("src/other.py"))))
    kept, dropped = stored.anchors
    anchors.add_slot(store, kept.id, anchor("lib/queue.py").slot)
    after = memories.replace(store, replace(stored, anchors=(anchor("new.py"), anchor())), "reanchor", 5)
    assert after.anchors[1].id == kept.id
    assert after.anchors[1].slots == (*kept.slots, anchor("lib/queue.py").slot)
    assert dropped.id not in {each.id for each in after.anchors}


def test_an_anchor_from_a_search_keeps_its_text(store: Store) -> None:
    memories.insert(store, memory())
    [hit] = search.on_paths(store, ["src/queue.py"])
    assert hit.memory.anchors[0].text is None
    after = memories.replace(store, replace(hit.memory, body="other"), "update", 5)
    assert after.anchors[0].text == anchor().text


def test_an_equal_anchor_given_twice_is_stored_twice(store: Store) -> None:
    stored = memories.insert(store, memory(anchors=(anchor(), anchor())))
    assert len({each.id for each in stored.anchors}) == 2


@pytest.mark.parametrize(
    ("prefix", "expected"), [("abc", "abcd"), ("ABCD", "abcd"), ("abd", "abd"), ("x", "xyz"), (" xyz ", "xyz")]
)
def test_a_unique_prefix_is_enough(store: Store, prefix: str, expected: str) -> None:
    for name in ("abcd", "abd", "abde", "xyz"):
        memories.insert(store, memory(name))
    assert memories.resolve_prefix(store, prefix) == expected


def test_a_prefix_that_is_ambiguous_short_or_unknown_is_refused(store: Store) -> None:
    for name in ("abcd", "abde"):
        memories.insert(store, memory(name))
    with pytest.raises(Refused, match="several") as refusal:
        memories.resolve_prefix(store, "ab")
    assert "abcd, abde" in refusal.value.hint
    with pytest.raises(Refused, match="only the beginning"):
        memories.resolve_prefix(store, "abc", exact_only=True)
    assert memories.resolve_prefix(store, "abcd", exact_only=True) == "abcd"
    for nothing in ("", "q", "%", "_", "ab%"):
        with pytest.raises(NotFound):
            memories.resolve_prefix(store, nothing)


def test_forgetting_leaves_a_tombstone_that_can_be_taken_back(store: Store) -> None:
    before = memories.insert(store, memory("a1"))
    assert memories.forget(store, "a1", 5_000) == before
    assert search.documents(store) == 0
    assert anchors.every_live(store) == []
    assert memories.one(store, "a1").forgotten_at == 5_000
    with pytest.raises(NotFound):
        memories.forget(store, "a1", 6_000)
    back = memories.unforget(store, "a1", 7_000)
    assert replace(back, updated_at=before.updated_at) == before
    assert len(anchors.every_live(store)) == 1
    with pytest.raises(NotFound):
        memories.unforget(store, "a1", 8_000)


def test_a_later_act_counts_as_later_whatever_the_clock_says(store: Store) -> None:
    first = memories.insert(store, memory("a1"))
    second = memories.replace(store, replace(first, body="other", updated_at=5), "update", 5)
    memories.forget(store, "a1", 6)
    third = memories.one(store, "a1")
    fourth = memories.unforget(store, "a1", 7)
    times = [first.updated_at, second.updated_at, third.forgotten_at, fourth.updated_at]
    assert times == sorted(set(times))
    assert memories.replace(store, replace(fourth, updated_at=8), memories.IMPORT, 9).updated_at == 8


def test_the_tombstone_of_a_stranger_cannot_come_back(store: Store) -> None:
    buried = memory("a1", body="", updated_at=50, forgotten_at=50, anchors=())
    memories.entomb(store, (buried,))
    assert memories.one(store, "a1") == buried
    assert memories.stamps(store) == {"a1": (50, False)}
    with pytest.raises(Refused, match="too long ago"):
        memories.unforget(store, "a1", 60)
    with pytest.raises(Duplicate):
        memories.entomb(store, (buried,))


def test_purging_takes_the_content_of_old_tombstones_only(store: Store) -> None:
    for name in ("a1", "b2", "c3"):
        memories.insert(
            store, replace(full_memory(name), updated_at=40) if name == "a1" else memory(name, updated_at=40)
        )
    memories.forget(store, "a1", 50)
    memories.forget(store, "b2", 500)
    assert memories.purge(store, before=100) == 1
    assert memories.purge(store, before=100) == 0
    gone = memories.one(store, "a1")
    assert (gone.body, gone.evidence, gone.anchors, gone.links) == ("", None, (), ())
    assert (gone.origin, gone.forgotten_at) == (full_memory().origin, 50)
    assert revisions.history(store, "a1") == []
    with pytest.raises(Refused, match="too long ago"):
        memories.unforget(store, "a1", 600)
    assert memories.unforget(store, "b2", 600).body == memory().body


def test_archived_ones_are_hidden_from_search_and_stay_live(store: Store) -> None:
    memories.insert(store, memory("a1"))
    assert memories.set_archived(store, "a1", 5, archived=True)
    assert not memories.set_archived(store, "a1", 6, archived=True)
    assert search.documents(store) == 0
    assert search.on_paths(store, ["src/queue.py"]) == []
    assert len(anchors.every_live(store)) == 1
    assert memories.set_archived(store, "a1", 7, archived=False)
    assert search.documents(store) == 1
    assert [each.act for each in revisions.history(store, "a1")] == ["archive", "restore"]


def test_counting_recalls_changes_no_memory(store: Store) -> None:
    before = memories.insert(store, memory("a1"))
    memories.count_recalls(store, ["a1", "zz", "a1"], 5)
    memories.count_recalls(store, ["a1"], 6)
    assert memories.one(store, "a1") == before
    [hit] = search.on_paths(store, ["src/queue.py"])
    assert hit.recalls == 2


def test_pages_filter_and_count(store: Store) -> None:
    for number in range(5):
        memories.insert(store, memory(f"a{number}", body=f"Body {number}", updated_at=number, anchors=()))
    memories.insert(store, full_memory("z9"))
    memories.forget(store, "a0", 90)
    links.supersede(store, "a2", "a1", 91)
    assert [each.id for each in listing.page(store, Filter(), limit=3).memories] == ["z9", "a1", "a2"]
    assert listing.page(store, Filter(), offset=4).memories == tuple(memories.get(store, ["a3"]))
    for wanted, expected in (
        (Filter(), 5),
        (Filter(forgotten=None), 6),
        (Filter(forgotten=True), 1),
        (Filter(superseded=True), 1),
        (Filter(superseded=False), 4),
        (Filter(kinds=("decision",)), 1),
        (Filter(kinds=("decision", "fact")), 5),
        (Filter(sources=("mined",)), 0),
        (Filter(archived=True), 1),
        (Filter(imported=False), 4),
        (Filter(private=True), 1),
        (Filter(unapproved=True), 1),
        (Filter(unapproved=False), 4),
        (Filter(by="human"), 1),
        (Filter(origin="seed:*"), 1),
        (Filter(origin="seed:"), 0),
        (Filter(text="bODY 3"), 1),
        (Filter(text="%"), 0),
    ):
        assert listing.page(store, wanted).total == expected, wanted
        assert len(listing.page(store, wanted).memories) == expected, wanted


def test_counts_tell_the_living_from_the_dead(store: Store) -> None:
    memories.insert(store, memory("a1"))
    memories.insert(store, memory("a2", anchors=()))
    memories.insert(store, memory("a3"))
    memories.insert(store, full_memory("z9"))
    memories.insert(store, memory("a4"))
    memories.forget(store, "a3", 9)
    links.supersede(store, "a2", "a1", 9)
    found = listing.counts(store)
    assert (found.live, found.superseded, found.forgotten) == (3, 1, 1)
    assert (found.archived, found.private, found.imported, found.unanchored) == (1, 1, 1, 1)
    assert found.kinds == {"decision": 1, "fact": 2}
    assert found.sources == {"explicit": 2, "verified": 1}
    assert [each.id for each in listing.everything(store)] == ["a1", "a2", "a3", "a4", "z9"]


def test_a_failed_act_leaves_everything_as_it_was(store: Store) -> None:
    before = memories.insert(store, memory("a1"))
    broken = replace(before, anchors=(Anchor(slot=before.anchors[0].slot, aspect="body", epoch=None),))  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(Exception, match="NOT NULL"):
        memories.replace(store, broken, "update", 5)
    assert memories.one(store, "a1") == before
    assert revisions.history(store, "a1") == []


def test_links_are_stored_even_before_their_target_arrives(store: Store) -> None:
    memories.insert(store, memory("a1", links=(Link("b2", "supports"),)))
    assert memories.one(store, "a1").links == (Link("b2", "supports"),)

"""Superseding and contradicting."""

import pytest

from anchormem.errors import NotFound, Refused
from anchormem.model import Link
from anchormem.store import links, memories, revisions, search
from anchormem.store.db import Store
from store.samples import memory


@pytest.fixture(autouse=True)
def three(store: Store) -> None:
    for name in ("a1", "b2", "c3"):
        memories.insert(store, memory(name))


def test_superseding_hides_the_old_one_and_can_be_undone(store: Store) -> None:
    links.supersede(store, "b2", "a1", 5)
    assert memories.one(store, "a1").superseded_by == "b2"
    assert memories.one(store, "b2").links == (Link("a1", "supersedes"),)
    assert links.superseding(store, "b2") == links.Superseding(("a1",), "")
    assert links.superseding(store, "a1") == links.Superseding((), "b2")
    assert [hit.memory.id for hit in search.on_paths(store, ["src/queue.py"])] == ["b2", "c3"]
    links.supersede(store, "b2", "a1", 6)
    assert links.unlink(store, "b2", "a1", "supersedes", 7)
    assert memories.one(store, "a1").superseded_by == ""
    assert not links.unlink(store, "b2", "a1", "supersedes", 8)
    assert [each.act for each in revisions.history(store, "a1")] == ["supersede", "unlink"]
    assert len(search.on_paths(store, ["src/queue.py"])) == 3


def test_loops_and_second_successors_are_refused(store: Store) -> None:
    links.supersede(store, "b2", "a1", 5)
    links.supersede(store, "c3", "b2", 5)
    for successor, target in (("a1", "c3"), ("a1", "a1"), ("c3", "a1")):
        with pytest.raises(Refused):
            links.supersede(store, successor, target, 6)


def test_what_is_missing_or_forgotten_cannot_be_superseded(store: Store) -> None:
    memories.forget(store, "a1", 5)
    for successor, target in (("b2", "a1"), ("a1", "b2"), ("b2", "zz")):
        with pytest.raises(NotFound):
            links.supersede(store, successor, target, 6)


def test_a_contradiction_stands_on_both_sides_while_both_stand(store: Store) -> None:
    assert links.link(store, "a1", "b2", "contradicts", 5)
    assert not links.link(store, "a1", "b2", "contradicts", 5)
    assert links.contradictions(store) == [("a1", "b2")]
    assert links.contradicted_by(store, ["a1", "b2", "c3"]) == {"a1": ("b2",), "b2": ("a1",)}
    assert [hit.contradicted_by for hit in search.on_paths(store, ["src/queue.py"])] == [("b2",), ("a1",), ()]
    memories.set_archived(store, "b2", 6, archived=True)
    assert links.contradictions(store) == []
    assert links.contradicted_by(store, ["a1"]) == {}
    memories.set_archived(store, "b2", 6, archived=False)
    links.supersede(store, "c3", "b2", 7)
    assert links.contradictions(store) == []
    links.unlink(store, "c3", "b2", "supersedes", 8)
    memories.forget(store, "a1", 9)
    assert links.contradictions(store) == []


def test_linking_needs_two_memories(store: Store) -> None:
    with pytest.raises(NotFound):
        links.link(store, "a1", "zz", "supports", 5)
    with pytest.raises(Refused):
        links.link(store, "a1", "a1", "supports", 5)

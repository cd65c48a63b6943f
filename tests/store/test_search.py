"""What a recall ranks and what it shows, found by words, ids and places; and a full-text index that mends itself."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchormem.errors import StoreError
from anchormem.model import Evidence, Fate, Slot
from anchormem.store import anchors, fates, files, leads, links, memories, outlines, search
from anchormem.store.db import Store, open_store
from anchormem.store.fates import FateRow
from anchormem.text.terms import fts_expression, significant
from store.samples import anchor, digest, full_memory, memory, state


def ask(store: Store, task: str, **more: object) -> list[search.Hit]:
    return search.candidates(store, fts_expression(significant(task)), **more)  # type: ignore[arg-type]  # shorthand


def leading(store: Store, expression: str, **more: object) -> list[leads.Lead]:
    found = leads.leads(store, leads.chosen(store, expression, **more))  # type: ignore[arg-type]  # shorthand
    return sorted(found.values())


def lead(store: Store, task: str, **more: object) -> list[str]:
    return [one.id for one in leading(store, fts_expression(significant(task)), **more)]


def ids(hits: list[search.Hit]) -> list[str]:
    return [hit.memory.id for hit in hits]


def holding(one: leads.Lead, term: str) -> set[str]:
    """The columns of the index that hold the term."""
    assert one.indexed is not None
    columns = ("body", "names", "paths", "commands")
    return {column for column, text in zip(columns, one.indexed, strict=True) if term in text.split()}


def test_bodies_names_paths_and_commands_are_found_and_told_apart(store: Store) -> None:
    evidence = Evidence("make bench-drain", "ok", digest("out"), 0, 5)
    memories.insert(store, memory("a1", body="The queue drains slowly", anchors=()))
    memories.insert(store, memory("b2", body="other", anchors=(anchor("src/x.py", "Worker.drainQueue"),)))
    memories.insert(store, memory("c3", body="other", anchors=(anchor("src/drain/y.py", "f"),)))
    memories.insert(store, memory("d4", body="other", anchors=(), evidence=evidence))
    assert {one.id: holding(one, "drain") for one in leading(store, '"drain"')} == {
        "a1": {"body"},
        "b2": {"names"},
        "c3": {"paths"},
        "d4": {"commands"},
    }


def test_nearness_brings_what_words_do_not(store: Store) -> None:
    memories.insert(store, memory("a1", anchors=(anchor("src/a.py"),)))
    memories.insert(store, memory("b2", anchors=(anchor("src/deep/b.py"),)))
    memories.insert(store, memory("c3", anchors=(anchor("top.py"),)))
    assert lead(store, "", near_paths=["src/a.py"]) == ["a1"]
    assert lead(store, "", near_folders=["src"]) == ["a1"]
    assert lead(store, "", near_folders=[""]) == ["c3"]
    assert lead(store, "batch size", near_paths=["src/a.py"]) == ["a1", "b2", "c3"]


def test_a_followed_anchor_is_near_where_the_code_is_now(store: Store) -> None:
    [kept] = memories.insert(store, memory("a1")).anchors
    fates.put_many(store, [FateRow(kept.id, 0, Fate("followed", at=Slot("new/place.py", "seed")))])
    [one] = leading(store, "", near_paths=["new/place.py"])
    assert one.ties == (
        leads.Tie(kept.id, "src/queue.py", "ScanQueue.seed", "", "followed", "new/place.py", "seed", ""),
    )
    [hit] = ask(store, "", ids=["a1"])
    assert hit.fates == {kept.id: Fate("followed", at=Slot("new/place.py", "seed"))}
    assert ids(search.on_paths(store, ["new/place.py"])) == ["a1"]


def test_the_dead_and_hidden_come_by_id_only(store: Store) -> None:
    for name in ("a1", "b2", "c3", "d4"):
        memories.insert(store, memory(name))
    memories.set_archived(store, "a1", 5, archived=True)
    memories.forget(store, "b2", 5)
    links.supersede(store, "d4", "c3", 5)
    assert lead(store, "batch size", near_paths=["src/queue.py"], near_folders=["src"]) == ["d4"]
    assert ids(ask(store, "batch size")) == ["d4"]
    assert ids(ask(store, "", ids=["a1", "b2", "c3", "zz"])) == ["a1", "b2", "c3"]
    assert ids(search.standing(store)) == ["a1", "d4"]
    assert ids(search.in_slots(store, [("src/queue.py", "ScanQueue.seed", "")])) == ["d4"]


def test_kinds_restrict_what_words_and_places_bring(store: Store) -> None:
    memories.insert(store, memory("a1", kind="fact"))
    memories.insert(store, memory("b2", kind="decision"))
    assert lead(store, "batch size", kinds=["decision"]) == ["b2"]
    assert lead(store, "batch size", kinds=["decision"], near_paths=["src/queue.py"]) == ["b2"]
    assert lead(store, "batch size", kinds=["decision", "fact"], limit=1) == ["b2"]  # of equal ones the latest


def test_the_limit_keeps_the_best(store: Store) -> None:
    with store.writing():
        for number in range(30):
            memories.insert(store, memory(f"a{number:02}", body="size " * (1 + number), anchors=()))
        memories.insert(store, memory("best", body="batch", anchors=()))
    best = ids(ask(store, "batch size", limit=5))
    assert (best[0], len(best)) == ("best", 5)
    assert lead(store, "batch size", limit=5) == sorted(best)
    assert len(lead(store, "batch size", limit=31)) == 31


def test_a_lead_has_what_ranking_needs(store: Store) -> None:
    memories.insert(store, memory("x000000001"))
    stored = memories.insert(store, replace(full_memory(), archived=False))
    [one] = [each for each in leading(store, '"50"') if each.id == stored.id]
    assert (one.body, one.source, one.imported, one.updated_at) == (
        stored.body,
        stored.source,
        stored.imported,
        stored.updated_at,
    )
    assert stored.evidence
    assert (one.command, one.contradicted) == (stored.evidence.command, True)
    assert [(tie.anchor, tie.path, tie.qualified) for tie in one.ties] == [
        (each.id, each.slot.path, each.slot.qualified) for each in stored.anchors
    ]
    assert {tie.fate for tie in one.ties} == {None}


def test_a_hit_carries_the_whole_memory_but_for_anchored_text(store: Store) -> None:
    memories.insert(store, memory("x000000001"))
    stored = memories.insert(store, replace(full_memory(), archived=False))
    [hit] = ask(store, "", ids=[stored.id])
    assert hit.memory == replace(stored, anchors=tuple(replace(each, text=None) for each in stored.anchors))
    assert hit.contradicted_by == ("x000000001",)


def test_what_is_shown_has_another_version_after_each_change_of_it(store: Store) -> None:
    seen = {leads.version(store)}
    stored = memories.insert(store, memory("a1"))
    seen.add(leads.version(store))
    row = FateRow(stored.anchors[0].id, 0, Fate("fresh", at=stored.anchors[0].slot))
    for fate in (row, replace(row, fate=Fate("gone"))):
        with open_store(store.directory, store.checkout_key) as other:
            fates.put_many(other, [fate])
        seen.add(leads.version(store))
    with open_store(store.directory, store.checkout_key) as other:
        memories.forget(other, "a1", 5)
    seen.add(leads.version(store))
    assert len(seen) == 5


def test_what_is_not_shown_leaves_the_version(store: Store) -> None:
    memories.insert(store, memory("a1"))
    before = leads.version(store)
    with store.writing(patient=False):
        memories.count_recalls(store, ["a1"], 5)
    with open_store(store.directory, store.checkout_key) as other:
        files.put_many(other, [state("a.py")])
        files.put_stamps(other, {"indexed_at": "5"})
        fates.outdate(other)
    assert leads.version(store) == before


def test_what_was_forgotten_since_it_was_chosen_does_not_come(store: Store) -> None:
    memories.insert(store, memory("a1"))
    memories.insert(store, memory("b2"))
    chosen = leads.chosen(store, '"batch"')
    memories.forget(store, "a1", 5)
    assert [one.id for one in leads.leads(store, chosen).values()] == ["b2"]


def test_document_frequencies_count_what_can_be_found(store: Store) -> None:
    memories.insert(store, memory("a1", body="queue queue"))
    memories.insert(store, memory("b2", body="queue"))
    memories.insert(store, memory("c3", body="queue"))
    memories.forget(store, "c3", 5)
    assert search.document_frequencies(store, significant("queue of nothing")) == {"queue": 2}
    assert search.documents(store) == 2


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(task=st.text(max_size=60))
def test_any_text_is_a_valid_question(store: Store, task: str) -> None:
    assert ask(store, task) == []
    assert lead(store, task) == []
    assert search.document_frequencies(store, significant(task)) == {}


def test_the_index_stays_in_few_pieces(store: Store) -> None:
    for number in range(40):
        memories.insert(store, memory(f"a{number:02}", body=f"word{number} of many", anchors=()))
    assert store.rows("SELECT count(DISTINCT segid) FROM main.search_idx")[0][0] <= 4  # ten, left alone


def test_unanchored_ones_are_found_as_such(store: Store) -> None:
    memories.insert(store, memory("a1"))
    memories.insert(store, memory("b2", anchors=()))
    assert ids(search.unanchored(store)) == ["b2"]


def test_outlines_name_only_what_is_unwell(store: Store) -> None:
    stored = memories.insert(store, memory("a1", anchors=(anchor(), anchor("b.py"), anchor("c.py"), anchor("d.py"))))
    memories.insert(store, replace(full_memory(), anchors=()))
    named = ("fresh", ""), ("stale", "body_edited"), ("stale", "body_edited")
    fates.put_many(
        store,
        [FateRow(a.id, 0, Fate(n, r)) for a, (n, r) in zip(stored.anchors, named, strict=False)],  # type: ignore[arg-type]  # literals
    )
    first, second = outlines.outlines(store)
    assert (first.id, first.anchors, first.has_evidence) == ("a1", 4, False)
    assert first.unwell == (("stale", "body_edited"), ("unknown", "pending"))
    assert (second.anchors, second.unwell, second.has_evidence, second.approved) == (0, (), True, False)


# ── damage ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def break_search(store: Store, statement: str) -> None:
    with store.writing():
        store.run(statement)
    store._connection.execute("PRAGMA writable_schema = RESET")


BREAKS = (
    "UPDATE main.search_data SET block = x'0102'",
    "DELETE FROM main.search_data",
    "DELETE FROM main.search_content",
    "DELETE FROM main.search_docsize",
    "DROP TABLE main.search_idx",
)


@pytest.mark.parametrize("statement", BREAKS)
def test_a_damaged_index_is_noticed_and_rebuilt(store: Store, statement: str) -> None:
    with store.writing():
        for number in range(50):
            memories.insert(store, memory(f"a{number:02}", anchors=()))
    assert search.sound(store)
    break_search(store, statement)
    assert not search.sound(store)
    assert search.ensure(store, "1.0")
    assert search.sound(store)
    assert len(ask(store, "batch size")) == 50
    assert not search.ensure(store, "1.0")
    assert search.ensure(store, "1.1")


@pytest.mark.parametrize("statement", BREAKS[:4])
def test_writing_goes_on_over_a_damaged_index(store: Store, statement: str) -> None:
    memories.insert(store, memory("a1"))
    break_search(store, statement)
    memories.replace(store, replace(memories.one(store, "a1"), body="The drain is slow"), "update", 5)
    memories.insert(store, memory("b2"))
    search.ensure(store, "1.0")
    assert set(ids(ask(store, "drain batch"))) == {"a1", "b2"}


def test_a_question_over_a_damaged_index_is_answered(store: Store) -> None:
    memories.insert(store, memory("a1"))
    break_search(store, "DROP TABLE main.search_data")
    try:
        found = lead(store, "batch size")
    except StoreError as error:
        pytest.fail(f"{error.code}: {error.message}")
    assert found == ["a1"]
    assert store.notices()
    break_search(store, "DROP TABLE main.search_data")
    assert ids(ask(store, "batch size")) == ["a1"]


def test_a_proved_slot_is_searched_after_the_next_change(store: Store) -> None:
    [kept] = memories.insert(store, memory("a1")).anchors
    anchors.add_slot(store, kept.id, Slot("lib/renamed.py", "other"))
    assert ids(search.in_slots(store, [("lib/renamed.py", "other", "")])) == ["a1"]

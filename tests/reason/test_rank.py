"""Text relevance decides, an absolute floor cuts, and the order is one and the same however the candidates come."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.model import Source, Status
from anchormem.reason import rank
from anchormem.reason.folding import copies
from anchormem.reason.rank import Candidate, Corpus, Nearness, nearness, query
from anchormem.text import terms

NOTES = {
    "outbox": "The outbox is drained by one worker every five seconds; the batch size is 50 because SMTP limits it.",
    "users": "`getUserById` consults the LRU cache before the database.",
    "invoice": "Invoices are immutable once sent; corrections need a credit note.",
    "backup": "Backups run daily and the last three are retained.",
    "flags": "The feature flag client falls back to defaults when the server is unreachable.",
    "queue": "批量大小为 50\uff0c因为邮件服务器限制每次连接的数量",
    "stock": "Cancelling an order restores stock only if it was not shipped.",
    "logs": "Logs are JSON lines with a request id.",
}


def candidates(notes: dict[str, str] = NOTES, **more: object) -> list[Candidate]:
    made = [Candidate(name, {"body": body, "symbol": "", "path": "", "command": ""}) for name, body in notes.items()]
    return [replace(one, **more) for one in made]  # type: ignore[arg-type]  # fields of Candidate


def corpus(of: list[Candidate]) -> Corpus:
    held = [{term for text in one.fields.values() for term in terms.terms(text)} for one in of]
    return Corpus(len(of), Counter(term for each in held for term in each))


def ranked(task: str, of: list[Candidate]) -> rank.Ranking:
    return rank.rank(query(task), of, corpus(of))


def first(task: str) -> str:
    return ranked(task, candidates()).items[0].candidate.id


@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        ("what is the batch size of the outbox", "outbox"),
        ("user by id", "users"),
        ("where does getUserById look first", "users"),
        ("edit an invoice after it was sent", "invoice"),
        ("how many backups are kept", "backup"),
        ("怎么修改批量大小", "queue"),
        ("order cancelled, what about the stock", "stock"),
        (
            "I am about to rewrite how the outbox worker sends mail, what should I know about batches and SMTP?",
            "outbox",
        ),
    ],
)
def test_the_right_memory_comes_first(task: str, wanted: str) -> None:
    assert first(task) == wanted


def test_kin_words_find_what_own_words_miss() -> None:
    assert first("how many snapshots are preserved") == "backup"


@pytest.mark.parametrize("task", ["gpu driver version", "how is the kafka consumer rebalanced", "语音识别模型"])
def test_a_question_about_something_else_returns_nothing(task: str) -> None:
    assert ranked(task, candidates()).items == ()


def test_weak_hits_are_counted_and_not_returned() -> None:
    found = ranked("is the server of the translation memory certified for arabic dialects", candidates())
    assert found.items == ()
    assert "flags" in {one.candidate.id for one in found.weak}
    assert found.omitted_reason == "relevance_floor"


def test_a_store_of_one_memory_answers_about_it() -> None:
    (alone,) = candidates({"outbox": NOTES["outbox"]})
    assert ranked("batch size limit of the outbox worker", [alone]).items


def test_all_words_found_is_nearly_full_relevance_and_none_is_zero() -> None:
    found = ranked("batch size SMTP", candidates())
    assert found.items[0].relevance > 0.8
    assert all(0 < one.relevance <= 1 for one in (*found.items, *found.weak))


def test_of_what_may_answer_a_few_are_returned_and_the_others_counted() -> None:
    notes = {name: f"The {name} importer refuses rows without a customer." for name in "abcdefgh"}
    found = ranked("why does the importer stall on Mondays after refusing rows", candidates({**NOTES, **notes}))
    assert len(found.items) == rank.GUESSES
    assert len(found.weak) >= len(notes) - rank.GUESSES
    assert found.omitted_reason == "relevance_floor"


def test_all_that_surely_answers_is_returned() -> None:
    notes = {name: f"The {name} importer refuses rows without a customer." for name in "abcdefgh"}
    assert len(ranked("importer refuses rows", candidates({**NOTES, **notes})).items) == len(notes)


def test_a_guess_far_behind_the_best_is_not_returned() -> None:
    notes = {
        "best": "The importer stalls on Mondays while the ledger is closed.",
        "behind": "The importer logs the ledger of every customer to standard error.",
    }
    found = ranked("what makes the importer stall on Mondays, the ledger or customers", candidates({**NOTES, **notes}))
    assert [one.candidate.id for one in found.items] == ["best"]
    assert "behind" in {one.candidate.id for one in found.weak}


def test_a_name_written_out_is_what_a_question_is_about() -> None:
    notes = {"z": "`drain_outbox` holds a lease.", "a": "Alerts fire at night."}
    assert ranked("drain_outbox alerts", candidates({**NOTES, **notes})).items[0].candidate.id == "z"


def test_no_source_status_or_place_moves_an_item_over_the_floor() -> None:
    strong = candidates(source="verified", status="active", nearness="same_file")
    weak = candidates(source="mined", status="invalidated", nearness="", imported=True)
    for task in ("batch size", "server certified for arabic dialects", "id", "three"):
        above = [{one.candidate.id for one in ranked(task, of).items} for of in (strong, weak)]
        assert above[0] == above[1]


def placed(*better: Candidate) -> list[str]:
    return [one.candidate.id for one in ranked("batch size of the queue", list(better)).items]


def twin(name: str, **more: object) -> Candidate:
    (made,) = candidates({name: "The batch size of the queue is 50."}, **more)
    return made


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"nearness": "same_file"}, {"nearness": "imports"}),
        ({"nearness": "imports"}, {"nearness": "same_directory"}),
        ({"nearness": "same_directory"}, {"source": "verified"}),
        ({"source": "verified"}, {"source": "explicit"}),
        ({"source": "explicit"}, {"source": "mined"}),
        ({"source": "explicit"}, {"source": "explicit", "imported": True}),
        ({"source": "explicit", "status": "stale"}, {"source": "mined", "status": "active"}),
        ({"source": "explicit", "status": "active"}, {"source": "verified", "status": "stale"}),
        ({"status": "active"}, {"status": "stale"}),
        ({"status": "stale"}, {"status": "invalidated"}),
        ({"at": 2}, {"at": 1}),
        ({"status": "active", "at": 1}, {"status": "invalidated", "at": 2}),
    ],
)
def test_among_equal_texts_place_then_source_then_status_then_youth_decide(
    better: dict[str, object], worse: dict[str, object]
) -> None:
    assert placed(twin("z", **better), twin("a", **worse)) == ["z", "a"]


def test_text_outweighs_everything_else() -> None:
    (aside,) = candidates(
        {"a": "The queue is old."}, nearness="same_file", source="verified", status="active", at=10**13
    )
    assert placed(twin("z", source="mined", status="invalidated"), aside)[0] == "z"


def test_full_ties_are_settled_by_id() -> None:
    assert placed(twin("b"), twin("c"), twin("a")) == ["a", "b", "c"]


def test_why_adds_up_to_the_score() -> None:
    (one,) = ranked("batch size", [twin("a", nearness="imports", source="verified")]).items
    assert set(one.why) == {"text", "nearness", "source", "status", "score"}
    assert one.why["score"] == pytest.approx(one.score)
    assert one.why["text"] == one.relevance
    assert rank.matched(query("batch size"), one.candidate) == "batch size"


def test_symbols_paths_and_commands_are_searched() -> None:
    made = Candidate(
        "a",
        {
            "body": "Half to even.",
            "symbol": "Money.round",
            "path": "src/billing/money.py",
            "command": "pytest -k cents",
        },
    )
    others = candidates()
    for task in ("Money.round", "billing money", "src/billing/money.py", "pytest cents"):
        assert ranked(task, [made, *others]).items[0].candidate.id == "a"


def test_without_words_what_is_near_the_working_set_is_returned() -> None:
    near: list[tuple[str, Nearness]] = [("a", "same_directory"), ("b", "same_file"), ("c", "imports"), ("d", "")]
    found = ranked(" ?! ", [twin(name, nearness=at) for name, at in near])
    assert [one.candidate.id for one in found.items] == ["b", "c", "a"]
    assert found.weak == ()


def test_more_hits_lead_even_where_a_long_task_is_covered_over_and_over() -> None:
    words = ["alpha", "bravo", "charlie", "echo", "foxtrot", "golf", "hotel", "juliet", "kilo", "lima", "oscar", "papa"]
    (few, many) = candidates({"few": " ".join(words[:6]), "many": " ".join(words[:9])})
    items = ranked(" ".join(words), [few, many]).items
    assert [one.candidate.id for one in items] == ["many", "few"]
    assert items[1].relevance < items[0].relevance <= 1


def test_a_long_body_is_not_relevant_by_its_length() -> None:
    words = " ".join(f"subject{number} matter{number}" for number in range(2000))
    short, long = twin("short"), Candidate("long", {"body": f"{words} batch size queue"})
    assert ranked("batch size of the queue", [long, short]).items[0].candidate.id == "short"


def test_near_copies_are_named_by_position_and_corrections_are_not() -> None:
    notes = {"a": "Batch size is 50", "b": "batch size: 50", "c": "batch size is 100", "d": "batch size is set to 50"}
    items = ranked("batch size", candidates(notes)).items
    at = {one.candidate.id: position for position, one in enumerate(items)}
    same = copies(items)
    found = {(one, other) for other in range(len(items)) for one in range(other) if same(one, other)}
    assert found == set(combinations(sorted((at["a"], at["b"], at["d"])), 2))


def test_a_stale_copy_is_not_folded_into_an_active_one() -> None:
    items = ranked("batch size", [twin("a"), twin("b", status="stale")]).items
    assert not copies(items)(0, 1)


@pytest.mark.parametrize(
    ("paths", "near"),
    [
        (["src/a.py"], "same_file"),
        (["src/other/z.py", "lib/b.py"], "imports"),
        (["src/c.py"], "same_directory"),
        (["src/deep/c.py"], ""),
        (["top.py"], ""),
        ([], ""),
    ],
)
def test_nearness_is_the_closest_relation_to_the_working_set(paths: list[str], near: str) -> None:
    assert nearness(paths, ["src/a.py"], frozenset({"lib/b.py"})) == near


sources: list[Source] = ["verified", "explicit", "mined"]
statuses: list[Status] = ["active", "stale", "invalidated", "unknown"]
nears: list[Nearness] = ["", "same_file", "imports", "same_directory"]
candidate_lists = st.lists(
    st.builds(
        Candidate,
        id=st.text("abcdef", min_size=3, max_size=6),
        fields=st.fixed_dictionaries({"body": st.sampled_from(sorted(NOTES.values())) | st.text(max_size=30)}),
        source=st.sampled_from(sources),
        imported=st.booleans(),
        status=st.sampled_from(statuses),
        at=st.integers(0, 3),
        nearness=st.sampled_from(nears),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)


@settings(max_examples=150, deadline=None)
@given(
    candidate_lists,
    st.sampled_from(["batch size outbox", "user id", "批量大小", "", "server"]) | st.text(max_size=20),
    st.randoms(),
)
def test_the_order_is_total_and_does_not_depend_on_how_candidates_come(
    of: list[Candidate], task: str, chance: object
) -> None:
    shuffled = list(of)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # a random.Random
    told = corpus(of)
    one, other = rank.rank(query(task), of, told), rank.rank(query(task), shuffled, told)
    assert one == other
    assert len({item.candidate.id for item in (*one.items, *one.weak)}) == len(one.items) + len(one.weak)

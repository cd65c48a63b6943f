"""Near copies among what is ranked: what the index says spares taking most bodies apart, and changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.reason.folding import copies, of_index, unlike
from anchormem.reason.rank import Candidate, Ranked
from anchormem.reason.similar import gist, near_copy
from anchormem.text.terms import terms

PIECES = st.sampled_from(
    """the a batch batches queue queues worker workers case 17 step 3 row 12, 1,000 1.5 v1.2.3 1.2a 5ms 5 ms 30 seconds
    10x 2nd -4 is not never isn't don't vendor's getUserById batch_size batch-size SCAN_QUEUE store/scan.py a.b.c x::y
    "quoted name" `ticked` 50% UTF8 e2e retries retry . ; ! ? , : ( ) _ - ' = 5mb_x 1e5 0x1F $HOME K8s 007""".split()  # noqa: SIM905 (pieces to read, not quoted words)
)
TEXTS = st.lists(st.one_of(PIECES, st.text(st.characters(codec="ascii"), max_size=4)), max_size=25)
BODIES = st.tuples(TEXTS, st.sampled_from([" ", " ", "", "\n"])).map(lambda pair: pair[1].join(pair[0]))


def candidate(body: str, name: str = "a") -> Candidate:
    return Candidate(name, {"body": body}, indexed=(" ".join(terms(body)), "", "", ""))


@settings(max_examples=150, deadline=None)
@given(BODIES)
def test_the_index_tells_every_word_and_number_of_a_gist(body: str) -> None:
    known = of_index(candidate(body))
    said = gist(body)
    assert known is None or (all(map(known.may_hold, said.words)) and all(map(known.may_say, said.numbers)))


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.data())
def test_no_near_copy_is_passed_over(pieces: list[str], data: st.DataObject) -> None:
    other = [data.draw(PIECES) if data.draw(st.integers(0, 5)) == 0 else piece for piece in pieces]
    one, two = " ".join(pieces), " ".join(other)
    known = of_index(candidate(two))
    assert known is None or not (near_copy(gist(one), gist(two)) and unlike(gist(one), known))


def test_a_text_with_just_enough_common_words_is_looked_at() -> None:
    words = [f"zq{chr(97 + at)}" for at in range(20)]
    enough, short = (of_index(candidate(" ".join(words[:count]))) for count in (13, 12))
    assert enough is not None
    assert short is not None
    assert not unlike(gist(" ".join(words)), enough)
    assert unlike(gist(" ".join(words)), short)


def test_kin_words_are_looked_at_as_far_as_they_count() -> None:
    same = "zqa zqb zqc zqd zqe zqf"
    known = of_index(candidate(f"{same} remove folder error fast"))
    assert known is not None
    assert not unlike(gist(f"{same} delete directory exception quick"), known)
    assert unlike(gist(f"{same} zqg zqh zqi zqj"), known)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [("640", "1,280", True), ("1,280", "1_280", False), ("two", "2", False), ("120 s", "2 min", False)],
)
def test_another_number_is_told_by_the_text_alone(one: str, other: str, *, told: bool) -> None:
    known = of_index(candidate(f"The worker polls the queue at most {other} times"))
    assert known is not None
    assert unlike(gist(f"The worker polls the queue at most {one} times"), known) is told


def test_copies_are_told_by_what_is_said_and_by_status() -> None:
    said = "The worker polls the queue at most three times before it stops"
    bodies = [said, "Exports are written once a day by the night job", said + " at all"]
    ranked = [Ranked(candidate(body, name), 1.0, 1.0) for name, body in zip("abc", bodies, strict=True)]
    assert copies(ranked)(0, 2)
    assert not copies(ranked)(0, 1)
    unlike = Ranked(Candidate("d", {"body": said}, status="stale"), 1.0, 1.0)
    assert not copies([ranked[0], unlike])(0, 1)

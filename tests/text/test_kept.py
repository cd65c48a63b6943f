"""What is kept in mind of texts: the right answers, of the last texts, and never more than was allowed."""

import weakref

from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.reason.similar import KEPT, gist
from anchormem.text.kept import ENTRY, kept
from anchormem.text.terms import words

ROOM = 20 * (ENTRY + 10)  # twenty texts of ten characters


class Answer:
    """Can be asked whether anybody holds it still."""

    def __init__(self, text: str) -> None:
        self.text = text


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=30) | st.sampled_from(("a", "b" * ROOM, "")), max_size=80))
def test_an_answer_is_that_of_its_text_in_any_order_of_asking(texts: list[str]) -> None:
    answer = kept(ROOM)(str.upper)
    assert [answer(text) for text in texts] == [text.upper() for text in texts]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 60).flatmap(lambda size: st.text("ab", min_size=size, max_size=size)), max_size=80))
def test_what_is_kept_is_never_more_than_was_allowed(texts: list[str]) -> None:
    alive: weakref.WeakSet[Answer] = weakref.WeakSet()

    @kept(ROOM)
    def answer(text: str) -> Answer:
        made = Answer(text)
        alive.add(made)
        return made

    for text in texts:
        answer(text)
        assert sum(len(one.text) + ENTRY for one in alive) <= ROOM


def test_what_is_asked_for_again_and_again_is_found_out_once_whatever_comes_between() -> None:
    asked: list[str] = []

    @kept(ROOM)
    def answer(text: str) -> str:
        asked.append(text)
        return text

    for number in range(200):
        answer("the one")
        answer(f"other {number:4}")
    assert asked.count("the one") == 1
    assert len(asked) == 201


def test_bodies_that_are_gone_are_forgotten_also_when_they_were_pages() -> None:
    said, told = gist("a note of before"), words("a note of before")
    assert gist("a note of before") is said
    assert words("a note of before") is told
    for number in range(KEPT // 2000 + 1):
        gist(f"{number} " + "x" * 2000)
        words(f"{number} " + "x" * 1990)
    assert gist("a note of before") is not said
    assert words("a note of before") is not told

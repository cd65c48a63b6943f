"""What changed in a few words, and whether it touches what a memory says."""

import pytest

from anchormem.reason.change import SIDE, describe, touching
from anchormem.reason.diff import unified


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def change(old: str, new: str, body: str = "") -> tuple[str, bool]:
    made = describe(old, new, words(old), words(new), body)
    return made.summary, made.touches


def test_one_changed_token_is_shown_on_both_sides() -> None:
    assert change("limit = 50 ;", "limit = 200 ;") == ("50 → 200", False)


def test_a_long_token_is_cut_on_each_side() -> None:
    summary, _ = change("x = " + "a" * 90, "x = " + "b" * 90)
    left, right = summary.split(" → ")
    assert len(left) == len(right) == SIDE
    assert left.endswith("…")


def test_a_long_token_shows_the_place_that_changed() -> None:
    old, new = (f'"the quick brown fox jumps over the lazy dog near the {it} bank of it"' for it in ("river", "sea"))
    before, after = describe(old, new, [old], [new], "").summary.split(" → ")
    assert "river" in before
    assert "sea" in after
    assert max(len(before), len(after)) <= SIDE


def test_more_than_one_token_counts_lines() -> None:
    assert change("a = 1\nb = 2\nc = 3", "a = 1\nb = 4 + 5\nd = 6\ne = 7")[0] == "+3 −2 lines"


def test_a_change_outside_the_lines_of_the_definition_is_only_edited() -> None:
    assert describe("v = 2", "v = 2", words("const v = 2"), words("let v = 2 ;"), "").summary == "edited"


def test_an_added_line_counts_alone() -> None:
    assert change("a\nb", "a\nx y\nb")[0] == "+1 −0 lines"


def test_secret_shaped_code_is_only_edited() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert change("token = none", f"token = {secret}")[0] == "edited"


def test_code_whose_text_was_not_kept_is_only_edited() -> None:
    assert describe(None, "a = 1", (), (), "a is 1").summary == "edited"


@pytest.mark.parametrize(
    ("old", "new", "body", "touches"),
    [
        ("limit = 50", "limit = 200", "the batch size is 50", True),
        ("limit = 500", "limit = 200", "the batch size is 50", False),
        ("limit = 50", "limit = 200", "ends with 50.", True),
        ("call ( retries )", "call ( attempts )", "retries are unbounded", True),
        ("if x", "for x", "if it fails, wait for it", False),
        ("open ( 'a.db' )", "open ( 'b.db' )", "the cache lives in a.db", True),
        ("limit = 50", "limit = 50", "the batch size is 50", False),
        ("f ( 1 , 2 )", "f ( 2 , 1 )", "second argument is 2", True),
        ("a + b", "a - b", "a + b is summed", False),
    ],
)
def test_touches_means_a_number_string_or_name_of_the_body(old: str, new: str, body: str, *, touches: bool) -> None:
    assert touching(words(old), words(new), body) is touches


def test_a_diff_shows_both_sides() -> None:
    shown = unified("a\nb\n", "a\nc\n", label="src/a.py::f")
    assert "-b" in shown
    assert "+c" in shown
    assert unified("a", "a") == ""


def test_a_long_diff_is_cut_and_says_so() -> None:
    shown = unified("\n".join(map(str, range(3000))), "", limit=500)
    assert len(shown) < 600
    assert shown.endswith("more lines")

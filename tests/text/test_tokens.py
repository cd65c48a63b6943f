"""Tokens are bytes divided by four, rounded up, on both sides of every receipt."""

import pytest

from anchormem.text.tokens import estimate


@pytest.mark.parametrize(
    ("content", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("字字", 2), (b"12345", 2)],
)
def test_tokens_are_a_quarter_of_the_bytes_rounded_up(content: str | bytes, tokens: int) -> None:
    assert estimate(content) == tokens


def test_a_lone_surrogate_is_counted_and_breaks_nothing() -> None:
    assert estimate("\ud800") == 1

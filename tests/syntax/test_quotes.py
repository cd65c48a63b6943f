"""Quotes: located in the source, kept as the tokens they have there, counted as token sequences."""

import pytest

from anchormem.errors import Refused
from anchormem.model import Symbol
from anchormem.syntax.facts import facts_of
from anchormem.syntax.quotes import count, quote_tokens

SOURCE = b"""\
LIMIT = 50

class Queue:
    def seed(self, limit=50):
        # start small
        batch = self.take(limit, size=50)  # the batch size
        log("the batch size is 50", 'it''s fine')
        return self.seed(limit - 1) if batch else None

    def take(self, limit, size): return [limit] * size
"""


def symbol(name: str, source: bytes = SOURCE) -> Symbol:
    return next(found for found in facts_of(source, "python").symbols if found.qualified == name)


def found(snippet: str, name: str | None = "Queue.seed") -> tuple[str, ...]:
    return quote_tokens(SOURCE, "python", symbol(name) if name else None, snippet)


def occurrences(tokens: tuple[str, ...], source: bytes, name: str | None = "Queue.seed") -> int:
    return count(source, "python", symbol(name, source) if name else None, tokens)


def test_a_quote_is_kept_as_its_tokens() -> None:
    assert found("size=50") == ("size", "=", "50")


@pytest.mark.parametrize("snippet", ["size=50", "size = 50", "size=\n    50", "  size=50  "])
def test_layout_in_a_quote_does_not_matter(snippet: str) -> None:
    assert found(snippet) == ("size", "=", "50")


def test_comments_inside_a_quote_do_not_matter() -> None:
    whole = '(limit, size=50)  # the batch size\n        log("the batch size is 50"'
    assert found(whole) == found('(limit, size=50) log("the batch size is 50"')


def test_reformatting_and_comments_keep_a_quote() -> None:
    tokens = found("self.take(limit, size=50)")
    changed = SOURCE.replace(
        b"take(limit, size=50)", b"take(\n            limit,  # why\n            size=50,\n        )"
    )
    assert occurrences(tokens, SOURCE) == 1
    assert occurrences(tokens, changed) == 1


def test_an_edit_loses_a_quote() -> None:
    tokens = found("size=50")
    assert occurrences(tokens, SOURCE.replace(b"size=50", b"size=200")) == 0


def test_a_quote_of_the_file_counts_everywhere() -> None:
    tokens = found("50", None)
    assert occurrences(tokens, SOURCE, None) == 3


def test_a_quote_survives_the_rename_of_its_definition_and_class() -> None:
    tokens = found("return self.seed(limit - 1)")
    renamed = SOURCE.replace(b"seed", b"sow").replace(b"Queue", b"Row")
    assert count(renamed, "python", symbol("Row.sow", renamed), tokens) == 1


@pytest.mark.parametrize("snippet", ["batch size is", "the batch size is 50", "size is 50"])
def test_a_quote_may_be_part_of_a_text(snippet: str) -> None:
    tokens = found(snippet)
    assert occurrences(tokens, SOURCE) == 1
    assert occurrences(tokens, SOURCE.replace(b"is 50", b"is 60")) == (1 if snippet == "batch size is" else 0)
    assert occurrences(tokens, SOURCE.replace(b"size is", b"size  is")) == 0


def test_a_quote_may_end_or_begin_within_a_text() -> None:
    ends = found('log("the batch')
    begins = found("size is 50\", 'it''s fine')")
    assert occurrences(ends, SOURCE) == 1
    assert occurrences(begins, SOURCE) == 1
    changed = SOURCE.replace(b'"the batch', b'"a batch')
    assert occurrences(ends, changed) == 0
    assert occurrences(begins, changed) == 1


@pytest.mark.parametrize(
    "snippet", ["", "  \n ", "# start small", "start small", "imit", "self.tak", "size=5", "size=51", "nothing"]
)
def test_a_quote_without_tokens_with_part_of_one_or_not_there_is_refused(snippet: str) -> None:
    with pytest.raises(Refused):
        found(snippet)


def test_a_quote_outside_its_symbol_is_refused() -> None:
    with pytest.raises(Refused):
        found("LIMIT = 50")


def test_text_without_a_grammar_is_quoted_by_words() -> None:
    text = b"The batch size is 50.\nNothing else."
    tokens = quote_tokens(text, None, None, "size  is\n50")
    assert tokens == ("size", "is", "50")
    assert count(text, None, None, tokens) == 1
    with pytest.raises(Refused):
        quote_tokens(text, None, None, "atch size")


def test_carriage_returns_change_no_quote() -> None:
    tokens = found("size=50")
    assert occurrences(tokens, SOURCE.replace(b"\n", b"\r\n")) == 1
    assert quote_tokens(SOURCE, "python", symbol("Queue.seed"), "size=\r\n50") == tokens

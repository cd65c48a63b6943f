"""The one tokeniser, for what is written and for what is asked. Knows nothing of SQL; it only spells FTS5 expressions.

How the store uses it: index `" ".join(terms(text))` in an FTS5 column, ask with `fts_expression(significant(task))`.
"""

from collections.abc import Iterable

MAX_QUERY_TERMS = 96


def terms(text: str) -> list[str]:
    """Index terms of a text, in order, with repetitions, stop words included. Any text, any length.

    Words are folded (NFKC, case, accents) and stemmed (English); an identifier gives its whole form without separators
    (`getUserById`, `get_user_by_id`, `get-user-by-id`: `getuserbyid`) and its parts; Chinese, Japanese and Korean give
    overlapping bigrams and, so that one-character queries work, single characters.
    """
    raise NotImplementedError


def significant(text: str) -> list[str]:
    """Distinct query terms of a task, in order, at most MAX_QUERY_TERMS. No stop words unless there is nothing else."""
    raise NotImplementedError


def fts_expression(wanted: Iterable[str]) -> str:
    """`"a" OR "b"` for FTS5 MATCH; "" when there is no term, and then no MATCH may be run."""
    raise NotImplementedError


def surface(text: str) -> tuple[str, ...]:
    """The significant words of a task as they stand there, in task order, distinct."""
    raise NotImplementedError


def words(text: str) -> frozenset[str]:
    """Folded, unstemmed words and identifier parts of a text: what "found verbatim" means."""
    raise NotImplementedError


def found(wanted: Iterable[str], text: str, limit: int = 3) -> str:
    """The first `limit` of the surface words that occur verbatim in the text, joined by blanks: the item's `matched`."""
    raise NotImplementedError

"""Words that programmers use for one another, so that a question need not hold the memory's own words.

A kin word counts less than the word itself (reason.rank says how much less). One row is one sense; a word may stand in
several rows. Chinese words stand with the English ones: they are sought as they are in a question's CJK runs.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

from anchormem.text.kin_rows import ROWS
from anchormem.text.terms import stem

CLOSE = 3  # letters that a word shares with its own stem, so that only few rows need stemming
CJK_WORD = 2  # longer Chinese words are several terms, and any one of them would be too weak a hit


@lru_cache(maxsize=1 << 12)
def kin(term: str) -> tuple[str, ...]:
    """The index terms that may stand for an index term (a stem, or a Chinese bigram), in table order."""
    rows = (row for row in _rows().get(term[:CLOSE], ()) if term in _spelled(row))
    return tuple(dict.fromkeys(other for row in rows for other in _spelled(row) if other != term))


@cache
def _rows() -> Mapping[str, tuple[str, ...]]:
    """The rows by the first letters of their words."""
    rows: dict[str, dict[str, None]] = {}
    for row in ROWS.strip().splitlines():
        for word in row.split():
            rows.setdefault(word[:CLOSE], {})[row] = None
    return {head: tuple(found) for head, found in rows.items()}


@cache
def _spelled(row: str) -> tuple[str, ...]:
    words = (word for word in row.split() if word.isascii() or len(word) <= CJK_WORD)
    return tuple(dict.fromkeys(stem(word.replace("-", "")) for word in words))

"""Snippets that must keep occurring, token for token, inside a symbol or a file."""

from anchormem.model import Symbol


def quote_tokens(source: bytes, language: str | None, symbol: Symbol | None, snippet: str) -> tuple[str, ...]:
    """The in-context tokens of `snippet` inside the symbol (None: the file).

    Refused: a snippet without tokens, one with part of a token (except inside text), one that does not occur.
    """
    raise NotImplementedError


def count(source: bytes, language: str | None, symbol: Symbol | None, tokens: tuple[str, ...]) -> int:
    """How often the token sequence occurs inside the symbol (None: the file)."""
    raise NotImplementedError

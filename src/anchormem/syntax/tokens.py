"""The code tokens of a definition in source order: for what changed, what an edit touches, and advice to a writer."""

from anchormem.model import Symbol


def symbol_tokens(source: bytes, language: str | None, symbol: Symbol | None) -> tuple[str, ...]:
    """Tokens without comments, documentation and formatter noise. `symbol` None: of the whole file."""
    raise NotImplementedError

"""Old text under today's recipe: what an anchor's kept text would hash to now."""

from anchormem.model import Symbol


def body_under_current_recipe(source: bytes, language: str | None, symbol: Symbol, old_text: str) -> Symbol | None:
    """`symbol` with its range replaced by `old_text`, parsed in its place: the symbol there, None when none is."""
    raise NotImplementedError

"""Old text under today's recipe: what an anchor's kept text would hash to now, and which tokens it had."""

from anchormem.model import Symbol
from anchormem.syntax.facts import facts_of
from anchormem.syntax.folding import fold
from anchormem.syntax.tokens import symbol_tokens


def body_under_current_recipe(source: bytes, language: str | None, symbol: Symbol, old_text: str) -> Symbol | None:
    """`symbol` with its range replaced by `old_text`, parsed in its place: the symbol there, None when none is."""
    return symbol_there(splice(source, symbol, old_text), language, symbol)


def old_tokens(source: bytes, language: str | None, symbol: Symbol, old_text: str) -> tuple[str, ...]:
    """The code tokens `old_text` has in the place of `symbol`; of the symbol that stands there."""
    before = splice(source, symbol, old_text)
    found = symbol_there(before, language, symbol)
    return symbol_tokens(before, language, found) if found is not None else ()


def splice(source: bytes, symbol: Symbol, old_text: str) -> bytes:
    """The folded source with the symbol's range replaced."""
    folded = fold(source)
    return folded[: symbol.start_byte] + fold(old_text.encode()) + folded[symbol.end_byte :]


def symbol_there(spliced: bytes, language: str | None, symbol: Symbol) -> Symbol | None:
    """The symbol of the same name and disambiguator, else the one that starts there with the same parent and kind."""
    symbols = facts_of(spliced, language).symbols
    slot = (symbol.qualified, symbol.disambiguator)
    exact = [found for found in symbols if (found.qualified, found.disambiguator) == slot]
    parent = symbol.qualified.rpartition(".")[0]
    placed = [
        found
        for found in symbols
        if found.start_byte == symbol.start_byte and found.qualified.rpartition(".")[0] == parent
    ]
    return next(iter([found for found in exact if found in placed] or exact or placed), None)

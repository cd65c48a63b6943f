"""From a name as somebody writes it to the symbols of one file: bare, qualified, unique tail, `@disambiguator`."""

from anchormem.model import FileFacts, Slot, Symbol


def matches(facts: FileFacts, wanted: str) -> tuple[Symbol, ...]:
    """The symbols that `wanted` may mean: one when it is clear, several when the caller must refuse, none when unknown.

    `wanted` has no path. An exact qualified name wins over tails; a class wins over its own members (its constructor).
    A trailing `@` means the twin without any disambiguator. White space in a disambiguator is ignored.
    """
    raise NotImplementedError


def at(facts: FileFacts, slot: Slot) -> tuple[Symbol, ...]:
    """What the slot holds: the symbol of its exact name and disambiguator, else every twin of its qualified name."""
    raise NotImplementedError


def exact_form(symbol: Symbol, symbols: tuple[Symbol, ...]) -> str:
    """The shortest form without path that names `symbol` alone among `symbols`: `Ledger.settle@(int a)`."""
    raise NotImplementedError


def near(facts: FileFacts, wanted: str, limit: int = 5) -> tuple[str, ...]:
    """The closest known names, best first."""
    raise NotImplementedError

"""Keys of JSON, YAML and TOML by dotted path, on demand and never all stored. Headings are ordinary symbols."""

from anchormem.errors import GrammarMissing
from anchormem.model import Symbol
from anchormem.syntax.facts import ON_DEMAND
from anchormem.syntax.parsed import parse
from anchormem.syntax.symbols import symbols_of
from anchormem.syntax.withheld import known


def find_key(source: bytes, language: str | None, dotted: str) -> Symbol | None:
    """The key named by `dotted` (`scripts.build`, `jobs.test.steps@#2`), None when there is none.

    Of several equal paths (tables in an array) the disambiguator tells which; without one, the first.
    """
    qualified, at, form = dotted.partition("@")
    named = [symbol for symbol in all_keys(source, language) if symbol.qualified == qualified]
    if at and form:
        named = [symbol for symbol in named if symbol.disambiguator == form]
    return named[0] if named else None


def keys(source: bytes, language: str | None, limit: int) -> tuple[Symbol, ...]:
    """The first `limit` keys, outermost levels first: for the closest names and for `map`."""
    found = all_keys(source, language)
    return tuple(sorted(found, key=lambda symbol: (symbol.qualified.count("."), symbol.start_byte))[:limit])


def all_keys(source: bytes, language: str | None) -> list[Symbol]:
    try:
        parsed = parse(source, language)
    except GrammarMissing:
        return []
    return list(known(tuple(one for one, _ in symbols_of(parsed) if one.kind == ON_DEMAND))) if parsed else []

"""Old text under today's recipe: what an anchor's kept text would hash to now, and which tokens it had."""

from collections.abc import Iterator
from posixpath import commonprefix

from anchormem.model import Digest, Symbol
from anchormem.syntax.facts import facts_of
from anchormem.syntax.folding import fold, raw_digest
from anchormem.syntax.sections import find_key
from anchormem.syntax.tokens import symbol_tokens


def body_under_current_recipe(
    source: bytes, language: str | None, symbol: Symbol, old_text: str, raw: Digest | None = None
) -> Symbol | None:
    """`symbol` with its range replaced by `old_text`, parsed in its place: the symbol there.

    None when none is, or only a broken one. `raw`: the raw digest the old symbol had; then also None where what lies
    outside the text and counts (an access label, the keyword it shares) may no longer be what it was.
    """
    for text in readings(source, symbol, old_text):
        found = symbol_there(splice(source, symbol, text), language, symbol)
        if found is None or (found.damaged and not symbol.damaged):
            continue
        if raw is None or found.raw == raw or (alone(old_text, raw) and alone(text, found.raw)):
            return found
    return None


def alone(text: str, raw: Digest) -> bool:
    """Whether a raw digest is of the text and of nothing around it."""
    return raw_digest(text.encode()) == raw


def readings(source: bytes, symbol: Symbol, old_text: str) -> Iterator[str]:
    """The old text as it is, and in today's margin: a function that moved into a class stands deeper."""
    yield old_text
    first, *rest = old_text.splitlines(keepends=True) or [""]
    was, now = margin(rest), margin(fold(source)[symbol.start_byte : symbol.end_byte].decode().splitlines()[1:])
    if was != now:
        yield first + "".join(now + line.removeprefix(was) if line.strip() else line for line in rest)


def margin(lines: list[str]) -> str:
    return commonprefix([line[: len(line) - len(line.lstrip())] for line in lines if line.strip()])


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
    if not symbols:
        at = f"@{symbol.disambiguator}" if symbol.disambiguator else ""
        return find_key(spliced, language, f"{symbol.qualified}{at}")
    slot = (symbol.qualified, symbol.disambiguator)
    exact = [found for found in symbols if (found.qualified, found.disambiguator) == slot]
    parent = symbol.qualified.rpartition(".")[0]
    placed = [
        found
        for found in symbols
        if found.start_byte == symbol.start_byte and found.qualified.rpartition(".")[0] == parent
    ]
    return next(iter([found for found in exact if found in placed] or exact or placed), None)

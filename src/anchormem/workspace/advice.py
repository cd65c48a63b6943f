"""Advice to a writer: anchors that would notice what the body says.

A number, string or name that occurs in the anchored symbol is offered as a quote; one that occurs only in a constant
the symbol uses, that constant as a second anchor.

Only offers: nothing here is stored.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from anchormem.errors import AnchormemError, Refused
from anchormem.model import Anchor, JsonObject, Slot, Symbol
from anchormem.store import facts
from anchormem.syntax import quotes
from anchormem.syntax.tokens import symbol_tokens
from anchormem.text import secrets
from anchormem.workspace import sources
from anchormem.workspace.session import Workspace
from anchormem.workspace.sources import Source

MOST = 3
MOST_VALUES = 12
MOST_CONSTANTS = 40
CONSTANTS = ("constant", "variable", "field", "property", "enum_member", "key")

_NUMBER = re.compile(r"(?<![\w.])\d[\d_,]{0,30}(?:\.\d{1,30})?(?!\w|\.\w)")
_QUOTED = re.compile(r"""(?<!\w)["'“]([^"'“”\n]{1,80})["'”](?!\w)""")
_BACKTICKED = re.compile(r"`([^`\n]{1,80})`")
_NAME = re.compile(
    r"(?<!\w)(?:[A-Za-z_$][\w$]*_[\w$]*|[a-z]+[A-Z][\w$]*|[A-Z][A-Z0-9_]{2,}|[A-Z][a-z0-9]+[A-Z][\w$]*)(?!\w)"
)
_TRIVIAL = ("0", "1")

# Around a VALUE: what it is given to or compared with, and the innermost call it is an argument of.
_ASSIGNED = (
    r"(?<![\w.$])[\w.$]{1,80}(?:[ \t]*:[ \t]*[\w.\[\]]{1,80})?[ \t]*(?:=|:|:=|=>|[<>=!]=?=?)[ \t]*[\"'`]?VALUE[\"'`]?"
)
_CALLED = r"(?<![\w.$])[\w.$]{1,80}\([^()\n]{0,60}VALUE[^()\n]{0,60}\)"


def advise(ws: Workspace, body: str, anchors: Sequence[Anchor]) -> list[JsonObject]:
    """At most three offers {because, anchor}. Never fails: code that cannot be read gets no advice."""
    said = tuple(values(body))[:MOST_VALUES]
    if not said:
        return []
    offers: list[JsonObject] = []
    for anchor in anchors:
        if anchor.aspect in ("body", "signature", "exists") and anchor.slot.qualified:
            try:
                offers += _for_anchor(ws, said, anchor, anchors)
            except AnchormemError:
                continue
    return _distinct(offers)[:MOST]


def values(body: str) -> Iterator[str]:
    """Numbers, then strings, then names of code, each once, as the body spells them."""
    numbers = (match.group().rstrip(",._") for match in _NUMBER.finditer(body))
    quoted = (match.group(1).strip() for match in _QUOTED.finditer(body))
    ticked = [match.group(1).strip().removesuffix("()") for match in _BACKTICKED.finditer(body)]
    names = (match.group() for match in _NAME.finditer(body))
    everything = (*(one for one in numbers if one not in _TRIVIAL), *quoted, *ticked, *names)
    return iter(dict.fromkeys(one for one in everything if one))


def _for_anchor(ws: Workspace, said: Sequence[str], anchor: Anchor, anchors: Sequence[Anchor]) -> Iterator[JsonObject]:
    source = sources.read(ws, anchor.slot.path)
    found = sources.symbols_at(source, anchor.slot) if source else ()
    if source is None or source.text is None or len(found) != 1:
        return
    symbol = found[0]
    tokens = symbol_tokens(source.text, source.language, symbol)
    held = _held(tokens)
    own = {symbol.name, symbol.qualified, anchor.slot.path, *symbol.qualified.split(".")}
    for value in said:
        if value in own or _quoted_already(value, anchors):
            continue
        if _folded(value) in held or _within_text(value, tokens):
            yield from _quote(source, anchor.slot, symbol, value)
        else:
            yield from _constant(ws, source, tokens, value, anchors)


def _held(tokens: Iterable[str]) -> frozenset[str]:
    """What a value of the body may be equal to: tokens as they are, texts without their quotation marks."""
    return frozenset(_folded(token.strip("\"'`")) for token in tokens)


def _folded(value: str) -> str:
    """Numbers without separators; anything else as it is."""
    return value.replace("_", "").replace(",", "") if value[:1].isdigit() else value


def _within_text(value: str, tokens: Iterable[str]) -> bool:
    """Whether a text of several words stands in a string of the code."""
    return " " in value and any(value in token for token in tokens)


def _quoted_already(value: str, anchors: Iterable[Anchor]) -> bool:
    return any(anchor.aspect == "quote" and value in anchor.quote for anchor in anchors)


def _quote(source: Source, slot: Slot, symbol: Symbol, value: str) -> Iterator[JsonObject]:
    """The first snippet around the value that passes as a quote."""
    for snippet in _snippets(sources.text_of(source, symbol), value):
        if not secrets.find(snippet) and _passes(source, symbol, snippet):
            anchor: JsonObject = {"file": slot.path, "symbol": _name(slot), "quote": snippet}
            yield {"because": f"{value} occurs in {_name(slot)}", "anchor": anchor}
            return


def _snippets(text: str, value: str) -> Iterator[str]:
    """From what says most in little to the bare value: `limit=200`, `wait(250)`, its line, `200`."""
    spelled = rf"(?<!\w){_spelling(value)}(?!\w)"
    for around in (_ASSIGNED, _CALLED):
        yield from (match.group().strip() for match in re.finditer(around.replace("VALUE", spelled), text))
    lines = [line.strip().rstrip(",;{").strip() for line in text.splitlines() if re.search(spelled, line)]
    yield from (line for line in lines[:3] if line != text.strip())
    yield from (match.group() for match in re.finditer(spelled, text))


def _spelling(value: str) -> str:
    """A number may be written with separators in code and without in prose."""
    return "[_,]?".join(re.escape(digit) for digit in _folded(value)) if value[:1].isdigit() else re.escape(value)


def _passes(source: Source, symbol: Symbol, snippet: str) -> bool:
    try:
        return bool(snippet) and bool(quotes.quote_tokens(source.text or b"", source.language, symbol, snippet))
    except Refused:
        return False


def _constant(
    ws: Workspace, source: Source, tokens: Sequence[str], value: str, anchors: Sequence[Anchor]
) -> Iterator[JsonObject]:
    """A constant that the symbol names and that holds the value: in its own file, else the only one of that name."""
    names = set(tokens)
    anchored = {anchor.slot for anchor in anchors}
    spelled = re.compile(rf"(?<!\w){_spelling(value)}(?!\w)")
    own = [one for one in source.facts.symbols if one.name in names and _is_constant(one.kind)][:MOST_CONSTANTS]
    places = [(source, one) for one in own] or list(_elsewhere(ws, source, names))
    for holder, constant in places:
        slot = Slot(holder.path, constant.qualified, constant.disambiguator)
        if slot in anchored or not spelled.search(sources.text_of(holder, constant)):
            continue  # seen in the text at once: only a likely constant is worth a parse
        if _folded(value) in _held(symbol_tokens(holder.text or b"", holder.language, constant)):
            yield {
                "because": f"{value} occurs in {_name(slot)}, which it uses",
                "anchor": {"file": slot.path, "symbol": _name(slot)},
            }
            return


def _elsewhere(ws: Workspace, source: Source, names: Iterable[str]) -> Iterator[tuple[Source, Symbol]]:
    """Constants brought in from other files, where the name is unique in this checkout."""
    brought = {name for one in source.facts.imports for name in one.names}
    for name in sorted(brought & set(names))[:MOST_CONSTANTS]:
        places = [one for one in facts.places_named(ws.store, name, limit=3) if one.symbol]
        if len(places) != 1 or places[0].symbol is None or not _is_constant(places[0].symbol.kind):
            continue
        holder = sources.read(ws, places[0].slot.path)
        found = sources.symbols_at(holder, places[0].slot) if holder else ()
        if holder and len(found) == 1:
            yield holder, found[0]


def _is_constant(kind: str) -> bool:
    return kind in CONSTANTS


def _name(slot: Slot) -> str:
    return f"{slot.qualified}@{slot.disambiguator}" if slot.disambiguator else slot.qualified


def _distinct(offers: Iterable[JsonObject]) -> list[JsonObject]:
    return list({str(offer["anchor"]): offer for offer in offers}.values())

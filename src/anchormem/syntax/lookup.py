"""From a name as somebody writes it to the symbols of one file: bare, qualified, unique tail, `@disambiguator`."""

import difflib
import re

from anchormem.model import FileFacts, Slot, Symbol
from anchormem.syntax.twins import DECLARATION


def matches(facts: FileFacts, wanted: str, *, exact_only: bool = False) -> tuple[Symbol, ...]:
    """The symbols that `wanted` may mean: one when it is clear, several when the caller must refuse, none when unknown.

    `wanted` has no path; `exact_only` for what stood after `path::`: no tails. An exact qualified name wins over tails;
    a class wins over its own members (its constructor), the definition of a C function over its declarations. A
    trailing `@` means the twin without any disambiguator, `@#2` the second of equal ones. White space in a
    disambiguator is ignored.
    """
    literal = [symbol for symbol in facts.symbols if symbol.qualified == wanted.strip()]
    if len(literal) == 1 and _SEPARATORS.search(wanted):
        return tuple(literal)  # a heading or a key may hold what elsewhere separates
    name, at, disambiguator = wanted.strip().partition("@")
    name = name.strip().replace("::", ".").replace("\\", ".").strip(".")
    exact = [symbol for symbol in facts.symbols if symbol.qualified == name]
    tails = [s for s in facts.symbols if s.qualified.endswith("." + name)] if name and not exact_only else []
    if at:
        return of_form(exact, disambiguator) or of_form(tails, disambiguator)
    others = [symbol for symbol in tails if not symbol.qualified.startswith(name + ".")]
    found = defining(exact + others if exact else tails)
    owner = [one for one in found if all(one is it or it.qualified.startswith(f"{one.qualified}.") for it in found)]
    return tuple(owner or found)


def defining(found: list[Symbol]) -> list[Symbol]:
    """Without the declarations of functions that are defined in the same file."""
    return [symbol for symbol in found if not symbol.disambiguator.startswith(DECLARATION)] or found


_SEPARATORS = re.compile(r"::|[@\\]")


def of_form(symbols: list[Symbol], disambiguator: str) -> tuple[Symbol, ...]:
    """Those with this disambiguator; one that stands alone under its name also answers to the forms it could have."""
    form = compact(disambiguator)
    last = form.rpartition("::")[2] if "<" not in form and "(" not in form else form  # `fmt::Display` is `Display`
    exact = tuple(symbol for symbol in symbols if compact(symbol.disambiguator) in {form, last})
    if exact:
        return exact
    if not form or form.startswith("#"):  # by order alone, where the parameter lists of all twins are equal
        return tuple(symbol for symbol in symbols if symbol.disambiguator and _order(symbol.disambiguator) == form)
    return tuple(defining([s for s in symbols if s.disambiguator in {"", DECLARATION} and answers_to(s.head, form)]))


def _order(disambiguator: str) -> str:
    """`#2` of `(s)#2`, nothing of `(s)`."""
    return disambiguator.rpartition(")")[2]


def answers_to(head: str, form: str) -> bool:
    if form.startswith("("):
        return form in compact(head)
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", head) is not None


def compact(text: str) -> str:
    return "".join(text.split())


def at(facts: FileFacts, slot: Slot) -> tuple[Symbol, ...]:
    """What the slot holds: the symbol of its exact name and disambiguator, else every twin of its qualified name."""
    twins = tuple(symbol for symbol in facts.symbols if symbol.qualified == slot.qualified)
    exact = tuple(s for s in twins if compact(s.disambiguator) == compact(slot.disambiguator))
    return exact or twins


def exact_form(symbol: Symbol, symbols: tuple[Symbol, ...]) -> str:
    """The shortest form without path that names `symbol` alone among `symbols`: `Ledger.settle@(int a)`."""
    if symbol.disambiguator:
        return f"{symbol.qualified}@{symbol.disambiguator}"
    alone = sum(other.qualified == symbol.qualified for other in symbols) == 1
    return symbol.qualified if alone else f"{symbol.qualified}@"


def near(facts: FileFacts, wanted: str, limit: int = 5) -> tuple[str, ...]:
    """The closest known names, best first."""
    name = wanted.partition("@")[0].strip().replace("::", ".")
    forms = {exact_form(symbol, facts.symbols): symbol for symbol in facts.symbols}
    told = {
        form: max(ratio(name, symbol.qualified), ratio(name.rpartition(".")[2], symbol.name))
        for form, symbol in forms.items()
    }
    best = sorted(told, key=lambda form: (-told[form], form))
    return tuple(form for form in best[:limit] if told[form] >= CLOSE_ENOUGH)


CLOSE_ENOUGH = 0.4  # of difflib's ratio: below, a name reminds of nothing


def ratio(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a.lower(), b.lower()).ratio()

"""Facts without credentials: what stands in a head, a name or an import and looks like a secret is not known at all.

Hashes are of the code as it is and stay. Knows nothing of where facts are kept or shown.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from anchormem.model import FileFacts, Symbol
from anchormem.text.secrets import WITHHELD, find

T = TypeVar("T")

# The scan costs more than the parse; it is asked only where a secret can be: a long run, with a digit in it or without
# what joins words, something given to a word for secrets, a login in a URL, a key's first line.
_MAY_HOLD: Final = re.compile(
    r"(?<![A-Za-z0-9_+/=~%-])(?=[A-Za-z_+/=~%-]{0,80}[0-9])[A-Za-z0-9_+/=~%-]{16}|[A-Za-z0-9+/]{24}"
    r"|(?i:pass|pwd|secret|token|key|credential)\w{0,20}[\"'\]]{0,2}\s{0,4}(?:=>|:=|=|:)\s{0,4}"
    r"(?:[a-zA-Z]?[\"'`]|[^\s\"'`,;()\[\]{}<>]{6})"
    r"|://[^/\s]{0,100}@|@(?:tcp|unix)\(|PRIVATE KEY|--(?i:pass|pwd)"
)


def withheld(facts: FileFacts) -> FileFacts:
    """The same where there is nothing to withhold. A definition whose very name looks like a secret is left out."""
    symbols = known(facts.symbols)
    references = _without(facts.references, lambda one: (one.name, one.receiver))
    imports = _without(facts.imports, lambda one: (one.module, *one.names))
    inheritance = _without(facts.inheritance, lambda one: (one.base,))
    names = {one.qualified for one in symbols}
    if len(symbols) < len(facts.symbols):
        references = tuple(one for one in references if not one.within or one.within in names)
        inheritance = tuple(one for one in inheritance if one.qualified in names)
    return replace(facts, symbols=symbols, references=references, imports=imports, inheritance=inheritance)


def known(symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """Symbols that may be named, each with a head that may be shown."""
    named = _without(symbols, lambda one: (one.qualified, one.disambiguator))
    if _MAY_HOLD.search("\n".join(one.head for one in named)) is None:
        return named
    return tuple(replace(one, head=WITHHELD) if is_secret(one.head) else one for one in named)


def is_secret(text: str) -> bool:
    return _MAY_HOLD.search(text) is not None and find(text) is not None


def _without(found: tuple[T, ...], texts: Callable[[T], tuple[str, ...]]) -> tuple[T, ...]:
    """Those without a secret in their texts."""
    distinct: set[str] = set()
    for one in found:
        distinct.update(texts(one))
    if _MAY_HOLD.search("\n".join(distinct)) is None:
        return found
    return tuple(one for one in found if not any(map(is_secret, texts(one))))

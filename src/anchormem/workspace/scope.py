"""What a written name means in this checkout, as far as syntax tells: one definition, several, or none.

No types are known. Nearness decides: the same file, then files it imports, then the only one of that name anywhere;
code of a language that this one cannot call is never meant.
"""

import re
from dataclasses import dataclass
from typing import Literal

from anchormem.model import Import, Place
from anchormem.store import facts
from anchormem.workspace import neighbours
from anchormem.workspace.session import Workspace

Clarity = Literal["unique", "ambiguous", "unresolved"]

TYPES = ("class", "interface", "trait", "struct", "union", "enum", "record", "type", "module", "namespace", "object")
CALLABLES = ("function", "method", "constructor", "destructor", "accessor", "operator", "macro", "property", "field")
CALLED = (*CALLABLES, *TYPES)
_LAST = re.compile(r"[\w$]+(?=\W*$)")


@dataclass(frozen=True, slots=True)
class Meaning:
    """`places`: the definition, or all that may be meant."""

    clarity: Clarity
    places: tuple[Place, ...] = ()


def last_part(written: str) -> str:
    """`Queue` of `pkg.Queue`, `crate::Queue`, `App\\Queue`."""
    match = _LAST.search(written)
    return match.group() if match else written


class Scope:
    """The names of one checkout during one call; each question is put to the store once."""

    def __init__(self, ws: Workspace) -> None:
        self.ws = ws
        self._places: dict[str, list[Place]] = {}
        self._imports: dict[str, tuple[Import, ...]] = {}
        self._meanings: dict[tuple[str, str, tuple[str, ...]], Meaning] = {}

    def types(self, written: str, at: str) -> Meaning:
        """What a base, written in the file `at`, means."""
        return self._meaning(last_part(written), at, TYPES)

    def callables(self, name: str, at: str) -> Meaning:
        """What a called name, written in the file `at`, means. A class is called too."""
        return self._meaning(name, at, CALLED)

    def named(self, name: str) -> list[Place]:
        """Every symbol of this bare name."""
        if name not in self._places:
            self._places[name] = [place for place in facts.places_named(self.ws.store, name) if place.symbol]
        return self._places[name]

    def _meaning(self, name: str, at: str, kinds: tuple[str, ...]) -> Meaning:
        key = (name, at, kinds)
        if key not in self._meanings:
            self._meanings[key] = self._found(name, at, kinds)
        return self._meanings[key]

    def _found(self, name: str, at: str, kinds: tuple[str, ...]) -> Meaning:
        found = [place for place in self.named(name) if place.symbol and place.symbol.kind in kinds]
        found = [place for place in found if neighbours.speak(self.ws, at, place.slot.path)]
        classes = {(place.slot.path, place.slot.qualified) for place in found}
        found = [place for place in found if not _is_constructor_of(place, classes)]
        if len(found) < 2:  # noqa: PLR2004 — only where there is a choice does nearness matter
            return Meaning("unique", tuple(found)) if found else Meaning("unresolved")
        close = [place for place in found if place.slot.path == at]
        close = close or [place for place in found if self._brings_in(at, place.slot.path)] or found
        return Meaning("unique" if len(close) == 1 else "ambiguous", tuple(close))

    def _brings_in(self, at: str, path: str) -> bool:
        """Whether the file `at` imports the file `path`, as far as spellings tell."""
        if at not in self._imports:
            self._imports[at] = facts.imports_of(self.ws.store, at)
        return any(neighbours.means(one, at, path) for one in self._imports[at])


def _is_constructor_of(place: Place, classes: set[tuple[str, str]]) -> bool:
    """`Queue.Queue` beside `Queue`: the class stands for both."""
    owner = place.slot.qualified.rpartition(".")[0]
    same = owner.rpartition(".")[2] == place.slot.qualified.rpartition(".")[2]
    return bool(owner) and same and (place.slot.path, owner) in classes

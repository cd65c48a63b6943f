"""What a written name means in this checkout, as far as syntax tells: one definition, several, or none.

No types are known. Nearness decides: the same file, then files it imports, then the only one of that name anywhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anchormem.model import Place
from anchormem.store import facts
from anchormem.workspace import neighbours
from anchormem.workspace.session import Workspace

Clarity = Literal["unique", "ambiguous", "unresolved"]

TYPES = ("class", "interface", "trait", "struct", "union", "enum", "record", "type", "module", "namespace", "object")
CALLABLES = ("function", "method", "constructor", "destructor", "accessor", "operator", "macro", "property", "field")
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


def types(ws: Workspace, written: str, at: str) -> Meaning:
    """What a base, written in the file `at`, means."""
    return _meaning(ws, last_part(written), at, TYPES)


def callables(ws: Workspace, name: str, at: str) -> Meaning:
    """What a called name, written in the file `at`, means. A class is called too."""
    return _meaning(ws, name, at, (*CALLABLES, *TYPES))


def _meaning(ws: Workspace, name: str, at: str, kinds: Sequence[str]) -> Meaning:
    found = [place for place in facts.places_named(ws.store, name) if place.symbol and place.symbol.kind in kinds]
    classes = {(place.slot.path, place.slot.qualified) for place in found}
    found = [place for place in found if not _is_constructor_of(place, classes)]
    if not found:
        return Meaning("unresolved")
    for near in (lambda path: path == at, _imported(ws, at, len(found)).__contains__):
        close = [place for place in found if near(place.slot.path)]
        if close:
            return Meaning("unique" if len(close) == 1 else "ambiguous", tuple(close))
    return Meaning("unique" if len(found) == 1 else "ambiguous", tuple(found))


def _is_constructor_of(place: Place, classes: set[tuple[str, str]]) -> bool:
    """`Queue.Queue` beside `Queue`: the class stands for both."""
    owner = place.slot.qualified.rpartition(".")[0]
    return (
        bool(owner)
        and owner.rpartition(".")[2] == place.slot.qualified.rpartition(".")[2]
        and ((place.slot.path, owner) in classes)
    )


def _imported(ws: Workspace, at: str, count: int) -> set[str]:
    """Asked only where there is something to choose from."""
    return neighbours.imported_by(ws, at) if count > 1 else set()

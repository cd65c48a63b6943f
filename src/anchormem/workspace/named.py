"""What stands in backticks in a note, found in this checkout: a file, or a symbol, when it can be only one.

Decides which names mean code and which are mere words. Knows nothing of memories.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import normpath

from anchormem.model import Place
from anchormem.store import facts, files
from anchormem.store.db import Store
from anchormem.syntax import lookup

MOST_PLACES = 20  # of one name; more than one means nothing anyway

_FILE = re.compile(
    r"(?P<path>[^\s:*?\"<>|`]+?)(?:::(?P<symbol>\S.*)|(?:[:#]L?\d[\d,:L-]*)+)?"
)  # `a.py:40,:52`, `a.py#L9`
_CALL = re.compile(r"\(.*\)$", re.DOTALL)
_NAME = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_WORD = re.compile(r"[a-z]+")
# A lower-case word in backticks is more often a value, an option or a column than a field that is called so.
_FIELDS = frozenset({"field", "property", "variable", "constant", "enum_member", "key", "section"})


@dataclass(slots=True)
class Names:
    """The names of one checkout, for one file of notes. `folder`: where the notes lie, "" for the root or outside."""

    store: Store
    folder: str
    besides: str  # the notes themselves
    _paths: Mapping[str, list[str]] = field(init=False)  # by file name, with its suffix and without
    _places: dict[str, list[Place]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named: dict[str, list[str]] = {}
        for path in files.looks(self.store):
            name = path.rpartition("/")[2]
            for one in {name, name.partition(".")[0]}:
                named.setdefault(one, []).append(path)
        self._paths = named

    def anchors(self, spans: Iterable[str], *, symbols: bool) -> tuple[str, ...]:
        """`path` and `path::symbol` in the order they are named; a file only where nothing in it is named besides.

        A symbol is looked for first in the files that the same note names.
        """
        read = [(span, self._file(span)) for span in spans]
        paths = tuple(dict.fromkeys(found.partition("::")[0] for _, found in read if found))
        made = [found or (self._symbol(span, paths) if symbols else "") for span, found in read]
        if not symbols:
            return paths
        inside = {one.partition("::")[0] for one in made if "::" in one}
        return tuple(dict.fromkeys(one for one in made if one and one not in inside))

    def _file(self, span: str) -> str:
        """The file that is meant, with the symbol that is named in it; "" for no or several files."""
        read = _FILE.fullmatch(span)
        if read is None:
            return ""
        path, symbol = read["path"].replace("\\", "/").removeprefix("./"), read["symbol"] or ""
        found = set(self._candidates(path)) - {self.besides}
        if len(found) != 1:
            return ""
        return f"{found.pop()}::{_CALL.sub('', symbol)}" if symbol else found.pop()

    def _candidates(self, path: str) -> Iterator[str]:
        """From the root, from the notes' folder, else every file whose path ends so, with its suffix or without."""
        folder, _, name = path.rpartition("/")
        alike = self._paths.get(name, [])
        for exact in (path, normpath(f"{self.folder}/{path}") if self.folder else path):
            if exact in alike:
                yield exact
                return
        if "." in name[1:]:
            yield from (one for one in alike if one.endswith(f"/{path}"))
        elif folder:
            yield from (one for one in alike if f"/{one}".partition(".")[0].endswith(f"/{path}"))

    def _symbol(self, span: str, paths: tuple[str, ...]) -> str:
        called = _CALL.search(span) is not None
        name = re.sub(r"::|#|->", ".", _CALL.sub("", span))
        if _NAME.fullmatch(name) is None:
            return ""
        mere = not called and _WORD.fullmatch(name) is not None
        found = [one for one in self._named(name) if _counts(one, mere=mere)]
        near = _one([one for one in found if one.slot.path in paths])
        far = [one for one in found if not (mere and "." in one.slot.qualified)]  # `copy` is rarely `Mailer.copy`
        meant = near or _one(far) or (None if found else self._in_module(name))
        return str(meant.slot) if meant else ""

    def _named(self, name: str) -> list[Place]:
        if name not in self._places:
            self._places[name] = facts.places_named(self.store, name, limit=MOST_PLACES)
        return self._places[name]

    def _in_module(self, name: str) -> Place | None:
        """`to_cents` for `ledger.to_cents`, when it is in a file of that name."""
        module, dot, inner = name.rpartition(".")
        ending = f"/{module.replace('.', '/')}"
        alike = (one for one in self._named(inner) if f"/{one.slot.path}".partition(".")[0].endswith(ending))
        return _one([one for one in alike if one.slot.qualified == inner]) if dot else None


def _counts(place: Place, *, mere: bool) -> bool:
    kind = place.symbol.kind if place.symbol else "section"
    return kind not in _FIELDS if mere else kind not in ("section", "key")


def _one(places: list[Place]) -> Place | None:
    """The only one; a class rather than its constructor, a definition rather than its declarations."""
    defining = lookup.defining([one.symbol for one in places if one.symbol])
    left = [one for one in places if one.symbol in defining]
    outer = [one for one in left if all(other is one or _within(other, one) for other in left)]
    return outer[0] if len(outer) == 1 else None


def _within(inner: Place, outer: Place) -> bool:
    return inner.slot.path == outer.slot.path and inner.slot.qualified.startswith(f"{outer.slot.qualified}.")

"""What somebody may have meant who named a file that is not there: the one way to say so."""

import os
import re
from collections.abc import Iterator
from posixpath import basename

from anchormem.errors import NotFound
from anchormem.project import paths
from anchormem.store import facts, files
from anchormem.workspace.session import Workspace

MOST = 5
COLONS = "here :: stands between file and symbol: rename the file, nothing else can name it"
JSON = '{"file": "a.py", "symbol": "f"}, with its double quotes'
_PLACE = re.compile(r"(?P<file>.+?)[:#](?P<rest>.+)", re.DOTALL)  # `a.py:send` and `a.py:12`, as other tools write them


def nearest(ws: Workspace, path: str) -> tuple[str, ...]:
    """Files and folders that are there and spelled nearly so, then indexed files of that very name elsewhere; alone the
    place that `path` is, where only `::` is missing in it.
    """
    if place := _otherwise_written(ws, path):
        return (place,)
    return tuple(dict.fromkeys((*paths.near(ws.root, path), *_namesakes(ws, path))))[:MOST]


def no_such_file(ws: Workspace, path: str, symbol: str = "") -> NotFound:
    """The error to raise. `symbol`: what was named in the file, so that the hint can be typed as it stands."""
    whole = f"{path}::{symbol}" if symbol else path
    if symbol and os.path.lexists(f"{ws.root.path}/{whole}"):
        return NotFound(f"a file whose name holds :: cannot be named: {paths.shown(whole)}", COLONS)
    if path.startswith("{"):
        return NotFound(f"no such file: {paths.shown(whole)}", f"as JSON it would be {JSON}")
    tail = f"::{symbol}" if symbol else ""
    meant = [f"{one}{tail}" for one in nearest(ws, path)] or [*_symbols(ws, whole)]
    hint = f"did you mean {', '.join(meant)}?" if meant else paths.meant(ws.root, path)
    return NotFound(f"no such file: {paths.shown(path)}", hint)


def _namesakes(ws: Workspace, path: str) -> Iterator[str]:
    name = basename(path)
    if name and ws.store.exists:
        yield from (one for one in files.every(ws.store) if basename(one) == name)


def _otherwise_written(ws: Workspace, path: str) -> str:
    """A place in a file that is there, from how other tools write it; "" where it is none."""
    found = _PLACE.fullmatch(path)
    if not found or not os.path.isfile(f"{ws.root.path}/{found['file']}"):  # noqa: PTH113 — any text is fine so
        return ""
    return found["file"] if found["rest"][0].isdigit() else f"{found['file']}::{found['rest']}"


def _symbols(ws: Workspace, name: str) -> Iterator[str]:
    """A symbol's name given in the place of a file's."""
    if ws.store.exists:
        yield from (str(place.slot) for place in facts.places_named(ws.store, name, limit=MOST))

"""Map: what a file, symbol or directory holds, who it descends from, who calls it, and what is known of it."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from posixpath import splitext

from anchormem.errors import BadPath, NotFound
from anchormem.model import Place, Reply, Slot
from anchormem.project import disk, paths
from anchormem.store import facts, files
from anchormem.syntax import lookup
from anchormem.workspace import given, mapped, sources, stamps, unparsed
from anchormem.workspace.freshness import refresh
from anchormem.workspace.mapped import Request
from anchormem.workspace.nearest import nearest, no_such_file
from anchormem.workspace.session import Workspace
from anchormem.workspace.sweep import sweep

BUDGET = 2000
SWEEP_SECONDS = 2.0
MOST_NEAR = 5


def map_target(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`target` str (path, symbol, `path::symbol`, directory), `detail` outline|signature|body "outline",
    `budget_tokens` int 2000.
    """
    target = given.text(args, "target").strip()
    detail = given.text(args, "detail", "outline")
    budget = given.whole(args, "budget_tokens", BUDGET)
    path, _, symbol = target.partition("::")
    gated = _path(ws, path)
    fresh = refresh(ws, (gated,) if gated and gated != "." else ())
    request = Request(ws, fresh, detail, budget)
    reply = _mapped(request, target, gated, symbol)
    if reply is None and _finish(ws):
        reply = _mapped(Request(ws, refresh(ws), detail, budget), target, gated, symbol)
    if reply is None:
        raise _nothing(ws, target)
    return reply


def _path(ws: Workspace, written: str) -> str:
    """The path when something is there, "" otherwise; refused as every path from outside when it is no fit for one."""
    try:
        return paths.gate(ws.root, written, must_exist=True)
    except NotFound:
        return ""
    except BadPath:
        if "/" in written or "\\" in written or not written:
            raise
        return ""  # a symbol may look like anything


def _mapped(request: Request, target: str, path: str, symbol: str) -> Reply | None:
    ws = request.ws
    if path and not symbol:
        if (ws.root.path / path).is_dir():
            return _folder(request, "" if path == "." else path)
        source = sources.read(ws, path)
        if source is None:
            _refuse_unreadable(ws, path)
        return mapped.file(request, source) if source else None
    if path:
        return _within(request, path, symbol)
    return None if "::" in target else _anywhere(request, target)


def _folder(request: Request, path: str) -> Reply:
    """A folder nothing is known of may be newer than the last sweep."""
    if not files.under(request.ws.store, path) and _finish(request.ws):
        request = replace(request, fresh=refresh(request.ws))
    return mapped.directory(request, path)


def _refuse_unreadable(ws: Workspace, path: str) -> None:
    got = disk.read(ws.root, path)
    if isinstance(got, disk.Unread) and got.reason != "missing":
        found = unparsed.unread(got.reason)
        raise NotFound(f"{path} cannot be mapped: {found.why}", found.remedy or "map the folder that it is in")


def _within(request: Request, path: str, wanted: str) -> Reply | None:
    """`path::symbol`: an unknown name is answered with the closest ones of that file."""
    source = sources.read(request.ws, path)
    if source is None:
        return None
    found = (
        lookup.matches(source.facts, wanted, exact_only=True)
        or lookup.matches(source.facts, wanted)
        or sources.symbols_at(source, Slot(path, wanted))
    )
    if not found:
        if source.facts.language is None:
            why = unparsed.of_bytes(path, source.data, source.language)
            raise NotFound(f"{path} has no symbols: {why.why}", why.remedy or f"map the file itself: {path}")
        near = ", ".join(f"{path}::{name}" for name in lookup.near(source.facts, wanted, MOST_NEAR))
        raise NotFound(f"no symbol {wanted[:80]!r} in {path}", f"closest: {near}" if near else "map the file first")
    slots = [Slot(path, symbol.qualified, symbol.disambiguator) for symbol in found]
    if len(found) == 1:
        return mapped.symbol(request, source, slots[0], found[0])
    return mapped.several(request, [Place(slot, symbol) for slot, symbol in zip(slots, found, strict=True)])


def _anywhere(request: Request, wanted: str) -> Reply | None:
    """A bare or qualified name in any file of this checkout."""
    ws = request.ws
    wanted = wanted.removesuffix("()")
    name, at, mark = wanted.partition("@")
    places = [place for place in facts.places_named(ws.store, name) if place.symbol]
    if at:
        squeezed = "".join(mark.split())
        places = [place for place in places if "".join(place.slot.disambiguator.split()) == squeezed]
    places = _own_members_aside(places, name)
    if not places:
        return None
    if len(places) > 1:
        return mapped.several(request, places)
    source = sources.read(ws, places[0].slot.path)
    found = sources.symbols_at(source, places[0].slot) if source else ()
    if source is None or len(found) != 1:
        return None
    return mapped.symbol(request, source, places[0].slot, found[0])


def _own_members_aside(places: Sequence[Place], name: str) -> list[Place]:
    """A class stands for its constructor too; an exact qualified name stands before the tails of longer ones."""
    exact = [place for place in places if place.slot.qualified == name]
    if len(exact) == 1 and all(_is_member(place, exact[0]) for place in places if place is not exact[0]):
        return exact
    return list(places)


def _is_member(place: Place, owner: Place) -> bool:
    return place.slot.path == owner.slot.path and place.slot.qualified.startswith(f"{owner.slot.qualified}.")


def _finish(ws: Workspace) -> bool:
    """Lets the sweep come to its end before a name is called unknown, for at most two seconds."""
    if not ws.store.exists:
        return False
    deadline = time.monotonic() + SWEEP_SECONDS
    report = sweep(ws, cancelled=lambda: time.monotonic() > deadline, wait_ms=int(SWEEP_SECONDS * 1000))
    return report.outcome != "busy"


def _nothing(ws: Workspace, target: str) -> NotFound:
    """A target that can only be a file, or reminds of one, is answered as a file; any other with the closest names."""
    path, colons, symbol = target.partition("::")
    known = facts.near_names(ws.store, symbol or path, MOST_NEAR)
    alike = nearest(ws, path)
    suffix = re.split("[:#]", splitext(path)[1])[0]
    if (suffix and any(suffix in one for one in alike)) or ((colons or "/" in path) and not known):
        return no_such_file(ws, path, symbol)
    closest = ", ".join((*alike, *known)[:MOST_NEAR])
    hint = f"closest: {closest}" if closest else "give a path, a symbol, path::symbol or a directory"
    now = stamps.read(ws.store)
    if now.open or not now.indexed_at:
        return NotFound(
            f"nothing indexed so far is called {target[:120]!r}", f"the index is not complete; ask again; {hint}"
        )
    return NotFound(f"nothing indexed is called {target[:120]!r}", hint)

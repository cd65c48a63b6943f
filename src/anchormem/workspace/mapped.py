"""The replies of map: a file, a symbol, several of one name, a directory. Knows nothing of how a target is found."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anchormem.model import FileState, JsonObject, Place, Reply, Slot, Symbol
from anchormem.reason.envelope import lean
from anchormem.reason.pack import pack_sections
from anchormem.store import anchors, facts, files, memories
from anchormem.syntax import sections
from anchormem.workspace import lineage, sources, unparsed
from anchormem.workspace.changes import changes
from anchormem.workspace.figures import envelope
from anchormem.workspace.freshness import Freshness
from anchormem.workspace.present import seen, short
from anchormem.workspace.scope import Scope
from anchormem.workspace.session import Workspace
from anchormem.workspace.sources import Source
from anchormem.workspace.view import View, on_paths
from anchormem.workspace.why import dated

MOST_KEYS = 60
MOST_FILES = 500
MOST_DIFF = 1000  # characters
LINEAGE_TOKENS = 12  # what the nesting of lineage adds to the packed sections
CALLS = "calls and bases are found by name, without types: dynamic calls are missing, ambiguous ones may be others"


@dataclass(frozen=True, slots=True)
class Request:
    ws: Workspace
    fresh: Freshness
    detail: str
    budget: int


def file(request: Request, source: Source) -> Reply:
    """Symbols, imports, and the memories on the file or anything in it, also where there are no symbols."""
    ws = request.ws
    known = on_paths(ws.store, [source.path], request.fresh)
    symbols: Sequence[Symbol] = source.facts.symbols
    if not symbols and source.text is not None:
        symbols = sections.keys(source.text, source.language, MOST_KEYS)
    fixed = {
        "file": source.path,
        "language": source.language or "",
        "lines": source.data.count(b"\n") + (0 if source.data.endswith(b"\n") or not source.data else 1),
        "parse_errors": source.facts.error_bytes,
        "note": "" if symbols or source.facts.language else _unparsed(source),
    }
    lists: dict[str, list[object]] = {
        "memories": [short(view) for view in known],
        "symbols": [_symbol(source, one, request.detail) for one in symbols],
        "imports": [lean({"module": one.module, "names": list(one.names)}) for one in source.facts.imports],
    }
    return _packed(request, lists, {key: value for key, value in fixed.items() if value}, known)


def _unparsed(source: Source) -> str:
    found = unparsed.of_bytes(source.path, source.data, source.language)
    return f"no symbols: {found.why}{f'; {found.remedy}' if found.remedy else ''}"


def symbol(request: Request, source: Source, slot: Slot, found: Symbol) -> Reply:
    """Place, signature, memories, lineage."""
    ws = request.ws
    known = [view for view in on_paths(ws.store, [slot.path], request.fresh) if concerns(view, slot)]
    scope = Scope(ws)
    kin = {
        "ancestors": [one.shown() for one in lineage.ancestors(scope, slot)],
        "descendants": [one.shown() for one in lineage.descendants(scope, slot)],
        "callers": [one.shown() for one in lineage.callers(scope, slot)],
    }
    shown = _symbol(source, found, "body" if request.detail == "body" else "signature")
    fixed: JsonObject = {"symbol": str(slot), **{key: value for key, value in shown.items() if key != "name"}}
    if kin["callers"] or kin["ancestors"] or kin["descendants"]:
        fixed["limits"] = CALLS
    lists: dict[str, list[object]] = {"memories": _with_changes(ws, known)}
    lists |= {name: list(rows) for name, rows in kin.items()}
    reply = _packed(request, lists, fixed, known, less=LINEAGE_TOKENS)
    return Reply(_nested(reply.data), reply.meta)


def _with_changes(ws: Workspace, known: Sequence[View]) -> list[object]:
    """Memories of a symbol: of stale ones also what became of the code, with its diff."""
    stale = [view for view in known if any(fate.name == "stale" for fate in view.standing.fates.values())]
    whole = {memory.id: memory for memory in memories.get(ws.store, [view.memory.id for view in stale])}
    fates = dated(ws, [(one, view.standing.fates[one.id]) for view in stale for one in whole[view.memory.id].anchors])
    return [
        {**short(view), **lean({"changes": changes(ws, whole[name], fates, MOST_DIFF)})}
        if (name := view.memory.id) in whole
        else short(view)
        for view in known
    ]


def _nested(data: object) -> JsonObject:
    """The three relations, and what was left out of each, under `lineage`."""
    flat = data if isinstance(data, dict) else {}
    names = tuple(f"{name}{end}" for name in ("ancestors", "descendants", "callers") for end in ("", "_omitted"))
    kin = {name: flat[name] for name in names if name in flat}
    rest = {name: value for name, value in flat.items() if name not in names}
    return {**rest, "lineage": kin} if kin else rest


def several(request: Request, places: Sequence[Place]) -> Reply:
    """A name that means more than one symbol: each with its exact form, none chosen."""
    known = [
        view
        for view in on_paths(request.ws.store, {place.slot.path for place in places}, request.fresh)
        if any(concerns(view, place.slot) for place in places)
    ]
    rows: list[object] = [
        {
            "symbol": str(place.slot),
            "kind": place.symbol.kind,
            "line": place.symbol.start_line,
            "signature": seen(place.symbol.head),
        }
        for place in places
        if place.symbol
    ]
    lists: dict[str, list[object]] = {"matches": rows, "memories": [short(view) for view in known]}
    return _packed(request, lists, {"ambiguous": "map one of these exact forms"}, known)


def directory(request: Request, folder: str) -> Reply:
    """Files with counts, and the folders below with theirs."""
    ws = request.ws
    states = files.under(ws.store, folder)
    start = len(folder) + 1 if folder else 0
    direct = [state for state in states if "/" not in state.path[start:]]
    folders = Counter(state.path[start:].partition("/")[0] for state in states if "/" in state.path[start:])
    below = f"{folder}/" if folder else ""
    anchored = [path for path, _ in anchors.anchored_paths(ws.store) if path.startswith(below)]
    known = on_paths(ws.store, anchored, request.fresh)
    held = Counter(path for view in known for path in view.places())
    lists: dict[str, list[object]] = {
        "files": _files(ws, direct[:MOST_FILES], held),
        "folders": [_folder(folder, name, count, held) for name, count in sorted(folders.items())],
    }
    fixed: JsonObject = {"directory": folder or ".", "files_below": len(states), "memories_below": len(known)}
    return _packed(request, lists, fixed, known)


def _files(ws: Workspace, states: Sequence[FileState], held: Counter[str]) -> list[object]:
    wanted = [(state.content, state.language) for state in states if state.content and state.language]
    known = facts.get_many(ws.store, wanted)
    counts = {key: len(one.symbols) for key, one in known.items()}
    return [
        lean(
            {
                "file": state.path,
                "symbols": counts.get((state.content, state.language)) if state.content else None,
                "memories": held[state.path] or None,
                "status": state.status if state.status != "ok" else "",
            }
        )
        for state in states
    ]


def _folder(parent: str, name: str, count: int, held: Counter[str]) -> JsonObject:
    path = f"{parent}/{name}" if parent else name
    below = sum(number for place, number in held.items() if place.startswith(f"{path}/"))
    return lean({"folder": path, "files": count, "memories": below or None})


def concerns(view: View, slot: Slot) -> bool:
    """Whether one of its anchors is at the slot, in it, or was written there."""
    fates = view.standing.fates
    slots = [anchor.slot for anchor in view.memory.anchors]
    slots += [fate.at for anchor in view.memory.anchors if (fate := fates.get(anchor.id)) and fate.at]
    return any(within(one, slot) for one in slots)


def within(one: Slot, slot: Slot) -> bool:
    same = one.path == slot.path
    return same and (one.qualified == slot.qualified or one.qualified.startswith(f"{slot.qualified}."))


def _symbol(source: Source, one: Symbol, detail: str) -> JsonObject:
    name = f"{one.qualified}@{one.disambiguator}" if one.disambiguator else one.qualified
    lines = f"{one.start_line}-{one.end_line}" if one.end_line != one.start_line else str(one.start_line)
    shown: JsonObject = {"name": name, "kind": one.kind, "lines": lines}
    if detail != "outline" and one.head:
        shown["signature"] = seen(one.head)
    if detail == "body" and source.text is not None:
        shown["text"] = seen(sources.text_of(source, one))
    return shown


def _packed(
    request: Request, lists: dict[str, list[object]], fixed: JsonObject, known: Iterable[View], *, less: int = 0
) -> Reply:
    total = sum(len(rows) for rows in lists.values())
    figures = envelope(request.ws, request.fresh, known, total=total)
    return pack_sections(lists, figures, request.budget - less, fixed=fixed)

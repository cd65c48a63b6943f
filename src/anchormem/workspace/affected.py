"""Affected: what a change in the working tree, or since a base, does to symbols and to memories."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import lexists
from posixpath import relpath

from anchormem.errors import BadPath, NotARepository
from anchormem.model import JsonObject, Reply, Slot
from anchormem.project import git, paths
from anchormem.reason.envelope import lean
from anchormem.reason.pack import pack_sections
from anchormem.workspace import atrisk, difference, given, lineage, sources
from anchormem.workspace.difference import Changed, SymbolDiff, Wanted
from anchormem.workspace.figures import envelope
from anchormem.workspace.freshness import Freshness, refresh
from anchormem.workspace.nearest import no_such_file
from anchormem.workspace.present import preview, seen, short
from anchormem.workspace.scope import Scope
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View, on_paths

BUDGET = 4000
MOST_CALLERS = 100
MOST_CALLED = 300  # changed symbols whose callers are looked for
CALLS = "callers are found by name, without types: dynamic calls are missing, ambiguous ones may be others"


@dataclass(frozen=True, slots=True)
class Change:
    """A change as a whole, between a commit ("": none yet) and the working tree."""

    base: str
    files: tuple[Changed, ...]
    symbols: tuple[SymbolDiff, ...]

    def paths(self) -> set[str]:
        return _named(self.files)


def affected(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`base` str "" (empty: working tree against HEAD), `paths` list[str] [], `budget_tokens` int 4000.

    data: {base, files, symbols, memories, constraining, callers}; empty ones are left out.
    """
    if not ws.root.is_git:
        raise NotARepository(
            f"{ws.root.path} is not in a git repository", "affected compares with a commit; use map here"
        )
    ref = given.text(args, "base")
    asked = {path: _meant(ws, path) for path in given.texts(args, "paths")}
    base = git.resolve_ref(ws.root, ref) if ref else git.head_commit(ws.root)
    files = difference.working_tree(ws.root, base, _within(path for meant in asked.values() for path in meant))
    for meant in asked.values():
        _refuse_nowhere(ws, meant, files)
    fresh = refresh(ws, [one.path for one in files if one.after is not None])
    change = Change(base, files, difference.symbols(files, lambda path, data: sources.known(ws, path, data)))
    return _answer(ws, fresh, change, ref or "HEAD", given.whole(args, "budget_tokens", BUDGET))


def _answer(ws: Workspace, fresh: Freshness, change: Change, ref: str, budget: int) -> Reply:
    known = on_paths(ws.store, change.paths(), fresh)
    risks = atrisk.at_risk(ws, known, change.files, change.symbols)
    was = {risk.view.memory.id: risk.was for risk in risks}
    constraining = [view for view in known if _constrains(view, change, was.get(view.memory.id, ""))]
    callers = _callers(ws, change.symbols)
    lists: dict[str, list[object]] = {
        "memories": [atrisk.shown(risk) for risk in risks],
        "constraining": [short(view) for view in constraining],
        "symbols": [_symbol(one) for one in change.symbols],
        "files": [_file(one) for one in change.files],
        "callers": list(callers),
    }
    fixed: JsonObject = {"base": f"{ref} {change.base[:10]}".strip()}
    if callers:
        fixed["limits"] = CALLS
    concerned = {view.memory.id: view for view in (*(risk.view for risk in risks), *constraining)}
    figures = envelope(ws, fresh, concerned.values(), total=sum(len(rows) for rows in lists.values()))
    return pack_sections(lists, figures, budget, fixed=fixed)


def _within(places: Iterable[str]) -> Wanted:
    """What lies at or below one of these; everything, when there are none."""
    exact = frozenset(places)
    if not exact or "." in exact:
        return lambda _: True
    prefixes = tuple(f"{path}/" for path in exact)
    return lambda path: path in exact or path.startswith(prefixes)


def _meant(ws: Workspace, path: str) -> tuple[str, ...]:
    """From the root; else from the folder the workspace was opened in; both where neither is there: it was deleted."""
    gated = paths.gate(ws.root, path)
    here = relpath(ws.start.resolve().as_posix(), ws.root.path.as_posix())
    if here == "." or here.startswith("..") or lexists(ws.root.path / gated):
        return (gated,)
    try:
        there = paths.gate(ws.root, f"{here}/{path}")
    except BadPath:
        return (gated,)
    return (there,) if lexists(ws.root.path / there) else (gated, there)


def _refuse_nowhere(ws: Workspace, meant: Sequence[str], files: Iterable[Changed]) -> None:
    """A path that is neither in the working tree nor in the change is a slip, not a clean file."""
    covers = _within(meant)
    if any(lexists(ws.root.path / path) for path in meant) or any(covers(path) for path in _named(files)):
        return
    raise no_such_file(ws, next((path for path in meant if (ws.root.path / path).parent.is_dir()), meant[0]))


def _named(files: Iterable[Changed]) -> set[str]:
    return {path for one in files for path in (one.path, one.old)}


def _constrains(view: View, change: Change, was: str) -> bool:
    """A decision or intent, active now or before the change, on a changed symbol or what encloses it: class, file."""
    if view.memory.kind not in ("decision", "intent") or "active" not in (view.standing.status, was):
        return False
    fates = view.standing.fates
    slots = [anchor.slot for anchor in view.memory.anchors]
    slots += [fate.at for anchor in view.memory.anchors if (fate := fates.get(anchor.id)) and fate.at]
    changed = [slot for one in change.symbols for slot in (one.old, one.new) if slot]
    changed += [Slot(path) for path in change.paths()]
    return any(_encloses(slot, one) for slot in slots for one in changed)


def _encloses(slot: Slot, changed: Slot) -> bool:
    if slot.path != changed.path:
        return False
    inner = changed.qualified
    return not slot.qualified or inner == slot.qualified or inner.startswith(f"{slot.qualified}.")


def _callers(ws: Workspace, changed: Sequence[SymbolDiff]) -> list[JsonObject]:
    """One hop, of what was edited, renamed or deleted; not from code that is itself among the changed symbols."""
    own = {str(slot) for one in changed for slot in (one.new, one.old) if slot}
    scope = Scope(ws)
    found: dict[tuple[str, str], JsonObject] = {}
    for slot, gone in list(_called(changed))[:MOST_CALLED]:
        for kin in lineage.callers(scope, slot, 1, gone=gone):
            if kin.at not in own:
                row: JsonObject = {"at": kin.at, "calls": str(slot), "line": kin.line, "is": kin.clarity}
                found.setdefault((kin.at, str(slot)), row)
        if len(found) >= MOST_CALLERS:
            break
    return list(found.values())[:MOST_CALLERS]


def _called(changed: Sequence[SymbolDiff]) -> Iterator[tuple[Slot, bool]]:
    """Slots that somebody may call, and whether the symbol is gone from there."""
    for one in changed:
        if one.status != "added":
            yield from ((slot, slot != one.new) for slot in dict.fromkeys(filter(None, (one.new, one.old))))


def _symbol(one: SymbolDiff) -> JsonObject:
    here = one.new or one.old
    moved = one.status == "renamed" and one.old is not None
    now = one.after or one.before
    return lean(
        {
            "change": one.status,
            "at": str(here),
            "was": str(one.old) if moved else "",
            "kind": now.kind if now else "",
            "line": one.after.start_line if one.after else None,
            "signature": _signature_change(one),
        }
    )


def _signature_change(one: SymbolDiff) -> str:
    """The head before and after, where it differs."""
    if one.before and one.after and one.before.head != one.after.head:
        return f"{seen(preview(one.before.head, 100))} → {seen(preview(one.after.head, 100))}"
    return ""


def _file(one: Changed) -> JsonObject:
    return lean({"change": one.status, "path": one.path, "was": one.old if one.old != one.path else ""})

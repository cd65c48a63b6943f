"""Which memories a change puts at risk: their fate before it and after it. Knows nothing of how a change was found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anchormem.model import Anchor, Fate, JsonObject, Place, Slot
from anchormem.project import disk
from anchormem.reason.scene import Scene
from anchormem.reason.standing import standing
from anchormem.store import facts, memories
from anchormem.workspace.difference import Changed, SymbolDiff
from anchormem.workspace.present import preview, short, where
from anchormem.workspace.session import Workspace
from anchormem.workspace.tree import Tree, equal_places, fate_in
from anchormem.workspace.view import View

ORDER = {"invalidated": 0, "stale": 1, "unknown": 2, "active": 3}


@dataclass(frozen=True, slots=True)
class Risk:
    """`before`: fates at the base by anchor id; those after are the view's own. `was`: the status at the base."""

    view: View
    before: Mapping[int, Fate]
    was: str


def at_risk(
    ws: Workspace, known: Sequence[View], changed: Sequence[Changed], symbols: Sequence[SymbolDiff]
) -> list[Risk]:
    """Those with an anchor whose fate the change alters, or that is on a changed symbol and not well. Worst first."""
    base = _Base(ws, changed)
    touched = {slot for one in symbols for slot in (one.old, one.new) if slot}
    whole = {memory.id: memory for memory in memories.get(ws.store, [view.memory.id for view in known])}
    risks = [
        Risk(view, before, standing(view.memory, before).status)
        for view in known
        if (before := {anchor.id: base.fate(anchor) for anchor in whole[view.memory.id].anchors})
        and _is_at_risk(view, before, touched)
    ]
    return sorted(risks, key=lambda risk: (ORDER.get(risk.view.standing.status, 4), risk.view.memory.id))


class _Base:
    """The tree before the change: changed files as they were, all others as they are."""

    def __init__(self, ws: Workspace, changed: Sequence[Changed]) -> None:
        self._ws = ws
        self._then = {one.old: one.before for one in changed if one.before is not None}
        self._came = {one.path for one in changed} - set(self._then)
        self._now = {one.path for one in changed}
        self._tree = Tree(self._read, ws.config.extensions)

    def _read(self, path: str) -> bytes | None:
        if path in self._then or path in self._came:
            return self._then.get(path)
        got = disk.read(self._ws.root, path)
        return got.data if isinstance(got, disk.Contents) else None

    def fate(self, anchor: Anchor) -> Fate:
        return fate_in(self._tree, anchor, self._elsewhere, {}, {})

    def _elsewhere(self, scene: Scene) -> Iterable[Place]:
        yield from equal_places(self._tree, self._then, scene)
        if scene.follow_by is not None and scene.anchor.slot.qualified:
            for place in facts.places_of_bodies(self._ws.store, [scene.follow_by]).get(scene.follow_by, []):
                if place.slot.path not in self._now:
                    yield place


def _is_at_risk(view: View, before: Mapping[int, Fate], touched: set[Slot]) -> bool:
    for anchor in view.memory.anchors:
        now, then = view.standing.fates.get(anchor.id), before[anchor.id]
        if now is None or (now.name, now.reason, now.at) != (then.name, then.reason, then.at):
            return True
        if now.name not in ("fresh", "followed") and where(anchor, now) in touched:
            return True
    return False


def shown(risk: Risk) -> JsonObject:
    """An item with each altered anchor's fate before and after."""
    fates = risk.view.standing.fates
    rows = []
    for anchor in risk.view.memory.anchors:
        then, now = risk.before[anchor.id], fates.get(anchor.id, Fate("unknown", "pending"))
        row: JsonObject = {"at": str(where(anchor, now)), "before": spelled(then), "after": spelled(now)}
        rows.append({**row, **({"candidates": list(now.candidates)} if now.candidates else {})})
    made = short(risk.view)
    return {**made, "body": preview(risk.view.memory.body, 240), "was": risk.was, "fates": rows}


def spelled(fate: Fate) -> str:
    """`stale:body_edited`, `followed`, `fresh`."""
    return f"{fate.name}:{fate.reason}" if fate.reason else fate.name

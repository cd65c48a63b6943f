"""Memories whole, by id: body, evidence, links, anchors with fates, changes, history."""

from collections.abc import Mapping, Sequence

from anchormem.errors import NotFound
from anchormem.model import Evidence, Fate, JsonObject, Memory, Reply, Revision
from anchormem.reason import pack
from anchormem.reason.envelope import day, lean
from anchormem.store import memories, revisions
from anchormem.workspace import ids, receipt
from anchormem.workspace.changes import changes
from anchormem.workspace.figures import envelope
from anchormem.workspace.freshness import refresh
from anchormem.workspace.opposition import noticed
from anchormem.workspace.present import anchor_object, item, marks
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View, of_ids, on_paths
from anchormem.workspace.why import dated

DIFF_CHARACTERS = 2000


def recall(ws: Workspace, wanted: Sequence[str], budget_tokens: int, offset: int) -> Reply:
    """The named memories in the given order, superseded and archived ones too. NotFound names the first missing one."""
    found = list(dict.fromkeys(ids.find(ws.store, name) for name in wanted))
    fresh = refresh(ws)
    views = of_ids(ws.store, found, fresh)
    near = on_paths(ws.store, {path for view in views.values() for path in view.places()}, fresh)
    views |= {name: view for name, view in noticed((*near, *views.values()), views).items() if name in views}
    shown = [_present(views, name) for name in found]
    full = {memory.id: memory for memory in memories.get(ws.store, found)}
    items = whole(ws, [(view, full[view.memory.id]) for view in shown], offset)
    reply = pack.pack(items, envelope(ws, fresh, shown), budget_tokens, offset=offset)
    receipt.record(ws, " ".join(found), reply, views)
    return reply


def _present(views: dict[str, View], name: str) -> View:
    if name not in views or views[name].memory.forgotten_at:
        raise NotFound(f"{name} was forgotten", f"admin restore {name} brings it back, for 30 days")
    return views[name]


def whole(ws: Workspace, shown: Sequence[tuple[View, Memory]], offset: int = 0) -> list[JsonObject]:
    """Everything about these memories; each comes with the anchored text that a diff needs."""
    fates = dated(ws, [(anchor, view.standing.fates[anchor.id]) for view, full in shown for anchor in full.anchors])
    return [_whole(ws, view, full, fates, offset) for view, full in shown]


def _whole(ws: Workspace, view: View, full: Memory, fates: Mapping[int, Fate], offset: int) -> JsonObject:
    return {
        **item(view, body=full.body[offset:]),
        **lean(
            {
                **marks(full),
                "anchors": [anchor_object(anchor, fates.get(anchor.id)) for anchor in full.anchors],
                "evidence": evidence(full.evidence) if full.evidence else None,
                "links": [{"target": link.target, "rel": link.rel} for link in full.links],
                "changes": changes(ws, full, fates, DIFF_CHARACTERS),
                "history": [revision(one) for one in revisions.history(ws.store, full.id)],
            }
        ),
    }


def evidence(held: Evidence) -> JsonObject:
    """`text_only`: an imported command that no person has approved."""
    return {
        "command": held.command,
        "output": held.output,
        "exit_code": held.exit_code,
        "digest": held.digest.hex(),
        "on": day(held.at),
        **({} if held.approved else {"text_only": True}),
    }


def revision(one: Revision) -> JsonObject:
    return {"revision": one.number, "act": one.act, "on": day(one.at)}

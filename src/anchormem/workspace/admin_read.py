"""Administrative operations that read: get, list, history (which restores a revision when asked), consolidate."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from anchormem.errors import NotFound
from anchormem.model import JsonObject, Memory, Reply, Revision
from anchormem.project import paths
from anchormem.reason import similar
from anchormem.reason.envelope import day, lean
from anchormem.store import links, listing, memories, revisions, search
from anchormem.store.listing import Filter
from anchormem.workspace import given, ids
from anchormem.workspace.binding import printed
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import Freshness, refresh
from anchormem.workspace.opposition import noticed
from anchormem.workspace.present import item, marks, preview, short
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View, of_ids, views
from anchormem.workspace.whole import whole
from anchormem.workspace.why import explain

LIMIT = 50
MOST = 100_000
CLUSTERS, MEMBERS = 20, 12  # shown
BODY = 240


def get(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str]. Everything, and for each anchor why its fate is what it is."""
    wanted = ids.several(ws.store, given.texts(args, "ids"))
    fresh = refresh(ws)
    seen = of_ids(ws.store, [one.id for one in wanted], fresh)
    current = memories.get(ws.store, [one.id for one in wanted])  # a refresh may have proved one more slot
    known = [(seen[one.id], one) for one in current if one.id in seen]
    found = [_explained(ws, full, shown) for (_, full), shown in zip(known, whole(ws, known), strict=True)]
    return reply(ws, fresh, found, seen.values())


def _explained(ws: Workspace, full: Memory, shown: JsonObject) -> JsonObject:
    """The memory whole, with the reasons beside each anchor."""
    anchors = shown.get("anchors")
    rows = anchors if isinstance(anchors, list) else []
    explained = [
        {**row, "slots": [str(slot) for slot in anchor.slots], "why": explain(ws, anchor)}
        for row, anchor in zip(rows, full.anchors, strict=True)
    ]
    around = links.superseding(ws.store, full.id)
    return {
        **shown,
        **lean({"anchors": explained, "supersedes": list(around.supersedes), "base_confidence": full.confidence}),
    }


# ── list ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def list_memories(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`kinds` list[str] [], `status` str "" (active|stale|invalidated|unknown|superseded|archived|forgotten),
    `source` str "", `path` str "", `text` str "", `limit` int 50, `offset` int 0. All included unless filtered.
    """
    fresh = refresh(ws)
    status, path = given.text(args, "status"), given.text(args, "path")
    limit, offset = given.whole(args, "limit", LIMIT), given.whole(args, "offset", 0)
    wanted = Filter(
        kinds=given.texts(args, "kinds"),
        sources=given.texts(args, "source"),
        text=given.text(args, "text"),
        archived={"archived": True}.get(status),
        forgotten=True if status == "forgotten" else None if not status else False,
        superseded={"superseded": True}.get(status),
    )
    derived = bool(path) or status in ("active", "stale", "invalidated", "unknown")
    page = listing.page(ws.store, wanted, offset=0 if derived else offset, limit=MOST if derived else limit)
    seen = of_ids(ws.store, [one.id for one in page.memories], fresh)
    shown = [seen[one.id] for one in page.memories if one.id in seen]
    total = page.total
    if derived:
        keep = _passes(status, paths.gate(ws.root, path) if path else "")
        shown = [view for view in shown if keep(view)]
        total, shown = len(shown), shown[offset : offset + limit]
    return _page(ws, fresh, shown, total, offset)


def _passes(status: str, path: str) -> Callable[[View], bool]:
    """Filters by what is only known per checkout."""

    def passes(view: View) -> bool:
        where = {*view.places(), *(anchor.slot.path for anchor in view.memory.anchors)}
        here = not path or path == "." or any(one == path or one.startswith(f"{path}/") for one in where)
        plain = status in ("", "archived", "forgotten", "superseded")
        return here and (plain or (view.standing.status == status and not view.memory.archived))

    return passes


def _page(ws: Workspace, fresh: Freshness, shown: list[View], total: int, offset: int) -> Reply:
    rows = [{**item(view, body=preview(view.memory.body, BODY)), **marks(view.memory)} for view in shown]
    made = reply(ws, fresh, rows, shown, total=total)
    completeness = made.meta.get("completeness")
    if isinstance(completeness, dict):
        completeness["returned"] = len(rows)
        if offset + len(rows) < total:
            completeness["omitted_reason"] = "limit"
    return made


# ── history ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def history(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str] (one), `restore_revision` int|None: bring that revision back as a new deliberate act.

    data: {id, now, history}: the latest `limit` int 50 revisions before the last `offset` int 0, oldest first;
    `earlier`, `later`: how many more there are.
    """
    number = given.whole(args, "restore_revision", 0)
    name = ids.only(given.texts(args, "ids"), "history")
    memory = ids.one(ws.store, name, exact=bool(number), forgotten=True)
    restored: JsonObject = {}
    if number:
        restored = {"restored": _restore(ws, memory, revisions.numbered(ws.store, memory.id, number))}
    fresh = refresh(ws)
    every = revisions.history(ws.store, memory.id)
    end = max(len(every) - given.whole(args, "offset", 0), 0)
    start = max(end - given.whole(args, "limit", LIMIT), 0)
    rows = [revision(one) for one in every[start:end]]
    seen = of_ids(ws.store, [memory.id], fresh)
    more = lean({"earlier": start or None, "later": len(every) - end or None})
    data = {"id": memory.id, **restored, **_now(seen.get(memory.id)), **more, "history": rows}
    return reply(ws, fresh, data, seen.values())


def _now(view: View | None) -> JsonObject:
    return {} if view is None else {"now": {**short(view), **marks(view.memory)}}


def _restore(ws: Workspace, memory: Memory, wanted: Revision) -> JsonObject:
    """The old words, anchors and evidence as a new act. What others say of it (superseded) stays as it is."""
    if memory.forgotten_at:
        raise NotFound(f"{memory.id} was forgotten", f"admin restore {memory.id} first")
    now = ws.now()
    old = wanted.memory
    after = replace(
        memory,
        kind=old.kind,
        body=old.body,
        source=old.source,
        confidence=old.confidence,
        evidence=old.evidence,
        anchors=old.anchors,
        imported=old.imported,
        private=memory.private or old.private,
        updated_at=now,
    )
    memories.replace(ws.store, after, "restore", now)
    return {"revision": wanted.number, "act": wanted.act, "from": day(wanted.at)}


def revision(one: Revision) -> JsonObject:
    """A state as it was before an act."""
    old = one.memory
    return lean(
        {
            "revision": one.number,
            "before": one.act,
            "on": day(one.at),
            "kind": old.kind,
            "body": preview(old.body, BODY),
            "source": old.source,
            "anchors": [printed(anchor) for anchor in old.anchors],
            "command": old.evidence.command if old.evidence else "",
        }
    )


# ── consolidate ─────────────────────────────────────────────────────────────────────────────────────────────────────


def consolidate(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`limit` int 20. Read-only clusters of same-anchor overlapping memories, the largest first.

    data: list of {at, memories (12 items, the rest counted by `more`), ways}; a contradiction within one is flagged.
    """
    fresh = refresh(ws)
    everything = views(search.standing(ws.store), fresh)
    alive = (view for view in everything if not (view.memory.archived or view.memory.superseded_by))
    found = noticed(view for view in alive if view.memory.anchors)
    bodies = {name: view.memory.body for name, view in found.items()}
    groups = similar.clusters(bodies, {name: _slots(view) for name, view in found.items()})
    groups = tuple(sorted(groups, key=lambda group: (-len(group), group)))
    limit = given.whole(args, "limit", CLUSTERS)
    rows = [_cluster([found[name] for name in group]) for group in groups[:limit]]
    members = {name: found[name] for group in groups for name in group}
    made = reply(ws, fresh, rows, members.values(), total=len(groups))
    completeness = made.meta.get("completeness")
    if isinstance(completeness, dict) and len(groups) > limit:
        completeness.update(returned=len(rows), omitted_reason="limit")
    return made


def _slots(view: View) -> Iterable[str]:
    fates = view.standing.fates
    return {str(((fate := fates.get(anchor.id)) and fate.at) or anchor.slot) for anchor in view.memory.anchors}


def _cluster(group: list[View]) -> JsonObject:
    shared = set.intersection(*(set(_slots(view)) for view in group))
    return {
        "at": sorted(shared) or sorted(set().union(*(_slots(view) for view in group))),
        "memories": [item(view, body=preview(view.memory.body, BODY)) for view in group[:MEMBERS]],
        **lean({"more": max(len(group) - MEMBERS, 0) or None}),
        "ways": ["remember with supersedes", "update one and forget the others", "archive"],
    }

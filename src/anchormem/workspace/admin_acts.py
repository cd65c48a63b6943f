"""Deliberate acts on stored memories that need no code: forget, archive, restore, unlink."""

from collections.abc import Mapping, Sequence

from anchormem.errors import NotFound, Refused, UsageError
from anchormem.model import JsonObject, Memory, Reply
from anchormem.reason.envelope import lean
from anchormem.store import links, memories
from anchormem.workspace import draft, given, ids
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.present import preview
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import of_ids

KEPT_DAYS = 30


def forget(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], exact. Tombstones, recoverable for 30 days with restore; says what stays superseded."""
    wanted = ids.several(ws.store, given.texts(args, "ids"), exact=True)
    now = ws.now()
    with ws.store.writing():
        done = [_forgotten(ws, memory, now) for memory in wanted]
    return _told(ws, {"forgotten": done, "recoverable": f"{KEPT_DAYS} days, with admin restore"}, ())


def _forgotten(ws: Workspace, memory: Memory, now: int) -> JsonObject:
    around = links.superseding(ws.store, memory.id)
    memories.forget(ws.store, memory.id, now)
    stays = [target for target in around.supersedes if target != memory.id]
    return lean(
        {
            "id": memory.id,
            "body": preview(memory.body, 100),
            "stay_superseded": stays,
            "hint": f"admin unlink id={memory.id} target={stays[0]} rel=supersedes brings it back" if stays else "",
        }
    )


def archive(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], exact."""
    wanted = ids.several(ws.store, given.texts(args, "ids"), exact=True)
    now = ws.now()
    with ws.store.writing():
        changed = [one.id for one in wanted if memories.set_archived(ws.store, one.id, now, archived=True)]
    already = [one.id for one in wanted if one.id not in changed]
    return _told(ws, lean({"archived": changed, "already_archived": already}), [one.id for one in wanted])


def restore(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], exact. Takes back archive or forget."""
    wanted = ids.several(ws.store, given.texts(args, "ids"), exact=True, forgotten=True)
    now = ws.now()
    unforgotten: list[str] = []
    unarchived: list[str] = []
    with ws.store.writing():
        for memory in wanted:
            if memory.forgotten_at:
                memories.unforget(ws.store, memory.id, now)
                unforgotten.append(memory.id)
            elif memories.set_archived(ws.store, memory.id, now, archived=False):
                unarchived.append(memory.id)
    neither = [one.id for one in wanted if one.id not in (*unforgotten, *unarchived)]
    data = lean({"remembered_again": unforgotten, "unarchived": unarchived, "were_neither": neither})
    return _told(ws, data, [one.id for one in wanted])


def unlink(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str] (one, exact), `target` str, `rel` str supports|contradicts|supersedes."""
    rel = draft.RELATIONS.get(given.text(args, "rel"))
    if rel is None:
        raise UsageError("rel is missing", f"rel is one of: {', '.join(draft.RELATIONS)}")
    memory = ids.one(ws.store, ids.only(given.texts(args, "ids"), "unlink"), exact=True, forgotten=True)
    target = ids.one(ws.store, given.text(args, "target"), exact=True, forgotten=True)
    if memory.id == target.id:
        raise Refused(f"{memory.id} is not linked to itself", "name the other memory as target")
    if not links.unlink(ws.store, memory.id, target.id, rel, ws.now()):
        raise NotFound(f"{memory.id} has no link {rel} to {target.id}", _existing(memory))
    data = lean(
        {
            "unlinked": {"id": memory.id, "target": target.id, "rel": rel},
            "stands_again": [target.id] if rel == "supersedes" else [],
        }
    )
    return _told(ws, data, [one.id for one in (memory, target) if not one.forgotten_at])


def _existing(memory: Memory) -> str:
    named = ", ".join(f"{link.rel} {link.target}" for link in memory.links)
    return f"its links: {named}" if named else "it has no links; a link is taken back from the side that made it"


def _told(ws: Workspace, data: JsonObject, concerned: Sequence[str]) -> Reply:
    fresh = refresh(ws)
    return reply(ws, fresh, data, of_ids(ws.store, concerned, fresh).values())

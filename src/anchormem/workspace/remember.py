"""Remember: one new memory, or one changed in place, with every anchor resolved or nothing stored."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from anchormem.errors import AnchormemError, Refused, UsageError
from anchormem.model import Anchor, JsonObject, Link, Memory, Reply, Source
from anchormem.reason.envelope import lean
from anchormem.reason.standing import base_confidence
from anchormem.store import links, memories
from anchormem.workspace import alike, draft, given, ids, update
from anchormem.workspace.advice import advise
from anchormem.workspace.binding import bind, paths_of, printed
from anchormem.workspace.draft import Draft
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import Freshness, refresh
from anchormem.workspace.session import Workspace, save
from anchormem.workspace.view import of_ids


def remember(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`kind` str "", `body` str "" (both needed unless update), `anchors` list[dict|str] | None (dict: file, symbol,
    aspect, quote; None: absent), `evidence` dict|None {command, output, exit_code=0}, `links` list[dict] | None
    {target, rel}, `supersedes` str "", `source` str "" (explicit|mined), `confidence` float|None, `private` bool|None,
    `origin` str "", `force` bool False, `update` str "" (id), `by` str "agent" (human on the command line).

    data: {id, anchors, possible_duplicates, possible_conflicts, advice, …} with empty ones left out.
    """
    said = draft.read(args, ws.now())
    target = given.text(args, "update")
    if not target and (said.kind is None or not said.body):
        missing = "kind" if said.kind is None else "body"
        raise UsageError(f"{missing} is missing", f"a new memory needs kind ({', '.join(draft.KINDS)}) and body")
    before = ids.one(ws.store, target) if target else None
    wanted = _linked(ws, said, before)
    fresh = refresh(ws, paths_of(wanted.anchors or ()))
    bound = None if wanted.anchors is None else bind(ws, wanted.anchors)
    if before is not None:
        stored, notes = update.apply(ws, before, wanted, bound)
    else:
        stored, notes = _store(ws, wanted, bound or ())
        ws.afterwards.append(partial(save, ws))
    return _answer(ws, fresh, stored, notes)


def _linked(ws: Workspace, wanted: Draft, before: Memory | None) -> Draft:
    """The draft with link targets found, or the error of the first that is not there."""
    supersedes = tuple(ids.one(ws.store, name).id for name in wanted.supersedes)
    pairs = None
    if wanted.links is not None:
        pairs = tuple(Link(ids.one(ws.store, link.target).id, link.rel) for link in wanted.links)
    own = before.id if before else ""
    if own and own in (*supersedes, *(link.target for link in pairs or ())):
        raise Refused(f"{own} cannot be linked to itself", "name another memory")
    return replace(wanted, links=pairs, supersedes=supersedes)


def _store(ws: Workspace, wanted: Draft, anchors: tuple[Anchor, ...]) -> tuple[Memory, JsonObject]:
    """Everything in one transaction, so that two writers cannot both be first."""
    memory = _made(ws, wanted, anchors)
    with ws.store.writing():
        alike.refuse_origin(ws.store, wanted.origin)
        neighbours = alike.in_slots(ws.store, anchors, besides=wanted.supersedes)
        if not wanted.force:
            alike.refuse_copy(memory.body, neighbours)
        notes = alike.notice(ws.store, memory.body, neighbours, wanted.supersedes)
        stored = memories.insert(ws.store, memory)
        for target in wanted.supersedes:
            links.supersede(ws.store, stored.id, target, stored.created_at)
    return stored, {"superseded": list(wanted.supersedes), **notes}


def _made(ws: Workspace, wanted: Draft, anchors: tuple[Anchor, ...]) -> Memory:
    source: Source = "verified" if wanted.evidence else wanted.source or "explicit"
    now = ws.now()
    return Memory(
        id=ids.new_id(),
        kind=wanted.kind or "fact",
        body=wanted.body,
        source=source,
        confidence=base_confidence(source, wanted.confidence),
        created_at=now,
        updated_at=now,
        by=wanted.by,
        client=ws.client,
        session=ws.session,
        origin=wanted.origin,
        private=bool(wanted.private),
        evidence=wanted.evidence,
        links=(*(wanted.links or ()), *(Link(target, "supersedes") for target in wanted.supersedes)),
        anchors=anchors,
    )


def _answer(ws: Workspace, fresh: Freshness, stored: Memory, notes: JsonObject) -> Reply:
    data = lean(
        {
            "id": stored.id,
            "anchors": [printed(anchor) for anchor in stored.anchors],
            "source": stored.source if stored.source != "explicit" else "",
            **notes,
            "advice": advise(ws, stored.body, stored.anchors),
        }
    )
    fresh = settled(ws, fresh)
    return reply(ws, fresh, data, of_ids(ws.store, [stored.id], fresh).values())


def settled(ws: Workspace, before: Freshness) -> Freshness:
    """Resolves new anchors now, so that hook and status line know them. What is stored stays so if that fails."""
    try:
        return refresh(ws)
    except AnchormemError:
        return before

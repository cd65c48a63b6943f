"""Changing a memory in place: what was given replaces what was there, id and history stay.

Content changed without new evidence is no longer proved, so verified becomes explicit. Knows nothing of arguments.
"""

from dataclasses import replace

from anchormem.errors import NotFound, Refused, UsageError
from anchormem.model import Anchor, JsonObject, Link, Memory, Source
from anchormem.reason.standing import base_confidence
from anchormem.store import links, memories
from anchormem.workspace import alike
from anchormem.workspace.binding import printed, rebind
from anchormem.workspace.draft import Draft
from anchormem.workspace.session import Workspace


def apply(ws: Workspace, before: Memory, wanted: Draft, bound: tuple[Anchor, ...] | None) -> tuple[Memory, JsonObject]:
    """The memory as it is now, and notes that say exactly what changed."""
    if before.superseded_by:
        raise Refused(
            f"{before.id} is superseded by {before.superseded_by}",
            f"update {before.superseded_by}, or admin unlink takes the supersede back",
        )
    after, unresolved = _changed(ws, before, wanted, bound)
    fields = _differing(before, after, wanted)
    if not fields:
        raise UsageError("nothing to update: all is as it was", "give what changes; admin confirm says it still holds")
    with ws.store.writing():
        notes = _replace(ws, before, after, wanted, reworded="body" in fields)
        stored = memories.one(ws.store, before.id)
    source = f"{before.source} → {after.source}" if before.source != after.source else ""
    return stored, {"updated": fields, "source_was": source, "unresolved": unresolved, **notes}


def _replace(ws: Workspace, before: Memory, after: Memory, wanted: Draft, *, reworded: bool) -> JsonObject:
    alike.refuse_origin(ws.store, wanted.origin, before.id)
    others = (before.id, *wanted.supersedes)
    neighbours = alike.in_slots(ws.store, after.anchors, besides=others)
    if reworded and not wanted.force:
        alike.refuse_copy(after.body, neighbours)
    memories.replace(ws.store, after, "update", after.updated_at)
    for target in wanted.supersedes:
        links.supersede(ws.store, before.id, target, after.updated_at)
    notes = alike.notice(ws.store, after.body, neighbours, others) if reworded else {}
    return {"superseded": list(wanted.supersedes), **notes}


def _changed(
    ws: Workspace, before: Memory, wanted: Draft, bound: tuple[Anchor, ...] | None
) -> tuple[Memory, list[str]]:
    body = wanted.body or before.body
    renewed = body != before.body or bound is not None or wanted.evidence is not None
    anchors, unresolved = bound if bound is not None else before.anchors, list[str]()
    if bound is None and renewed:
        anchors, unresolved = rebound(ws, before.anchors)
    source = _source(before, wanted, renewed=renewed)
    kept = wanted.confidence is None and source == before.source
    after = replace(
        before,
        kind=wanted.kind or before.kind,
        body=body,
        source=source,
        confidence=before.confidence if kept else base_confidence(source, wanted.confidence),
        updated_at=ws.now(),
        origin=wanted.origin or before.origin,
        private=before.private if wanted.private is None else wanted.private,
        imported=before.imported and wanted.evidence is None,
        evidence=wanted.evidence or before.evidence,
        links=_links(before, wanted),
        anchors=anchors,
    )
    return after, unresolved


def _source(before: Memory, wanted: Draft, *, renewed: bool) -> Source:
    if wanted.evidence:
        return "verified"
    if wanted.source:
        return wanted.source
    return "explicit" if renewed and before.source == "verified" else before.source


def _links(before: Memory, wanted: Draft) -> tuple[Link, ...]:
    """Given links replace the others, but a supersede is taken back by unlink alone."""
    if wanted.links is None:
        return before.links
    return (*(link for link in before.links if link.rel == "supersedes"), *wanted.links)


def _differing(before: Memory, after: Memory, wanted: Draft) -> list[str]:
    differs = {
        "kind": before.kind != after.kind,
        "body": before.body != after.body,
        "source": before.source != after.source,
        "confidence": before.confidence != after.confidence,
        "anchors": before.anchors != after.anchors if wanted.anchors else _ties(before) != _ties(after),
        "evidence": before.evidence != after.evidence,
        "links": before.links != after.links or bool(wanted.supersedes),
        "private": before.private != after.private,
        "origin": before.origin != after.origin,
    }
    return [name for name, changed in differs.items() if changed]


def _ties(memory: Memory) -> list[tuple[object, ...]]:
    """What its anchors hold on to: tied anew to code that is as it was, they have not changed."""
    return [(one.slot, one.aspect, one.quote, one.body, one.quote_tokens) for one in memory.anchors]


def rebound(ws: Workspace, anchors: tuple[Anchor, ...]) -> tuple[tuple[Anchor, ...], list[str]]:
    """The anchors tied to today's code where that can be; the others stay as written and are named."""
    made: list[Anchor] = []
    unresolved: list[str] = []
    for anchor in anchors:
        try:
            made += rebind(ws, [anchor])
        except (Refused, NotFound):
            made.append(anchor)
            unresolved.append(printed(anchor))
    return tuple(made), unresolved

"""Deliberate acts that tie a memory to today's code again: reverify, confirm, reanchor."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from anchormem.errors import Refused, UsageError
from anchormem.model import Anchor, JsonObject, Memory, Reply
from anchormem.reason.envelope import lean
from anchormem.reason.standing import IMPORTED_HIGHEST, base_confidence
from anchormem.store import memories
from anchormem.workspace import draft, given, ids
from anchormem.workspace.binding import bind, paths_of, printed, rebind
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import of_ids

CONFIRMED_HIGHEST = 0.8


def reverify(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str] (one), `command` str, `output` str, `exit_code` int 0. New evidence, verified, rebound."""
    draft.refuse_secrets(args)
    memory = _standing(ids.one(ws.store, ids.only(given.texts(args, "ids"), "reverify")), "reverified")
    now = ws.now()
    proof = draft.proof(given.text(args, "command"), given.text(args, "output"), given.whole(args, "exit_code", 0), now)
    refresh(ws)
    anchors = rebind(ws, memory.anchors)
    after = replace(
        memory,
        source="verified",
        confidence=base_confidence("verified"),
        updated_at=now,
        imported=False,
        evidence=proof,
        anchors=anchors,
    )
    memories.replace(ws.store, after, "reverify", now)
    return _told(ws, {"reverified": [_difference(memory, after)]}, [memory.id])


def confirm(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str]. Still true by word of mouth: rebound, explicit, at most 0.8."""
    found = [_standing(one, "confirmed") for one in ids.several(ws.store, given.texts(args, "ids"))]
    refresh(ws)
    now = ws.now()
    made = [_confirmed(one, rebind(ws, one.anchors), now) for one in found]
    with ws.store.writing():
        for memory in made:
            memories.replace(ws.store, memory, "confirm", now)
    told = [_difference(before, after) for before, after in zip(found, made, strict=True)]
    return _told(ws, {"confirmed": told}, [one.id for one in found])


def _confirmed(memory: Memory, anchors: tuple[Anchor, ...], now: int) -> Memory:
    """Nobody's word makes a note from history a statement worth more than its own base, nor proves an import."""
    source = "explicit" if memory.source == "verified" else memory.source
    highest = min(CONFIRMED_HIGHEST, IMPORTED_HIGHEST) if memory.imported else CONFIRMED_HIGHEST
    return replace(memory, source=source, confidence=min(memory.confidence, highest), updated_at=now, anchors=anchors)


def reanchor(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], `anchors` list[dict|str]. Replaces the anchors of each."""
    draft.refuse_secrets(args)
    wanted = given.several(args, "anchors")
    if not wanted:
        raise UsageError("anchors are missing", "give anchors: file, or path::symbol; forget takes a memory away")
    found = [_standing(one, "anchored") for one in ids.several(ws.store, given.texts(args, "ids"), exact=True)]
    refresh(ws, paths_of(wanted))
    anchors = bind(ws, wanted)
    now = ws.now()
    made = [_reanchored(one, anchors, now) for one in found]
    with ws.store.writing():
        for memory in made:
            memories.replace(ws.store, memory, "reanchor", now)
    told = [_difference(before, after) for before, after in zip(found, made, strict=True)]
    return _told(ws, {"reanchored": told}, [one.id for one in found])


def _reanchored(memory: Memory, anchors: tuple[Anchor, ...], now: int) -> Memory:
    """Evidence speaks of the code it was gathered on; tied to other code it is a claim."""
    if memory.source != "verified":
        return replace(memory, updated_at=now, anchors=anchors)
    confidence = base_confidence("explicit", imported=memory.imported)
    return replace(memory, source="explicit", confidence=confidence, updated_at=now, anchors=anchors)


def _standing(memory: Memory, done: str) -> Memory:
    if memory.superseded_by:
        raise Refused(
            f"{memory.id} is superseded by {memory.superseded_by} and cannot be {done}",
            f"act on {memory.superseded_by}, or admin unlink takes the supersede back",
        )
    if memory.archived:
        raise Refused(f"{memory.id} is archived and cannot be {done}", f"admin restore {memory.id} first")
    return memory


def _difference(before: Memory, after: Memory) -> JsonObject:
    """What changed, said exactly."""
    return lean(
        {
            "id": after.id,
            "source": _arrow(before.source, after.source),
            "confidence": _arrow(f"{before.confidence:.2f}", f"{after.confidence:.2f}"),
            "anchors": [printed(anchor) for anchor in after.anchors],
            "were": [name for name in map(printed, before.anchors) if name not in set(map(printed, after.anchors))],
            "command": after.evidence.command if after.evidence and after.evidence != before.evidence else "",
            "still_offered": after.evidence.command if _demoted(before, after) and after.evidence else "",
            "no_longer_imported": before.imported and not after.imported,
        }
    )


def _demoted(before: Memory, after: Memory) -> bool:
    return before.source == "verified" != after.source


def _arrow(before: str, after: str) -> str:
    return after if before == after else f"{before} → {after}"


def _told(ws: Workspace, data: JsonObject, concerned: Iterable[str]) -> Reply:
    fresh = refresh(ws)
    return reply(ws, fresh, data, of_ids(ws.store, concerned, fresh).values())

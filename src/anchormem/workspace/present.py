"""How a memory looks in a reply: flags, anchors, items. Every byte here is paid for by somebody's context window.

Knows nothing of budgets, files and the store.
"""

from anchormem.model import Anchor, Fate, JsonObject, Memory, Slot
from anchormem.reason.envelope import day, lean
from anchormem.text import secrets
from anchormem.workspace.view import View, changed

PREVIEW = 160


def flags(view: View) -> list[str]:
    """What a reader must know before relying on it, the gravest first."""
    memory, status = view.memory, view.standing.status
    doubted = status in ("stale", "invalidated", "unknown")
    shown = [f"{status}:{reason}" for reason in view.standing.reasons] if doubted else []
    if memory.superseded_by:
        shown.append(f"superseded-by:{memory.superseded_by}")
    shown += [f"contradicted-by:{other}" for other in view.contradicted_by]
    if command := proof(view):
        shown.append(f"reverify:{command}")
    if not memory.anchors:
        shown.append("unanchored")
    return shown


def proof(view: View) -> str:
    """The command that would prove a stale verified memory again; "" where none may be offered."""
    evidence = view.memory.evidence
    if view.standing.status != "stale" or view.memory.source != "verified" or evidence is None:
        return ""
    return evidence.command if evidence.approved and not view.memory.imported else ""


def where(anchor: Anchor, fate: Fate | None) -> Slot:
    """Where the anchored code is now, or was when it was last known."""
    return fate.at if fate and fate.at else anchor.slot


def anchor_strings(view: View) -> list[str]:
    fates = view.standing.fates
    return list(dict.fromkeys(str(where(anchor, fates.get(anchor.id))) for anchor in view.memory.anchors))


def anchor_object(anchor: Anchor, fate: Fate | None) -> JsonObject:
    """One anchor whole. `was` only where the code is no longer where it was written."""
    now, change = where(anchor, fate), fate.change if fate else None
    elsewhere = fate.detail[:10] if fate and fate.reason == "other_branch" else ""  # the commit that has the code
    return lean(
        {
            "at": str(now),
            "was": str(anchor.slot) if now != anchor.slot else "",
            "aspect": anchor.aspect if anchor.aspect in ("signature", "exists") else "",
            "quote": anchor.quote,
            "fate": fate.name if fate else "unknown",
            "reason": fate.reason if fate else "pending",
            "candidates": list(fate.candidates) if fate else [],
            "changed": change.summary if change else "",
            "touches": change.touches if change else False,
            "commit": (change.commit if change else "") or elsewhere,
            "doc_changed": fate.doc_changed if fate else False,
        }
    )


def item(view: View, *, matched: str = "", body: str | None = None) -> JsonObject:
    """An item of recall; keys that hold their default are left out."""
    memory, standing = view.memory, view.standing
    fates = [standing.fates[anchor.id] for anchor in memory.anchors if anchor.id in standing.fates]
    return {
        "id": memory.id,
        "kind": memory.kind,
        "body": memory.body if body is None else body,
        "conf": round(standing.confidence, 2),
        "on": day(memory.created_at),
        **lean(
            {
                "source": memory.source if memory.source != "explicit" else "",
                "imported": memory.imported,
                "status": standing.status if standing.status != "active" else "",
                "anchors": anchor_strings(view),
                "matched": matched,
                "flags": flags(view),
                "changed": changed(fates),
                "touches": view.touches,
                "doc_changed": any(fate.doc_changed for fate in fates),
            }
        ),
    }


def short(view: View) -> JsonObject:
    """An item with its body cut to a preview, for lists about something else."""
    return item(view, body=preview(view.memory.body))


def seen(code: str) -> str:
    """Code as it may be shown: what looks like a secret is withheld."""
    return secrets.shown(code)


def preview(body: str, length: int = PREVIEW) -> str:
    """The body on one line, cut at a word where possible."""
    line = " ".join(body.split())
    if len(line) <= length:
        return line
    cut = line[:length].rsplit(" ", 1)[0]
    return (cut if len(cut) > length // 2 else line[:length]) + "…"


def marks(memory: Memory) -> JsonObject:
    """What only somebody who asks for one memory wants to know."""
    return lean(
        {
            "private": memory.private,
            "archived": memory.archived,
            "forgotten": bool(memory.forgotten_at),
            "superseded_by": memory.superseded_by,
            "origin": memory.origin,
            "by": memory.by if memory.by != "agent" else "",
            "client": memory.client,
            "updated": day(memory.updated_at) if memory.updated_at != memory.created_at else "",
        }
    )

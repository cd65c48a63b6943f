"""The verify queue: what waits for a decision, and the ways out of each."""

from collections.abc import Mapping, Sequence

from anchormem.model import JsonObject, Reply
from anchormem.reason import pack
from anchormem.reason.envelope import day, lean
from anchormem.store import memories, search
from anchormem.text.tokens import BYTES_PER_TOKEN
from anchormem.workspace import given
from anchormem.workspace.changes import changes
from anchormem.workspace.draft import is_forged
from anchormem.workspace.figures import envelope
from anchormem.workspace.freshness import refresh
from anchormem.workspace.opposition import noticed
from anchormem.workspace.present import anchor_strings, flags, item, preview, proof
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View, views
from anchormem.workspace.why import dated

LIMIT = 20
BUDGET = 4000
LEAST_DIFF = 300
MOST_DIFF = 3000
PREVIEW = 400
FORGED = "its proof is forged: the output it came with is not the one it was made of, and its command is not offered"
IMPORTED = "imported: text only until a person approves it on the command line with anchormem verify"

# Within those whose change touches their words, and within the others, in this order.
_GROUPS = ("proof", "stale", "unknown", "contradicted", "invalidated")


def queue(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`limit` int 20, `kinds` list[str] [], `budget_tokens` int 4000. data: list of items, the most pressing first."""
    fresh = refresh(ws)
    kinds = given.texts(args, "kinds")
    everything = views(search.standing(ws.store), fresh)
    alive = (view for view in everything if not view.memory.archived and not view.memory.superseded_by)
    standing = noticed(alive)
    chosen = [view for view in standing.values() if not kinds or view.memory.kind in kinds]
    waiting = sorted((view for view in chosen if view.standing.status != "active"), key=pressing)
    pairs = [pair for pair in _pairs(standing) if not kinds or any(view.memory.kind in kinds for view in pair)]
    budget = given.whole(args, "budget_tokens", BUDGET)
    limit = given.whole(args, "limit", LIMIT)
    items = _items(ws, waiting, pairs, limit, budget)
    total = len(waiting) + len(pairs)
    matched = {view.memory.id: view for view in (*waiting, *(view for pair in pairs for view in pair))}
    figures = envelope(ws, fresh, matched.values(), total=total, omitted_reason="limit" if total > limit else "")
    return pack.pack(items, figures, budget)


def pressing(view: View) -> tuple[int, int, int, str]:
    """Changes that touch what a memory says first; then by what a decision takes; the oldest first."""
    return (0 if view.touches else 1, _GROUPS.index(_group(view)), view.at, view.memory.id)


def _group(view: View) -> str:
    if view.standing.status == "stale":
        return "proof" if view.memory.source == "verified" else "stale"
    return view.standing.status if view.standing.status in _GROUPS else "unknown"


def _pairs(standing: Mapping[str, View]) -> list[tuple[View, View]]:
    """Contradictions where both sides stand, each once, the older side first."""
    met: dict[frozenset[str], tuple[View, View]] = {}
    for name, view in sorted(standing.items(), key=lambda entry: (entry[1].at, entry[0])):
        for other in view.contradicted_by:
            if other in standing:
                met.setdefault(frozenset((name, other)), (view, standing[other]))
    return list(met.values())


def _items(
    ws: Workspace, waiting: Sequence[View], pairs: Sequence[tuple[View, View]], limit: int, budget: int
) -> list[JsonObject]:
    """Pairs stand after what is stale or unknown, before what is merely dead."""
    alive = [view for view in waiting if _group(view) != "invalidated"]
    dead = [view for view in waiting if _group(view) == "invalidated"]
    ordered: list[View | tuple[View, View]] = [*alive, *pairs, *dead]
    shown = ordered[:limit]
    whole = {memory.id: memory for memory in memories.get(ws.store, _ids(shown))}
    share = budget * BYTES_PER_TOKEN // (2 * max(len(shown), 1))
    diff = min(max(share, LEAST_DIFF), MOST_DIFF)
    lone = [entry for entry in shown if isinstance(entry, View)]
    fates = dated(ws, [(one, view.standing.fates[one.id]) for view in lone for one in whole[view.memory.id].anchors])
    became = {name: changes(ws, memory, fates, diff) for name, memory in whole.items()}
    return [
        waiting_item(entry, became[entry.memory.id]) if isinstance(entry, View) else _pair_item(*entry)
        for entry in shown
    ]


def _ids(shown: Sequence[View | tuple[View, View]]) -> list[str]:
    return [entry.memory.id for entry in shown if isinstance(entry, View)]


def waiting_item(view: View, became: Sequence[JsonObject]) -> JsonObject:
    """One memory with what changed and what can be done."""
    evidence = view.memory.evidence
    offered = proof(view) or (evidence.command if evidence and evidence.approved and not view.memory.imported else "")
    forged = evidence is not None and not offered and is_forged(evidence)
    untrusted = evidence.command if evidence and not offered and not forged else ""
    shown = item(view, body=preview(view.memory.body, PREVIEW))
    candidates = [name for fate in view.standing.fates.values() for name in fate.candidates]
    return {
        **shown,
        **lean(
            {
                "flags": [flag for flag in flags(view) if not flag.startswith("reverify:")],
                "command": offered,
                "command_text": untrusted,
                "note": FORGED if forged else IMPORTED if untrusted else "",
                "proved": day(evidence.at) if evidence else "",
                "candidates": list(dict.fromkeys(candidates)),
                "changes": list(became),
                "ways": ways(view, offered),
            }
        ),
    }


def ways(view: View, command: str) -> list[str]:
    """The operations that take it out of the queue. What is nowhere, or in doubt where, nobody can prove or confirm."""
    fates = view.standing.fates
    missing = any(f.name == "gone" or f.at is None or f.reason == "ambiguous_anchor" for f in fates.values())
    unwell = [fate for fate in fates.values() if fate.name not in ("fresh", "followed") and fate.reason != "epoch"]
    pending = bool(unwell) and all(fate.name == "unknown" for fate in unwell)
    if missing:
        return ["reanchor", "update", "supersede", "forget"]
    if pending and view.standing.status == "unknown":
        return ["update", "supersede", "forget"]
    return [
        *(["reverify"] if command or view.memory.source == "verified" else []),
        "confirm",
        "update",
        "supersede",
        "forget",
    ]


def _linked(one: View, other: View) -> bool:
    """Whether somebody said so: a contradiction seen by words alone has no link to take back."""
    pairs = ((one.memory, other.memory), (other.memory, one.memory))
    return any(link.rel == "contradicts" and link.target == b.id for a, b in pairs for link in a.links)


def _pair_item(one: View, other: View) -> JsonObject:
    """Two memories that contradict each other; one of them has to go, or the link."""
    return {
        "id": one.memory.id,
        "kind": one.memory.kind,
        "body": preview(one.memory.body, PREVIEW),
        "flags": [f"contradicted-by:{other.memory.id}"],
        "anchors": anchor_strings(one),
        "other": {
            "id": other.memory.id,
            "body": preview(other.memory.body, PREVIEW),
            "anchors": anchor_strings(other),
            "source": other.memory.source,
            "conf": round(other.standing.confidence, 2),
        },
        "ways": ["supersede", "update", *(["unlink"] if _linked(one, other) else []), "forget"],
    }

"""The all-time receipt, with the method it is counted by, and whether sessions ask at all."""

from collections.abc import Iterable, Mapping

from anchormem.model import JsonObject, Reply
from anchormem.store import ledger
from anchormem.workspace.admin_ledger import spelled
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.receipt import METHOD as OF_TOKENS
from anchormem.workspace.session import Workspace, settle

METHOD = (
    f"{OF_TOKENS}; sessions: runs of the server here, also one that only looked whether it starts; recalls on the"
    " command line belong to none"
)
BANDS = ((0, 0), (1, 1), (2, 4), (5, 9), (10, 19))


def stats(ws: Workspace, args: Mapping[str, object]) -> Reply:  # noqa: ARG001 — a use case like every other
    """No arguments. data: {recalls, questions, served_tokens, saved_tokens, reads_avoided, since, ratio,
    sessions, sessions_without_recall, recalls_per_session, method}.
    """
    settle(ws)
    totals = ledger.totals(ws.store)
    data: JsonObject = spelled(totals)
    if totals.served:
        data["ratio"] = round((totals.served + totals.saved) / totals.served, 1)
    data |= _sessions(ledger.by_recalls(ws.store))
    return reply(ws, refresh(ws), {**data, "method": METHOD})


def _sessions(by_recalls: Iterable[tuple[int, int]]) -> JsonObject:
    """How many sessions there were, and how many had so many recalls; nothing before the first."""
    bands: dict[str, int] = {}
    for recalls, sessions in by_recalls:
        band = _band(recalls)
        bands[band] = bands.get(band, 0) + sessions
    if not bands:
        return {}
    return {
        "sessions": sum(bands.values()),
        "sessions_without_recall": bands.get("0", 0),
        "recalls_per_session": dict(bands),
    }


def _band(recalls: int) -> str:
    """`0`, `1`, `2-4`, … `20+`."""
    for low, high in BANDS:
        if recalls <= high:
            return str(low) if low == high else f"{low}-{high}"
    return f"{BANDS[-1][1] + 1}+"

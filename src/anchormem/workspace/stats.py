"""The all-time receipt, with the method it is counted by."""

from collections.abc import Mapping

from anchormem.model import JsonObject, Reply
from anchormem.store import ledger
from anchormem.workspace.admin_ledger import spelled
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.receipt import METHOD
from anchormem.workspace.session import Workspace, settle


def stats(ws: Workspace, args: Mapping[str, object]) -> Reply:  # noqa: ARG001 — a use case like every other
    """No arguments. data: {recalls, questions, served_tokens, saved_tokens, reads_avoided, since, ratio, method}."""
    settle(ws)
    totals = ledger.totals(ws.store)
    data: JsonObject = spelled(totals)
    if totals.served:
        data["ratio"] = round((totals.served + totals.saved) / totals.served, 1)
    return reply(ws, refresh(ws), {**data, "method": METHOD})

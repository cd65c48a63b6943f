"""The receipt of tokens saved: this session and all time."""

from collections.abc import Mapping

from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import day
from anchormem.store import ledger as receipts
from anchormem.store.ledger import Totals
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.receipt import METHOD
from anchormem.workspace.session import Workspace, settle


def ledger(ws: Workspace, args: Mapping[str, object]) -> Reply:  # noqa: ARG001 — every operation takes arguments
    """No arguments. {session, all_time, method}."""
    settle(ws)
    session = ws.session or ws.sitting
    data: JsonObject = {"session": spelled(receipts.totals(ws.store, session))} if session else {}
    data |= {"all_time": spelled(receipts.totals(ws.store)), "method": METHOD}
    return reply(ws, refresh(ws), data)


def ledger_reset(ws: Workspace, args: Mapping[str, object]) -> Reply:  # noqa: ARG001 — every operation takes arguments
    """No arguments. Says what was dropped."""
    settle(ws)
    dropped = receipts.reset(ws.store)
    return reply(ws, refresh(ws), {"dropped": spelled(dropped), "all_time": spelled(receipts.totals(ws.store))})


def spelled(totals: Totals) -> JsonObject:
    """`saved` may be negative and is shown so."""
    made: JsonObject = {
        "recalls": totals.recalls,
        "questions": totals.questions,
        "served_tokens": totals.served,
        "saved_tokens": totals.saved,
        "reads_avoided": totals.reads_avoided,
    }
    return {**made, "since": day(totals.since)} if totals.since else made

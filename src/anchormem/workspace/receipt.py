"""The receipt of a recall: what was served, and what reading the same from files would have cost.

A token is ceil(bytes / 4) on both sides. Never fails a recall: a store that takes no write loses a line of the receipt.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from hashlib import blake2b

from anchormem.errors import AnchormemError
from anchormem.model import Reply
from anchormem.reason.envelope import compact
from anchormem.store import files, ledger, memories
from anchormem.text.tokens import BYTES_PER_TOKEN, estimate
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View

SEARCH_TOKENS = 300  # the round trips of looking for the right file
METHOD = (
    "tokens are ceil(bytes/4) on both sides; served: the whole reply; baseline: 300 for the search round trips plus the"
    " distinct anchored files of the returned memories, unanchored ones 0; saved = baseline - served, may be negative;"
    " reads avoided: distinct anchored files of returned active memories"
)


def record(ws: Workspace, question: str, reply: Reply, found: Mapping[str, View]) -> None:
    """One line of the ledger and one more recall for each memory returned, written once the reply is out."""
    if ws.write and ws.store.writable:
        ws.afterwards.append(partial(_write, ws, question, reply, found))


def _write(ws: Workspace, question: str, reply: Reply, found: Mapping[str, View]) -> None:
    shown = [found[name] for name in returned(reply) if name in found]
    served = estimate(reply.text or compact({"data": reply.data, "meta": reply.meta}))
    try:
        now = ws.now()
        with ws.store.writing(patient=False):
            ledger.add(
                ws.store,
                served=served,
                saved=baseline(ws, shown) - served,
                reads_avoided=len(_places(view for view in shown if view.standing.status == "active")),
                question=_digest(question),
                session=ws.session or ws.sitting,
                now=now,
            )
            memories.count_recalls(ws.store, [view.memory.id for view in shown], now)
    except AnchormemError:
        return


def _digest(question: str) -> bytes:
    """Equal for questions that differ in case and blanks only."""
    return blake2b(" ".join(question.lower().split()).encode("utf-8", "replace"), digest_size=16).digest()


def returned(reply: Reply) -> list[str]:
    """Ids of the items in a reply."""
    items = reply.data if isinstance(reply.data, list) else []
    return [str(item["id"]) for item in items if isinstance(item, dict) and "id" in item]


def baseline(ws: Workspace, shown: Iterable[View]) -> int:
    """Tokens of finding and reading the anchored files. Nothing returned: nothing was saved."""
    views = list(shown)
    if not views:
        return 0
    states = files.get(ws.store, _places(views))
    return SEARCH_TOKENS + sum(-(-state.stat.size // BYTES_PER_TOKEN) for state in states.values())


def _places(views: Iterable[View]) -> set[str]:
    return {place for view in views for place in view.places()}

"""What one edit of a file did: the memories it made stale, told apart from those that were stale before.

Knows nothing of how it is told.
"""

from typing import NamedTuple

from anchormem.workspace.freshness import Freshness, refresh
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View, changed, on_paths

PATIENCE_MS = 100  # an agent waits for this answer
DOUBTED = ("stale", "invalidated")


class MadeStale(NamedTuple):
    """`reason`: of stale or invalidated. `changed`: what changed, may be empty."""

    id: str
    kind: str
    body: str
    reason: str
    changed: str
    imported: bool


def made_stale(ws: Workspace, path: str) -> tuple[MadeStale, ...]:
    """Memories of `path` that stood at the last look and are stale or invalidated now, decisions first."""
    before = {view.memory.id for view in on_paths(ws.store, [path], Freshness()) if view.standing.status not in DOUBTED}
    fresh = refresh(ws, [path], patience_ms=PATIENCE_MS)
    now = on_paths(ws.store, [path], fresh)
    fallen = [view for view in now if view.memory.id in before and view.standing.status in DOUBTED]
    return tuple(_told(view) for view in sorted(fallen, key=_order))


def _order(view: View) -> tuple[bool, bool, str]:
    return (not view.touches, view.memory.kind != "decision", view.memory.id)


def _told(view: View) -> MadeStale:
    memory = view.memory
    return MadeStale(
        id=memory.id,
        kind=memory.kind,
        body=memory.body,
        reason=", ".join(view.standing.reasons),
        changed=changed(view.standing.fates.values()),
        imported=memory.imported,
    )

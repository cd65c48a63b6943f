"""Administrative operations that only read (history restores a revision when asked): get, list, history, consolidate."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def get(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str]. Everything, and for each anchor why its fate is what it is."""
    raise NotImplementedError


def list_memories(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`kinds` list[str] [], `status` str "" (active|stale|invalidated|unknown|superseded|archived|forgotten), `source` str "",
    `path` str "", `text` str "", `limit` int 50, `offset` int 0. All included unless filtered.
    """
    raise NotImplementedError


def history(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str] (one), `restore_revision` int|None: bring that revision back as a new deliberate act."""
    raise NotImplementedError


def consolidate(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`limit` int 20. Read-only clusters of same-anchor overlapping memories."""
    raise NotImplementedError

"""Administrative operations over the index and the stores: index, status, gc."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def index(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`full` bool False; `progress` Callable[[int, int], None] | None and `cancelled` Callable[[], bool] | None (set by the caller)."""
    raise NotImplementedError


def status(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """No arguments. Root, repository, store, files, symbols, memories by status and kind, stamps."""
    raise NotImplementedError


def gc(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`dry_run` bool True. Stores whose repository is gone, vanished checkouts."""
    raise NotImplementedError

"""The receipt of tokens saved: this session and all time."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def ledger(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """No arguments. {session, all_time, method}."""
    raise NotImplementedError


def ledger_reset(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """No arguments. Says what was dropped."""
    raise NotImplementedError

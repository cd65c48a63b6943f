"""The all-time receipt, with the method it is counted by."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def stats(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """No arguments. data: {recalls, questions, served_tokens, saved_tokens, reads_avoided, sessions…, method}."""
    raise NotImplementedError

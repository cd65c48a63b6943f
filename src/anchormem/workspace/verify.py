"""The verify queue: what waits for a decision, and the ways out of each."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def queue(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`limit` int 20, `kinds` list[str] [], `budget_tokens` int 4000. data: list of items, the most pressing first."""
    raise NotImplementedError

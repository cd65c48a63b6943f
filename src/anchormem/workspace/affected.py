"""Affected: what a change in the working tree, or since a base, does to symbols and to memories."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def affected(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`base` str "" (empty: working tree against HEAD), `paths` list[str] [], `budget_tokens` int 4000.

    data: {base, files, symbols, memories, constraining, callers}.
    """
    raise NotImplementedError

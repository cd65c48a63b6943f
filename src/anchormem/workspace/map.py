"""Map: what a file, symbol or directory holds, who it descends from, who calls it, and what is known of it."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def map_target(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`target` str (path, symbol, `path::symbol`, directory), `detail` outline|signature|body "outline", `budget_tokens` int 2000."""
    raise NotImplementedError

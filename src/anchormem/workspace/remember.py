"""Remember: one new memory, or one changed in place, with every anchor resolved or nothing stored."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def remember(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`kind` str "" (needed unless update), `body` str "" (needed unless update), `anchors` list[dict|str] | None
    (dict: file, symbol, aspect, quote; None: absent), `evidence` dict|None {command, output, exit_code=0},
    `links` list[dict] | None {target, rel}, `supersedes` str "", `source` str "" (explicit|mined), `confidence` float|None,
    `private` bool|None, `origin` str "", `force` bool False, `update` str "" (id), `by` str "agent" (set by the caller, not an
    MCP parameter: human on the command line).

    data: {id, anchors, possible_duplicates, possible_conflicts, advice, …} with empty ones left out.
    """
    raise NotImplementedError

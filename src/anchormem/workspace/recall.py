"""Recall: what is known that bears on a task, within a budget; or given memories whole."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def recall(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`task` str "", `working_set` list[str] [], `budget_tokens` int|None (None: 1200, with ids 20,000),
    `kinds` list[str] [], `ids` list[str] [], `offset` int 0, `why` bool False.

    data: list of items. Never refuses for a bad working-set path: a warning in meta.
    """
    raise NotImplementedError

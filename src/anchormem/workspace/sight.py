"""From anchors to fates: gathers each anchor's Scene from store, files and git, resolves it, keeps the result.

Decides nothing itself: the table of fates is reason.resolve.
"""

from collections.abc import Callable, Iterable, Mapping

from anchormem.model import Anchor, Fate
from anchormem.workspace.session import Workspace


def resolve_anchors(ws: Workspace, anchors: Iterable[Anchor], *, searchable: bool = True) -> Mapping[int, Fate]:
    """Fates of these anchors against the index of this checkout. `searchable` False: places elsewhere are not known yet."""
    raise NotImplementedError


def explain(ws: Workspace, anchor: Anchor) -> dict[str, object]:
    """For `admin get`: slots tried with their hashes, candidates, and why not followed."""
    raise NotImplementedError


def unified_diff(ws: Workspace, anchor: Anchor) -> str:
    """The diff from the anchored text to the code at the anchor's slot today; "" where either is not to be had."""
    raise NotImplementedError

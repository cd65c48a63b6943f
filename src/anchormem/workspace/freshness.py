"""The truth about every anchor before each reply, at a cost that follows change.

Looks only at anchored and named files; the rest of the tree is the sweep's. Knows nothing of replies.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from anchormem.model import Fate
from anchormem.workspace.session import Workspace


@dataclass(frozen=True, slots=True)
class Freshness:
    """What the envelope says, and what could not be stored.

    `indexed_at`: ms of the last complete sweep, 0 never. `dirty`: files known to differ from what the last complete sweep
    saw. `unchecked`: anchors whose search is unfinished. `unsaved`: fates by anchor id that a locked or read-only store did
    not take; they overrule stored ones. `owed`: a background sweep should follow the reply.
    """

    indexed_at: int = 0
    dirty_files: tuple[str, ...] = ()
    failed_files: tuple[str, ...] = ()
    unchecked: int = 0
    scan_failed: str = ""
    warnings: tuple[str, ...] = ()
    unsaved: Mapping[int, Fate] = field(default_factory=dict)
    owed: bool = False


def refresh(
    ws: Workspace, paths: Iterable[str] = (), *, patience_ms: int = 20_000, cancelled: Callable[[], bool] | None = None
) -> Freshness:
    """Stats anchored files and `paths` (gated), reads what changed, resolves what that outdates, stores it all.

    `patience_ms`: how long a sweep needed before the reply may take; what it leaves undone is unknown(pending).
    """
    raise NotImplementedError

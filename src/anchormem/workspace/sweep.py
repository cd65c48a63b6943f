"""The whole tree brought up to date: listing, stat, read, parse, resolve. Resumable, cancellable, one at a time.

Knows nothing of replies and memories beyond their anchors.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from anchormem.workspace.session import Workspace

Progress = Callable[[int, int], None]  # files done, files to do


@dataclass(frozen=True, slots=True)
class SweepReport:
    """`outcome`: complete | cancelled | busy (another process sweeps) | partial (some part could not be listed)."""

    outcome: str
    files: int = 0
    read: int = 0
    parsed: int = 0
    removed: int = 0
    symbols: int = 0
    seconds: float = 0.0
    failures: Mapping[str, str] = field(default_factory=dict)  # path → reason
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → count
    anchors: Mapping[str, int] = field(default_factory=dict)  # fate name → count
    warnings: tuple[str, ...] = ()


def sweep(
    ws: Workspace,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    full: bool = False,
    wait_ms: int = 0,
) -> SweepReport:
    """Brings this checkout's whole index up to date. `full`: every file is read again, whatever its stat says.

    `wait_ms`: how long to wait for another sweeper before answering `busy`.
    """
    raise NotImplementedError

"""One opened project: root, identity, settings, store and clock, as a value every use case takes.

Knows nothing of tools and replies. Creates nothing for a refused root.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from anchormem.project.config import Config
from anchormem.project.root import Root
from anchormem.store.db import Store


def now_ms() -> int:
    """Milliseconds since the epoch, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Workspace:
    """`start`: where the search for the root began (a subdirectory of it, or it). `write` False: nothing is written at all.

    `warnings`: what the user should know in every envelope. `config` is reloaded by `refresh` when its file changed.
    """

    root: Root
    start: Path
    identity: str
    directory: Path
    checkout: str
    store: Store
    config: Config
    write: bool = True
    client: str = ""
    session: str = ""
    warnings: list[str] = field(default_factory=list)
    now: Callable[[], int] = now_ms


def open_workspace(start: Path, *, write: bool = True, client: str = "", session: str = "") -> Workspace:
    """Finds root and store (adopting or creating its directory), records the checkout, makes the daily backup.

    Raises BadRoot, StoreError. With `write` False nothing is created: NotFound when there is no store yet.
    """
    raise NotImplementedError


def close(ws: Workspace) -> None:
    """Closes the store. Calling twice is harmless."""
    raise NotImplementedError

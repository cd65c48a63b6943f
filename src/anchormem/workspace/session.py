"""One opened project: root, identity, settings, store and clock, as a value every use case takes.

Knows nothing of tools and replies. Creates nothing for a refused root.
"""

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from anchormem import __version__
from anchormem.errors import StoreError
from anchormem.model import Digest, FileFacts
from anchormem.project.config import Config, load
from anchormem.project.data import data_directory
from anchormem.project.identity import checkout_key, repository_identity, repository_key
from anchormem.project.root import Root, find_root
from anchormem.store import ledger, marks, repositories, search
from anchormem.store.backups import backup_daily
from anchormem.store.db import Store, open_store
from anchormem.store.marks import Checkout
from anchormem.workspace.anchored import Anchored

if TYPE_CHECKING:  # what recalls keep is made of what a Workspace gives
    from anchormem.workspace.known import Known


DAY_MS = 86_400_000
LOOKED_OVER = "search.day"  # the last day on which the full-text index was looked over
HOOK = "hook"  # the client that never imports: an agent waits for it at every edit


def now_ms() -> int:
    """Milliseconds since the epoch, UTC."""
    return time.time_ns() // 1_000_000


def never() -> bool:
    """Nobody asks to stop."""
    return False


@dataclass(slots=True)
class Workspace:
    """`start`: where the search for the root began, it or a folder in it. `write` False: nothing is written at all.

    `warnings`: what the user should know in every envelope, beside those of each refresh. `config` is reloaded by
    `refresh` when its file changed. `session`: the client's name for its own, when known; `sitting`: one run
    of the server, for receipts where the client names none. `cancelled`: whether the caller of the running use case
    has left. `news`: what the next envelope says, once; `shared`: what every one says of the shared export.
    `afterwards`: what a call leaves to be done once its reply is out; it never raises. See `settle`.
    `anchored`: the anchored files as last read from the store, kept by `freshness`. `known`: memories and figures as
    last read from it, kept by `recall`. `old`: what old contents hold, by content and language, the last used at the
    end, kept by `past`.
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
    sitting: str = ""
    warnings: list[str] = field(default_factory=list)
    news: str = ""
    shared: str = ""
    now: Callable[[], int] = now_ms
    cancelled: Callable[[], bool] = never
    afterwards: list[Callable[[], None]] = field(default_factory=list)
    anchored: Anchored | None = None
    known: "Known | None" = None
    old: dict[tuple[Digest, str | None], FileFacts] = field(default_factory=dict)


def open_workspace(
    start: Path, *, write: bool = True, client: str = "", session: str = "", sitting: str = ""
) -> Workspace:
    """Finds root and store (adopting or creating its directory), records the checkout, makes the daily backup.

    With a `sitting`, a session begins in the ledger.

    Raises BadRoot, BadPath (data directory inside the root), StoreError. With `write` False nothing is created or
    recorded; where there is no store yet, every read answers empty (`store.exists`).
    """
    root = find_root(start)
    data = data_directory(root)
    identity = repository_identity(root)
    now = now_ms()
    located = repositories.locate(
        data,
        identity=identity,
        key=repository_key(identity),
        root=str(root.path),
        checkout_key=checkout_key(root),
        common_dir=str(root.common_dir or ""),
        now=now,
        write=write,
    )
    first = "" if (located.directory / "memory.db").exists() else _on_a_new_store(root, data, located)
    store = open_store(located.directory, located.checkout_key, write=write)
    warnings = _keep_well(
        store, identity, Checkout(str(root.path), located.checkout_key, str(root.common_dir or ""), now)
    )
    if first:
        warnings.insert(0, first)
    if sitting and store.writable:
        with suppress(StoreError):  # a line of the receipt, no reason that a call fails
            ledger.begin(store, session or sitting, now)
    ws = Workspace(
        root=root,
        start=start,
        identity=identity,
        directory=located.directory,
        checkout=located.checkout_key,
        store=store,
        config=load(root),
        write=write,
        client=client,
        session=session,
        sitting=sitting,
        warnings=warnings,
    )
    look_at_shared(ws)
    return ws


def look_at_shared(ws: Workspace) -> None:
    """What a teammate shared is imported once, by the first call that may write, and announced afterwards."""
    if ws.write and ws.client != HOOK:
        from anchormem.workspace import shared  # noqa: PLC0415 — all that an import takes, and a hook never imports

        ws.shared, ws.news = shared.arrived(ws.store, ws.root, ws.now(), auto=ws.config.auto_import)


def _on_a_new_store(root: Root, data: Path, located: repositories.Located) -> str:
    """What may surprise somebody who expected memories where there is no store."""
    if located.known:
        return f"the store {located.directory} used here is gone with its memories; a new one begins"
    around = "" if root.is_git else repositories.above(data, str(root.path))
    if not around:
        return ""
    return f"{around} has memories of its own, not seen from {root.path}: to use them, --root {shlex.quote(around)}"


def _keep_well(store: Store, identity: str, checkout: Checkout) -> list[str]:
    """Records who uses the store, and once a day copies it and looks its index over. What fails is told, not raised."""
    if not store.writable:
        return []
    try:
        marks.record(store, checkout, identity)
        backup_daily(store, checkout.seen_at)
        today = str(checkout.seen_at // DAY_MS)
        if marks.get(store, LOOKED_OVER) != today:
            search.ensure(store, __version__)
            marks.put(store, {LOOKED_OVER: today})
    except StoreError as error:
        return [error.message]
    return []


def save(ws: Workspace) -> None:
    """The copy of the store, where one is due. For `afterwards`: never raises."""
    with suppress(StoreError):
        backup_daily(ws.store, ws.now())


def settle(ws: Workspace) -> None:
    """Does what calls have left for after their reply."""
    while ws.afterwards:
        ws.afterwards.pop(0)()


def close(ws: Workspace) -> None:
    """Settles and closes the store. Calling twice is harmless."""
    settle(ws)
    ws.store.close()

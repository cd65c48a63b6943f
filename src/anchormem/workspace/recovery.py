"""What to type when memory.db is damaged or gone. Only words: nothing here touches a file."""

import shlex
from pathlib import Path

from anchormem.reason.envelope import iso
from anchormem.store import backups
from anchormem.workspace.session import now_ms


def advice(directory: Path) -> str:
    """The command that brings a store back and, where a copy can be put in its place, the same steps by hand."""
    copy = backups.best(directory)
    if copy is None:
        return "`anchormem doctor --recover` sets it aside and starts anew, for there is no backup"
    return f"`anchormem doctor --recover` puts the newest backup back; by hand: {by_hand(directory, copy)}"


def by_hand(directory: Path, copy: Path) -> str:
    """What SQLite keeps beside memory.db goes with it: beside the copy it would spoil that one too."""
    memory = shlex.quote(str(directory / "memory.db"))
    aside = shlex.quote(str(directory / f"damaged-{iso(now_ms()).replace(':', '')}"))
    away = f"mkdir {aside} && mv {memory}* {aside} && " if (directory / "memory.db").exists() else ""
    return f"{away}cp {shlex.quote(str(copy))} {memory}"

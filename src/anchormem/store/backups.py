"""Copies of memory.db, and the way back from a damaged one. Nothing here ever deletes a memory.db."""

from pathlib import Path

from anchormem.store.db import Store

KEPT = 3


def backup_daily(store: Store, now: int) -> Path | None:
    """Copies memory.db by SQLite's backup call when the newest copy is of another day (UTC); keeps the last three.

    None: nothing was due, or the store cannot be written.
    """
    raise NotImplementedError


def backups(directory: Path) -> tuple[Path, ...]:
    """The copies of a store directory, newest first: daily ones and those made before a migration."""
    raise NotImplementedError


def check(directory: Path) -> tuple[str, ...]:
    """What SQLite finds wrong with memory.db (`integrity_check`), () when sound. Opens it on its own, read-only."""
    raise NotImplementedError


def recover(directory: Path, now: int, backup: Path | None = None) -> Path | None:
    """For a damaged or vanished memory.db, on the user's word: sets it aside as `memory.db.damaged-<date>`, then puts `backup`,
    or an empty one, in its place. Gives the path set aside, None when there was nothing. Refused while it is sound.
    """
    raise NotImplementedError

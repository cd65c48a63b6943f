"""Copies of memory.db, and the way back from a damaged one. Nothing here ever deletes a memory.db."""

import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from anchormem.errors import NotFound, Refused, StoreDamaged, StoreNewer
from anchormem.store import failures, migrate, opening
from anchormem.store.db import Store

KEPT = 3
WAIT_MS = 1000
CHECK = "PRAGMA main.integrity_check(20)"
COUNT = "SELECT count(*) FROM main.memories"


def backup_daily(store: Store, now: int) -> Path | None:
    """Copies memory.db by SQLite's backup call when there is no copy of this day (UTC), or when there are twice as many
    memories as in it; keeps the last three.

    None: nothing was due, there is nothing to save, or the store cannot be written.
    """
    target = store.directory / "backups" / f"memory-{_day(now)}.db"
    if not store.writable:
        return None
    memories = int(store.rows(COUNT)[0][0])
    if not memories or (target.exists() and memories < 2 * (held(target) or 0)):
        return None
    try:
        store.save_memory(target)
        for old in _daily(store.directory, target.name)[KEPT:]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise failures.from_disk(error, str(target)) from error
    return target


def backups(directory: Path) -> tuple[Path, ...]:
    """The copies of a store directory, newest first: daily ones and those made before a migration."""
    return tuple(migrate.newest_first(directory))


def held(copy: Path) -> int | None:
    """How many memories a copy holds; None where it cannot be read."""
    try:
        connection = sqlite3.connect(f"{copy.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            return int(connection.execute(COUNT).fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return None


def best(directory: Path) -> Path | None:
    """The newest copy that holds any memories, or else the newest that can be read."""
    known = [(copy, held(copy)) for copy in backups(directory)]
    return next((copy for copy, count in known if count), next((copy for copy, count in known if count == 0), None))


def check(directory: Path) -> tuple[str, ...]:
    """What SQLite finds wrong with memory.db, () when sound. Opens it on its own, read-only.

    A memory.db that is missing, or not ours, is a finding too.
    """
    memory = directory / "memory.db"
    scratch: list[Path] = []
    try:
        if not memory.exists():
            return ("memory.db is missing",)
        migrate.refuse_strangers(memory)
        connection = sqlite3.connect(opening.readable(memory, WAIT_MS, scratch), uri=True, timeout=WAIT_MS / 1000)
        try:
            migrate.check(connection, memory)
            found = [str(row[0]) for row in connection.execute(CHECK)]
        finally:
            connection.close()
    except StoreNewer:
        return ()
    except StoreDamaged as error:
        return (error.message,)
    except sqlite3.Error as error:
        return (str(error),)
    finally:
        for copy in scratch:
            shutil.rmtree(copy, ignore_errors=True)
    return () if found == ["ok"] else tuple(found)


def recover(directory: Path, now: int, backup: Path | None = None) -> Path | None:
    """For a damaged or vanished memory.db, on the user's word.

    Sets it aside as `memory.db.damaged-<date>`, then puts `backup`, or an empty one, in its place. Gives the path set
    aside, None when there was nothing. Refused while it is sound; NotFound for a backup that is not there.
    """
    memory = directory / "memory.db"
    if backup is not None and not backup.exists():
        raise NotFound(f"there is no {backup}", "see the directory backups/ of the store")
    if memory.exists() and not check(directory):
        raise Refused(f"{memory} is sound", "nothing needs to be recovered")
    try:
        aside = _aside(memory, now) if memory.exists() else None
        if aside is not None:
            opening.set_aside(memory, aside)
        if backup is None:
            migrate.create(memory, WAIT_MS)
        else:
            draft = memory.with_name("memory.db.recovered")
            shutil.copyfile(backup, draft)
            draft.chmod(0o600)
            draft.replace(memory)
    except OSError as error:
        raise failures.from_disk(error, str(memory)) from error
    return aside


def _aside(memory: Path, now: int) -> Path:
    """A name that is still free."""
    number = 0
    while True:
        suffix = f"-{number}" if number else ""
        target = memory.with_name(f"memory.db.damaged-{_day(now)}{suffix}")
        if not target.exists():
            return target
        number += 1


def _daily(directory: Path, today: str) -> list[Path]:
    """Newest first; what a clock that was ahead has dated after today comes last."""
    every = (directory / "backups").glob("memory-[0-9]*.db")
    return sorted(every, key=lambda path: (path.name <= today, path.name), reverse=True)


def _day(now: int) -> str:
    return datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m-%d")

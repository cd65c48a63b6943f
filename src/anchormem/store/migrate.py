"""memory.db as a file: made, recognised, brought forward. Migrations are numbered files, applied in one transaction.

Knows nothing of what the tables mean.
"""

import os
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from anchormem.errors import StoreDamaged, StoreNewer
from anchormem.store import failures, opening

APPLICATION = 0x414E4D31  # "ANM1"
MIGRATIONS = tuple(sorted((Path(__file__).parent / "schema" / "memory").glob("[0-9]*.sql")))
NEWEST = len(MIGRATIONS)
DRAFT = ".new-"
LEFT_SECONDS = 60.0  # a draft that nobody has written to for so long belongs to a process that died

MAGIC = b"SQLite format 3\0"
VERSION_AT, APPLICATION_AT, HEADER_SIZE = 60, 68, 100  # https://www.sqlite.org/fileformat.html#the_database_header

BEGIN = "BEGIN IMMEDIATE"
COMMIT = "COMMIT"
ROLLBACK = "ROLLBACK"
READ_APPLICATION = "PRAGMA main.application_id"
READ_VERSION = "PRAGMA main.user_version"


class Header(NamedTuple):
    """What the first bytes of a database say, read without opening it. In WAL mode the truth may be newer."""

    application: int
    version: int


def header(path: Path) -> Header | None:
    """None when the file is no SQLite database."""
    with path.open("rb") as file:
        start = file.read(HEADER_SIZE)
    if len(start) < HEADER_SIZE or not start.startswith(MAGIC):
        return None
    return Header(
        int.from_bytes(start[APPLICATION_AT : APPLICATION_AT + 4], "big"),
        int.from_bytes(start[VERSION_AT : VERSION_AT + 4], "big"),
    )


def create(path: Path, wait_ms: int) -> None:
    """Makes an empty memory.db beside and moves it into place whole: an empty or half-made file is always damage."""
    draft = _draft(path)
    opening.private_file(draft)
    _sweep(draft, path.parent)
    try:
        connection = opening.connect(draft, "rw", wait_ms)
        try:
            opening.choose_journal(connection, path.parent)
            bring_forward(connection)
        finally:
            connection.close()
        _place(draft, path)
    finally:
        for leftover in (draft, *opening.companions(draft)):
            leftover.unlink(missing_ok=True)


def _draft(path: Path) -> Path:
    """A name beside it that no other process and no other thread of this one uses: a server opens a store twice."""
    return path.with_name(f"{path.name}{DRAFT}{os.getpid()}-{threading.get_ident()}")


def _sweep(draft: Path, *folders: Path) -> None:
    """Takes away the drafts of killed processes: as large as a store, and one more for each that died at its copy.

    By the clock of the file system, as the ages are.
    """
    now = draft.stat().st_mtime
    for folder in folders:
        for left in folder.glob(f"memory*{DRAFT}*"):
            with suppress(OSError):
                if now - left.stat().st_mtime > LEFT_SECONDS:
                    left.unlink()


def _place(draft: Path, path: Path) -> None:
    """Moves without replacing: when another process was quicker, its file stays."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:
        if not path.exists():  # a file system without hard links
            draft.replace(path)


def refuse_strangers(path: Path) -> None:
    """StoreNewer or StoreDamaged by the first bytes alone, before SQLite has touched anything."""
    seen = header(path)
    if seen is None:
        raise damaged(path, "it is not a SQLite database")
    if seen.application == APPLICATION and seen.version > NEWEST:
        raise newer(path, seen.version)
    wal = opening.companions(path)[0]
    if seen.application != APPLICATION and not wal.exists():
        raise damaged(path, "it was not written by anchormem")


def check(connection: sqlite3.Connection, path: Path) -> int:
    """The version of an open memory.db. StoreNewer, StoreDamaged."""
    application = int(connection.execute(READ_APPLICATION).fetchone()[0])
    version = int(connection.execute(READ_VERSION).fetchone()[0])
    if application != APPLICATION or version == 0:
        raise damaged(path, "it was not written by anchormem")
    if version > NEWEST:
        raise newer(path, version)
    return version


def bring_forward(connection: sqlite3.Connection) -> None:
    """Applies what is missing, all in one transaction. Each file sets `user_version` to its own number."""
    connection.execute(BEGIN)
    try:
        version = int(connection.execute(READ_VERSION).fetchone()[0])
        for migration in MIGRATIONS[version:]:
            for statement in opening.statements(migration.read_text("utf-8")):
                connection.execute(statement)
        connection.execute(COMMIT)
    except BaseException:
        if connection.in_transaction:
            connection.execute(ROLLBACK)
        raise


def upgrade(connection: sqlite3.Connection, path: Path, copy: Path) -> None:
    """Brings an older memory.db forward; `copy` receives it as it was."""
    save(connection, copy)
    try:
        bring_forward(connection)
    except sqlite3.Error as error:
        raise failures.translated(error, str(path)) from error


def save(connection: sqlite3.Connection, target: Path) -> None:
    """Copies `main` by SQLite's backup call; the target, in the folder of copies, appears whole or not at all."""
    opening.private_directory(target.parent)
    draft = _draft(target)
    opening.private_file(draft)
    _sweep(draft, target.parent, target.parent.parent)
    try:
        copy = opening.connect(draft, "rw", 1000)
        try:
            connection.backup(copy, name="main")
            copy.execute(opening.USE_ROLLBACK)
        finally:
            copy.close()
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def newer(path: Path, version: int) -> StoreNewer:
    return StoreNewer(
        f"{path} has version {version}, written by a newer anchormem; this one reads up to {NEWEST}",
        "install a newer anchormem",
    )


def damaged(path: Path, what: str) -> StoreDamaged:
    """Names the newest copy in the hint."""
    copies = newest_first(path.parent)
    offer = f"puts the newest copy back, {copies[0]}" if copies else "starts anew, for there is no copy"
    return StoreDamaged(
        f"{path} is damaged: {what}",
        f"nothing has been deleted; `anchormem doctor --recover` sets it aside and {offer}",
    )


def newest_first(directory: Path) -> list[Path]:
    """The copies of memory.db in a store directory."""
    return sorted((directory / "backups").glob("memory-*.db"), key=lambda path: path.stat().st_mtime_ns, reverse=True)

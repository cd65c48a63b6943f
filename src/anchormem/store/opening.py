"""Connections and files as every part of the store wants them: private, impatient, without hidden transactions."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

# One row of an answer. SQLite is dynamically typed; the functions of this room turn rows into values at once.
Row = tuple[Any, ...]
SqlValue = str | bytes | int | float | None
Values = Mapping[str, SqlValue]
NOTHING: Values = {}

ODD_NAMES = (
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "fuse.sshfs",
    "fuse.glusterfs",
    "lustre",
    "beegfs",
)
MOUNTS = Path("/proc/self/mounts")
USE_WAL = "PRAGMA main.journal_mode = WAL"
USE_ROLLBACK = "PRAGMA main.journal_mode = DELETE"
DURABLE = "PRAGMA main.synchronous = FULL"
PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    DURABLE,
    "PRAGMA journal_size_limit = 16777216",
)


def private_directory(directory: Path) -> None:
    """Creates it and its missing parents with mode 0700; what exists keeps its mode."""
    if directory.is_dir():
        return
    private_directory(directory.parent)
    directory.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """Creates an empty file with mode 0600 when there is none; SQLite gives its companions the same mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return


def can_write(path: Path) -> bool:
    """By the effective user, where the system can tell."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def connect(path: Path, mode: str, wait_ms: int) -> sqlite3.Connection:
    """`mode`: rw | ro | immutable | memory. Transactions are begun by statements of ours only."""
    uri = ":memory:" if mode == "memory" else uri_of(path, mode)
    return sqlite3.connect(
        uri, uri=True, timeout=wait_ms / 1000, isolation_level=None, check_same_thread=False, cached_statements=256
    )


def prepare(connection: sqlite3.Connection) -> None:
    """What a connection of a store needs before its first statement: safety, and the views that rows are read by."""
    for pragma in PRAGMAS:
        connection.execute(pragma)
    connection.create_function("digest", 1, bytes.fromhex, deterministic=True)
    for view in _views():
        connection.execute(view)


@cache
def _views() -> tuple[str, ...]:
    return tuple(statements((Path(__file__).parent / "schema" / "views.sql").read_text("utf-8")))


def uri_of(path: Path, mode: str) -> str:
    option = "immutable=1" if mode == "immutable" else f"mode={mode}"
    return f"{path.absolute().as_uri()}?{option}"


def companions(path: Path) -> tuple[Path, ...]:
    """The files SQLite may keep beside a database."""
    return tuple(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal"))


def set_aside(path: Path, target: Path) -> None:
    """Renames a database with its companions, replacing what bears the new name."""
    for old, new in zip((path, *companions(path)), (target, *companions(target)), strict=True):
        if old.exists():
            old.replace(new)
        else:
            new.unlink(missing_ok=True)


def bytes_of(path: Path) -> int:
    """Size on disk with companions."""
    return sum(each.stat().st_size for each in (path, *companions(path)) if each.exists())


def readable(path: Path, wait_ms: int, scratch: list[Path]) -> str:
    """A URI by which the database can be read where nothing may be written.

    SQLite cannot read a WAL database in such a place when nobody has left its shared-memory file: then the file cannot
    change either, and is read as immutable; with a WAL that still holds something, a copy in a temporary directory is
    read, which `scratch` receives for the caller to remove.
    """
    plain = uri_of(path, "ro")
    if _answers(plain, wait_ms):
        return plain
    wal = companions(path)[0]
    if not wal.exists() or wal.stat().st_size == 0:
        return uri_of(path, "immutable")
    copy = Path(tempfile.mkdtemp(prefix="anchormem-"))
    scratch.append(copy)
    shutil.copyfile(path, copy / path.name)
    shutil.copyfile(wal, copy / wal.name)
    return uri_of(copy / path.name, "rw")


def _answers(uri: str, wait_ms: int) -> bool:
    connection = sqlite3.connect(uri, uri=True, timeout=wait_ms / 1000, isolation_level=None)
    try:
        connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            return False
        raise
    finally:
        connection.close()
    return True


def on_network(directory: Path) -> bool:
    """Whether the directory lies on a file system that several machines may share (known on Linux only)."""
    try:
        mounts = [line.split(" ")[1:3] for line in MOUNTS.read_text("utf-8", "surrogateescape").splitlines()]
    except OSError:
        return False
    here = os.path.realpath(directory)
    inside = [(point, kind) for point, kind in mounts if here == point or here.startswith(point.rstrip("/") + "/")]
    return max(inside, key=lambda mount: len(mount[0]), default=("", ""))[1] in ODD_NAMES


def choose_journal(connection: sqlite3.Connection, directory: Path) -> str:
    """Puts `main` into WAL where that works, else into a rollback journal; gives the mode in force."""
    wanted = USE_ROLLBACK if on_network(directory) else USE_WAL
    try:
        return str(connection.execute(wanted).fetchone()[0])
    except sqlite3.OperationalError:
        return str(connection.execute(USE_ROLLBACK).fetchone()[0])


def statements(script: str) -> Iterator[str]:
    """The statements of a schema file, one by one, so that they can run inside a transaction of ours."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""

"""The derived files beside memory.db: attached, and made anew when they are of another schema, foreign or broken.

Knows nothing of what their tables mean.
"""

import sqlite3
import zlib
from pathlib import Path
from typing import NamedTuple

from anchormem.store import failures, locks, opening

CODEC = 2  # raise it when what is stored inside columns changes its form


class Kind(NamedTuple):
    """One derived file: its schema and the statements that carry its name."""

    name: str
    schema: str
    attach: str
    detach: str
    made_with: str
    sign: str
    wal: str
    rollback: str
    relaxed: str
    bounded: str
    check: str

    @property
    def stamp(self) -> str:
        """Changes with the schema text."""
        return f"{zlib.crc32(self.schema.encode()):08x}.{CODEC}"


def _schema(name: str) -> str:
    return (Path(__file__).parent / "schema" / f"{name}.sql").read_text("utf-8")


FACTS = Kind(
    "facts",
    _schema("facts"),
    "ATTACH DATABASE :uri AS facts",
    "DETACH DATABASE facts",
    "SELECT content FROM facts.about WHERE name = 'schema'",
    "INSERT INTO facts.about (name, content) VALUES ('schema', :stamp)",
    "PRAGMA facts.journal_mode = WAL",
    "PRAGMA facts.journal_mode = DELETE",
    "PRAGMA facts.synchronous = NORMAL",
    "PRAGMA facts.journal_size_limit = 16777216",
    "PRAGMA facts.quick_check(1)",
)
CHECKOUT = Kind(
    "checkout",
    _schema("checkout"),
    "ATTACH DATABASE :uri AS checkout",
    "DETACH DATABASE checkout",
    "SELECT content FROM checkout.about WHERE name = 'schema'",
    "INSERT INTO checkout.about (name, content) VALUES ('schema', :stamp)",
    "PRAGMA checkout.journal_mode = WAL",
    "PRAGMA checkout.journal_mode = DELETE",
    "PRAGMA checkout.synchronous = NORMAL",
    "PRAGMA checkout.journal_size_limit = 16777216",
    "PRAGMA checkout.quick_check(1)",
)
MEMORY_ONLY = ":memory:"


def attach(connection: sqlite3.Connection, kind: Kind, path: Path, *, wal: bool) -> bool:
    """Attaches the file for writing, making it where missing or unusable; True when a used one had to be replaced."""
    replaced = False
    if not (path.exists() and _attached(connection, kind, opening.uri_of(path, "rw"))):
        with locks.held(path.with_name(path.name + ".lock"), wait=True):
            if not (path.exists() and _attached(connection, kind, opening.uri_of(path, "rw"))):  # not made meanwhile
                replaced = _clear(path)
                opening.private_file(path)
                connection.execute(kind.attach, {"uri": opening.uri_of(path, "rw")})
                connection.execute(kind.wal if wal else kind.rollback)
                _make(connection, kind)
    connection.execute(kind.relaxed)
    connection.execute(kind.bounded)
    return replaced


def attach_readable(connection: sqlite3.Connection, kind: Kind, path: Path, wait_ms: int, scratch: list[Path]) -> bool:
    """Attaches the file for reading, or an empty one in memory. False when there is one that cannot be used."""
    try:
        usable = path.exists() and _attached(connection, kind, opening.readable(path, wait_ms, scratch))
    except (sqlite3.Error, OSError):
        usable = False
    if not usable:
        connection.execute(kind.attach, {"uri": MEMORY_ONLY})
        _make(connection, kind)
    return usable or not path.exists()


def replace_damaged(connection: sqlite3.Connection, kind: Kind, path: Path, *, wal: bool) -> bool:
    """True when the attached file was found damaged and an empty one has taken its place."""
    try:
        sound = connection.execute(kind.check).fetchone()[0] == "ok"
    except sqlite3.DatabaseError as error:
        if not failures.is_damage(error):
            return False
        sound = False
    if sound:
        return False
    connection.execute(kind.detach)
    with locks.held(path.with_name(path.name + ".lock"), wait=True):
        _clear(path)
    attach(connection, kind, path, wal=wal)
    return True


def _attached(connection: sqlite3.Connection, kind: Kind, uri: str) -> bool:
    """Attaches when the file was made with this schema; else leaves nothing attached."""
    try:
        connection.execute(kind.attach, {"uri": uri})
    except sqlite3.DatabaseError as error:
        if failures.is_damage(error):
            return False
        raise
    try:
        row = connection.execute(kind.made_with).fetchone()
    except sqlite3.DatabaseError as error:  # "no such table" of a foreign file is one too
        if failures.is_busy(error):
            raise
        row = None
    if row is not None and row[0] == kind.stamp:
        return True
    connection.execute(kind.detach)
    return False


def _clear(path: Path) -> bool:
    """Moves what is there out of the way; one such file is kept. False for nothing, or an empty file."""
    if not path.exists() or path.stat().st_size == 0:
        path.unlink(missing_ok=True)
        return False
    opening.set_aside(path, path.with_name(path.name + ".set-aside"))
    return True


def _make(connection: sqlite3.Connection, kind: Kind) -> None:
    connection.execute("BEGIN")
    try:
        for statement in opening.statements(kind.schema):
            connection.execute(statement)
        connection.execute(kind.sign, {"stamp": kind.stamp})
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise

"""Which directory under the data directory is whose: `map.db`, made anew from the stores when lost.

Hook and status line look into it by glance.find, without git.

Knows nothing of how an identity or key is made; paths are real paths as strings.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from anchormem.errors import AnchormemError, StoreFull, StoreReadOnly
from anchormem.store import failures, marks, opening
from anchormem.store.db import open_store
from anchormem.store.marks import DAY, Checkout
from anchormem.store.odd_text import packed, unpacked

SCHEMA = tuple(opening.statements((Path(__file__).parent / "schema" / "map.sql").read_text("utf-8")))
BY_IDENTITY = "SELECT directory FROM stores WHERE identity = :identity"
BY_PLACE = "SELECT DISTINCT directory FROM checkouts WHERE root = :root AND common_dir = :common_dir"
SEEN = """
SELECT seen_at FROM checkouts
WHERE root = :root AND directory = :directory AND checkout_key = :checkout_key AND common_dir = :common_dir
"""
PUT_STORE = "INSERT OR IGNORE INTO stores (identity, directory) VALUES (:identity, :directory)"
PUT_CHECKOUT = """
INSERT OR REPLACE INTO checkouts (root, directory, checkout_key, common_dir, seen_at)
VALUES (:root, :directory, :checkout_key, :common_dir, :seen_at)
"""
STORES = "SELECT directory, identity FROM stores ORDER BY directory, identity"
CHECKOUTS = "SELECT directory, root, checkout_key FROM checkouts ORDER BY directory, root"
OF_ROOT = "SELECT directory, checkout_key FROM checkouts WHERE root = :root"
REMOVE = "DELETE FROM checkouts WHERE root = :root"
BEGIN, COMMIT, ROLLBACK = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"

WAIT_MS = 2000
SETTLING = 2000  # ms from the record of a checkout to its store, at most
READ_WAIT_MS = 200  # a hook or status line had better say nothing than wait


class Located(NamedTuple):
    """`adopted`: the identity was unknown and this store was found by path and git common directory.

    `known`: this checkout was recorded in it before, long enough ago for whoever did so to have made the store.
    """

    directory: Path
    root: str
    checkout_key: str
    adopted: bool = False
    known: bool = False


class Recorded(NamedTuple):
    """One store of the data directory, for doctor and gc. `checkouts`: (path, checkout key)."""

    directory: Path
    identities: tuple[str, ...]
    checkouts: tuple[tuple[str, str], ...]
    exists: bool


class Asked(NamedTuple):
    """Whose store is looked for."""

    identity: str
    key: str
    root: str
    checkout_key: str
    common_dir: str

    def values(self) -> dict[str, opening.SqlValue]:
        return {
            "identity": packed(self.identity),
            "root": packed(self.root),
            "checkout_key": self.checkout_key,
            "common_dir": packed(self.common_dir),
        }


def locate(
    data: Path, *, identity: str, key: str, root: str, checkout_key: str, common_dir: str, now: int, write: bool = True
) -> Located:
    """The store of a checkout: by identity; else, when root and a non-empty common_dir are recorded together in exactly
    one store, that one, with the identity recorded as an alias; else `data/key`, new.

    Records the checkout when `write` (creating the data directory 0700), nothing otherwise; where it cannot be recorded
    it is only located. StoreLocked, StoreError.
    """
    asked = Asked(identity, key, root, checkout_key, common_dir)
    if write:
        try:
            return _located(data, asked, now)
        except (StoreReadOnly, StoreFull):
            pass  # what cannot be recorded can still be found
    try:
        with _map(data, write=False) as connection:
            found = _search(connection, data, asked)
            return _with_past(connection, found, asked, now)
    except AnchormemError:
        return Located(data / key, root, checkout_key)


def _located(data: Path, asked: Asked, now: int) -> Located:
    with _map(data, write=True) as connection:
        found = _with_past(connection, _search(connection, data, asked), asked, now)
        if not _is_recorded(connection, found, asked, now):
            connection.execute(BEGIN)
            found = _with_past(connection, _search(connection, data, asked), asked, now)
            _record(connection, found, asked, now)
            connection.execute(COMMIT)
        return found


def above(data: Path, root: str) -> str:
    """The nearest folder around `root` that has a store of its own, "" when none has."""
    try:
        with _map(data, write=False) as connection:
            for place in Path(root).parents:
                rows = connection.execute(OF_ROOT, {"root": packed(str(place))}).fetchall()
                if any((data / name / "memory.db").exists() for name, _ in rows):
                    return str(place)
    except AnchormemError:
        return ""
    return ""


def every(data: Path) -> list[Recorded]:
    """All stores, by directory: those of the map and any directory with a memory.db."""
    identities: dict[str, list[str]] = {}
    checkouts: dict[str, list[tuple[str, str]]] = {}
    try:
        with _map(data, write=False) as connection:
            for name, identity in connection.execute(STORES):
                identities.setdefault(name, []).append(unpacked(identity))
            for name, root, key in connection.execute(CHECKOUTS):
                checkouts.setdefault(name, []).append((unpacked(root), key))
    except AnchormemError:
        identities, checkouts = {}, {}
    names = {*identities, *checkouts, *(path.parent.name for path in data.glob("*/memory.db"))}
    return [
        Recorded(
            data / name,
            tuple(identities.get(name, ())),
            tuple(checkouts.get(name, ())),
            (data / name / "memory.db").exists(),
        )
        for name in sorted(names)
    ]


def forget_checkout(data: Path, root: str) -> bool:
    """Takes a vanished checkout out of the map and its derived file away. False when unknown."""
    with _map(data, write=True) as connection:
        found = connection.execute(OF_ROOT, {"root": packed(root)}).fetchall()
        connection.execute(REMOVE, {"root": packed(root)})
    for name, key in found:
        path = data / name / "checkouts" / f"{key}.db"
        for leftover in (
            path,
            *opening.companions(path),
            path.with_name(f"{key}.sweep"),
            path.with_name(f"{key}.db.lock"),
        ):
            leftover.unlink(missing_ok=True)
    return bool(found)


def rebuild(data: Path) -> int:
    """Makes the map anew from what the stores recorded (marks.record). How many; unreadable ones are left out."""
    path = data / "map.db"
    if path.exists():
        opening.set_aside(path, path.with_name("map.db.set-aside"))
    stores = 0
    for memory in sorted(data.glob("*/memory.db")):
        try:
            with open_store(memory.parent, "-", write=False) as store:
                identities, checkouts = marks.identities(store), marks.checkouts(store)
        except AnchormemError:
            continue
        with _map(data, write=True) as connection:
            connection.execute(BEGIN)
            _restore(connection, memory.parent.name, identities, checkouts)
            connection.execute(COMMIT)
        stores += 1
    return stores


def _restore(connection: sqlite3.Connection, name: str, identities: list[str], checkouts: list[Checkout]) -> None:
    for identity in identities:
        connection.execute(PUT_STORE, {"identity": packed(identity), "directory": name})
    for each in checkouts:
        connection.execute(
            PUT_CHECKOUT,
            {
                "root": packed(each.path),
                "directory": name,
                "checkout_key": each.key,
                "common_dir": packed(each.common_dir),
                "seen_at": each.seen_at,
            },
        )


def _search(connection: sqlite3.Connection, data: Path, asked: Asked) -> Located:
    row = connection.execute(BY_IDENTITY, asked.values()).fetchone()
    if row is not None:
        return Located(data / row[0], asked.root, asked.checkout_key)
    found = connection.execute(BY_PLACE, asked.values()).fetchall() if asked.common_dir else []
    if len(found) == 1:
        return Located(data / found[0][0], asked.root, asked.checkout_key, adopted=True)
    return Located(data / asked.key, asked.root, asked.checkout_key)


def _with_past(connection: sqlite3.Connection, found: Located, asked: Asked, now: int) -> Located:
    seen = connection.execute(SEEN, asked.values() | {"directory": found.directory.name}).fetchone()
    return found._replace(known=seen is not None and now - seen[0] > SETTLING)


def _is_recorded(connection: sqlite3.Connection, found: Located, asked: Asked, now: int) -> bool:
    values = asked.values() | {"directory": found.directory.name}
    known = connection.execute(BY_IDENTITY, values).fetchone()
    seen = connection.execute(SEEN, values).fetchone()
    return known is not None and seen is not None and abs(now - seen[0]) < DAY


def _record(connection: sqlite3.Connection, found: Located, asked: Asked, now: int) -> None:
    values = asked.values() | {"directory": found.directory.name, "seen_at": now}
    connection.execute(PUT_STORE, values)
    connection.execute(PUT_CHECKOUT, values)


@contextmanager
def _map(data: Path, *, write: bool) -> Iterator[sqlite3.Connection]:
    """The map, open. For writing a missing one is made and a broken one replaced by what the stores recorded."""
    path = data / "map.db"
    try:
        connection = _open(data, path) if write else _open_reading(path)
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute(ROLLBACK)
            connection.close()
    except sqlite3.Error as error:
        raise failures.translated(error, str(path)) from error
    except OSError as error:
        raise failures.from_disk(error, str(path)) from error


def _open(data: Path, path: Path) -> sqlite3.Connection:
    opening.private_directory(data)
    if not opening.can_write(data) or (path.exists() and not opening.can_write(path)):
        raise failures.read_only(str(path))
    if not path.exists():
        opening.private_file(path)
    connection = opening.connect(path, "rw", WAIT_MS)
    try:
        for statement in SCHEMA:
            connection.execute(statement)
    except sqlite3.DatabaseError as error:
        connection.close()
        if not failures.is_damage(error):
            raise
        rebuild(data)
        opening.private_file(path)
        return _open(data, path)
    return connection


def _open_reading(path: Path) -> sqlite3.Connection:
    if not path.exists():
        return _empty()
    return opening.connect(path, "ro", READ_WAIT_MS)


def _empty() -> sqlite3.Connection:
    connection = opening.connect(Path(), "memory", READ_WAIT_MS)
    for statement in SCHEMA:
        connection.execute(statement)
    return connection

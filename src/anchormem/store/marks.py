"""Small facts of a store that outlive its index: import marks, what uses it. Precious, like the memories."""

from collections.abc import Mapping
from typing import NamedTuple

from anchormem.store.db import Store

GET = "SELECT content FROM main.marks WHERE name = :name"
PUT = """
INSERT INTO main.marks (name, content) VALUES (:name, :content)
ON CONFLICT (name) DO UPDATE SET content = excluded.content
"""
REMOVE = "DELETE FROM main.marks WHERE name = :name"
CHECKOUTS = "SELECT path, checkout_key, common_dir, seen_at FROM main.checkouts ORDER BY path"
CHECKOUT = "SELECT path, checkout_key, common_dir, seen_at FROM main.checkouts WHERE path = :path"
PUT_CHECKOUT = """
INSERT INTO main.checkouts (path, checkout_key, common_dir, seen_at) VALUES (:path, :key, :common_dir, :seen_at)
ON CONFLICT (path) DO UPDATE SET
  checkout_key = excluded.checkout_key, common_dir = excluded.common_dir, seen_at = excluded.seen_at
"""
REMOVE_CHECKOUT = "DELETE FROM main.checkouts WHERE path = :path"
IDENTITIES = "SELECT identity FROM main.identities ORDER BY position"
PUT_IDENTITY = """
INSERT OR IGNORE INTO main.identities (identity, position)
SELECT :identity, count(*) FROM main.identities
"""

DAY = 86_400_000  # milliseconds
TEXTLESS = "import.textless"  # an import has brought anchors whose text is still to be found


class Checkout(NamedTuple):
    """A working tree that has used this store."""

    path: str
    key: str
    common_dir: str
    seen_at: int


def get(store: Store, name: str, default: str = "") -> str:
    """One mark."""
    row = store.row(GET, {"name": name})
    return default if row is None else str(row[0])


def put(store: Store, values: Mapping[str, str]) -> None:
    """Sets these (`import.digest`, `import.at`, …), leaves others. An empty value removes."""
    with store.writing():
        store.run_many(PUT, ({"name": name, "content": value} for name, value in values.items() if value))
        store.run_many(REMOVE, ({"name": name} for name, value in values.items() if not value))


def record(store: Store, checkout: Checkout, identity: str) -> bool:
    """Remembers who uses this store; False, and nothing is written, when that is known and was seen within a day."""
    row = store.row(CHECKOUT, {"path": checkout.path})
    known = row is not None and row[1:3] == (checkout.key, checkout.common_dir)
    recent = row is not None and abs(checkout.seen_at - row[3]) < DAY
    if known and recent and identity in identities(store):
        return False
    with store.writing():
        store.run(
            PUT_CHECKOUT,
            {
                "path": checkout.path,
                "key": checkout.key,
                "common_dir": checkout.common_dir,
                "seen_at": checkout.seen_at,
            },
        )
        store.run(PUT_IDENTITY, {"identity": identity})
    return True


def forget_checkout(store: Store, path: str) -> bool:
    """Takes a working tree out of the record. False when unknown."""
    with store.writing():
        return store.run(REMOVE_CHECKOUT, {"path": path}) > 0


def checkouts(store: Store) -> list[Checkout]:
    """By path."""
    return [Checkout(*row) for row in store.rows(CHECKOUTS)]


def identities(store: Store) -> list[str]:
    """What the repository is or was called: the first one it was recorded with, then its later names."""
    return [str(row[0]) for row in store.rows(IDENTITIES)]

"""Small facts of a store that outlive its index: import marks, recorded checkouts. Precious, like the memories."""

from collections.abc import Mapping
from dataclasses import dataclass

from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Checkout:
    """A working tree that has used this store."""

    path: str
    key: str
    common_dir: str
    seen_at: int


def get(store: Store, name: str, default: str = "") -> str:
    raise NotImplementedError


def put(store: Store, values: Mapping[str, str]) -> None:
    """Sets these (`import.digest`, `import.at`, …), leaves others. An empty value removes."""
    raise NotImplementedError


def checkouts(store: Store) -> list[Checkout]:
    """By path."""
    raise NotImplementedError


def identities(store: Store) -> list[str]:
    """What the repository is or was called: its identity first, then aliases."""
    raise NotImplementedError

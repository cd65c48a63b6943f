"""Which directory under the data directory is whose: `map.db`, readable without git, rebuilt from the stores when lost.

Knows nothing of how an identity or key is made; paths are real paths as strings.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Located:
    """`adopted`: the identity was unknown and this store was found by path and git common directory."""

    directory: Path
    root: str
    checkout_key: str
    adopted: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """One store of the data directory, for doctor and gc. `checkouts`: (path, checkout key)."""

    directory: Path
    identities: tuple[str, ...]
    checkouts: tuple[tuple[str, str], ...]
    exists: bool


def locate(
    data: Path, *, identity: str, key: str, root: str, checkout_key: str, common_dir: str, now: int, write: bool = True
) -> Located:
    """The store of a checkout: by identity; else, when root and a non-empty common_dir are recorded together in exactly one
    store, that one, with the identity recorded as an alias; else `data/key`, new. Records the checkout when `write` (creating
    the data directory 0700), nothing otherwise. StoreReadOnly never: where it cannot be recorded, it is only located.
    """
    raise NotImplementedError


def find(data: Path, directory: str) -> Located | None:
    """The store for a directory or the nearest recorded one above it (not beyond another `.git`), from the map alone.

    Read-only, cheap, never raises for a missing or damaged map.
    """
    raise NotImplementedError


def every(data: Path) -> list[Recorded]:
    """All stores: those of the map and any directory with a memory.db."""
    raise NotImplementedError


def forget_checkout(data: Path, root: str) -> bool:
    """Takes a vanished checkout out of the map and its derived file away. False when unknown."""
    raise NotImplementedError


def rebuild(data: Path) -> int:
    """Makes the map anew from what the stores recorded. How many stores."""
    raise NotImplementedError

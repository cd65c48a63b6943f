"""What this checkout last saw of each file, and stamps of its sweep. Derived; knows nothing of disk or git."""

from collections.abc import Iterable, Mapping

from anchormem.model import Digest, FileState
from anchormem.store.db import Store


def get(store: Store, paths: Iterable[str]) -> dict[str, FileState]:
    """Those that are known."""
    raise NotImplementedError


def every(store: Store) -> dict[str, FileState]:
    """All of them, by path."""
    raise NotImplementedError


def under(store: Store, folder: str) -> list[FileState]:
    """Files below a folder ("": all), by path."""
    raise NotImplementedError


def put_many(store: Store, states: Iterable[FileState]) -> None:
    raise NotImplementedError


def remove(store: Store, paths: Iterable[str]) -> None:
    raise NotImplementedError


def count(store: Store) -> int:
    raise NotImplementedError


def files_with_content(store: Store, digest: Digest) -> list[str]:
    """Paths with this content, sorted: for following a file."""
    raise NotImplementedError


def failed(store: Store, limit: int = 11) -> list[FileState]:
    """Files whose status is not ok, and not merely binary, by path."""
    raise NotImplementedError


def stamps(store: Store) -> dict[str, str]:
    """All stamps: head, index_stamp, indexed_at, sweep_complete, … whatever was put."""
    raise NotImplementedError


def put_stamps(store: Store, values: Mapping[str, str]) -> None:
    """Sets these, leaves others. An empty value removes."""
    raise NotImplementedError

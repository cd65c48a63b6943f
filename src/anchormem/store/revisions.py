"""The history of a memory: its states before deliberate acts, as compressed JSON. Knows nothing of why it changed."""

from anchormem.model import Revision
from anchormem.store.db import Store


def history(store: Store, memory_id: str) -> list[Revision]:
    """Earlier states, oldest first, numbered from 1. To restore one: `memories.replace(store, revision.memory, "restore", now)`."""
    raise NotImplementedError


def numbered(store: Store, memory_id: str, number: int) -> Revision:
    """One earlier state. NotFound."""
    raise NotImplementedError

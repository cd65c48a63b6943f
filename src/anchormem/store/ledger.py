"""The running receipt of tokens saved. A caller guards each call: a StoreError here must never fail a recall."""

from dataclasses import dataclass

from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Totals:
    """`saved` may be negative. `since`: time of the first entry after the last reset, 0 without one."""

    recalls: int = 0
    served: int = 0
    saved: int = 0
    reads_avoided: int = 0
    questions: int = 0  # distinct
    since: int = 0


def add(store: Store, *, served: int, saved: int, reads_avoided: int, question: bytes, session: str, now: int) -> None:
    """One recall: tokens served and saved, distinct files that need not be read, a digest of the question."""
    raise NotImplementedError


def totals(store: Store, session: str | None = None) -> Totals:
    """Of all time, or of one session."""
    raise NotImplementedError


def reset(store: Store) -> Totals:
    """Starts anew; gives what it was."""
    raise NotImplementedError

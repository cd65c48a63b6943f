"""The running receipt of tokens saved. A caller guards each call: a StoreError here must never fail a recall."""

from dataclasses import dataclass

from anchormem.store.db import Store

ADD = """
INSERT INTO main.ledger (session, recalls, served, saved, reads_avoided, first_at)
VALUES (:session, 1, :served, :saved, :reads_avoided, :now)
ON CONFLICT (session) DO UPDATE SET
  recalls = recalls + 1, served = served + excluded.served, saved = saved + excluded.saved,
  reads_avoided = reads_avoided + excluded.reads_avoided
"""
ADD_QUESTION = "INSERT OR IGNORE INTO main.questions (digest, session) VALUES (:digest, :session)"
TOTALS = """
SELECT
  coalesce(sum(recalls), 0), coalesce(sum(served), 0), coalesce(sum(saved), 0), coalesce(sum(reads_avoided), 0),
  (SELECT count(DISTINCT digest) FROM main.questions), coalesce(min(first_at), 0)
FROM main.ledger
"""
OF_SESSION = """
SELECT
  recalls, served, saved, reads_avoided,
  (SELECT count(*) FROM main.questions q WHERE q.session = :session), first_at
FROM main.ledger WHERE session = :session
"""
CLEAR = "DELETE FROM main.ledger"
CLEAR_QUESTIONS = "DELETE FROM main.questions"


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
    with store.writing():
        store.run(
            ADD, {"session": session, "served": served, "saved": saved, "reads_avoided": reads_avoided, "now": now}
        )
        store.run(ADD_QUESTION, {"digest": question, "session": session})


def totals(store: Store, session: str | None = None) -> Totals:
    """Of all time, or of one session."""
    row = store.row(TOTALS) if session is None else store.row(OF_SESSION, {"session": session})
    return Totals(*row) if row is not None else Totals()


def reset(store: Store) -> Totals:
    """Starts anew; gives what it was."""
    with store.writing():
        before = totals(store)
        store.run(CLEAR)
        store.run(CLEAR_QUESTIONS)
        return before

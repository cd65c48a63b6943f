"""The running receipt of tokens saved. A caller guards each call: a StoreError here must never fail a recall."""

from typing import NamedTuple

from anchormem.store.db import Store

ADD = """
INSERT INTO main.ledger (session, recalls, served, saved, reads_avoided, first_at)
VALUES (:session, 1, :served, :saved, :reads_avoided, :now)
ON CONFLICT (session) DO UPDATE SET
  recalls = recalls + 1, served = served + excluded.served, saved = saved + excluded.saved,
  reads_avoided = reads_avoided + excluded.reads_avoided
"""
BEGIN = """
INSERT OR IGNORE INTO main.ledger (session, recalls, served, saved, reads_avoided, first_at)
VALUES (:session, 0, 0, 0, 0, :now)
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
IS_KNOWN = "SELECT 1 FROM main.ledger WHERE session = :session"
BY_RECALLS = "SELECT recalls, count(*) FROM main.ledger WHERE session <> '' GROUP BY recalls ORDER BY recalls"
CLEAR = "DELETE FROM main.ledger"
CLEAR_QUESTIONS = "DELETE FROM main.questions"


class Totals(NamedTuple):
    """`saved` may be negative. `since`: time of the first entry after the last reset, 0 without one."""

    recalls: int = 0
    served: int = 0
    saved: int = 0
    reads_avoided: int = 0
    questions: int = 0  # distinct
    since: int = 0


def begin(store: Store, session: str, now: int) -> None:
    """A session begins, so that one without a recall is counted too. Writes once for each."""
    if store.row(IS_KNOWN, {"session": session}) is None:
        with store.writing(patient=False):
            store.run(BEGIN, {"session": session, "now": now})


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


def by_recalls(store: Store) -> list[tuple[int, int]]:
    """How many sessions had so many recalls, the fewest first; what no session asked is not among them."""
    return [(int(recalls), int(sessions)) for recalls, sessions in store.rows(BY_RECALLS)]


def reset(store: Store) -> Totals:
    """Starts anew; gives what it was."""
    with store.writing():
        before = totals(store)
        store.run(CLEAR)
        store.run(CLEAR_QUESTIONS)
        return before

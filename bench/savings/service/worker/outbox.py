"""Sends what other parts of the service have put into the outbox table.

A row is written in the transaction of the change it tells about, so a message exists exactly when the change does.
The drainer reads rows in order, hands them to the mail gateway and marks them as sent. Rows that failed too often are
parked, and somebody looks at them in the morning.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Protocol

from worker.retry import Backoff, Outcome

log = logging.getLogger(__name__)

BATCH_SIZE = 50
PARK_AFTER = 8
LOCK_SECONDS = 90


@dataclass(frozen=True)
class Message:
    """One row of the outbox."""

    id: int
    recipient: str
    template: str
    data: dict[str, object]
    attempts: int
    created_at: datetime


class Gateway(Protocol):
    def post(self, messages: list[dict[str, object]]) -> list[Outcome]: ...


class Rows(Protocol):
    def claim(self, limit: int, until: datetime) -> list[Message]: ...

    def sent(self, ids: Iterable[int]) -> None: ...

    def failed(self, id: int, next_attempt: datetime, reason: str) -> None: ...

    def park(self, id: int, reason: str) -> None: ...


class Drainer:
    """Takes rows from the outbox until none is left or a stop is asked for."""

    def __init__(self, rows: Rows, gateway: Gateway, backoff: Backoff) -> None:
        self.rows = rows
        self.gateway = gateway
        self.backoff = backoff
        self.stopping = False

    def stop(self) -> None:
        """Lets the running batch finish and ends the loop after it."""
        self.stopping = True

    def run(self) -> int:
        """Drains until the table is empty; returns how many messages went out."""
        total = 0
        while not self.stopping:
            batch = self.claim()
            if not batch:
                break
            total += self.send(batch)
        return total

    def claim(self) -> list[Message]:
        """The next rows, locked for this worker so that a second one leaves them alone."""
        until = datetime.now(timezone.utc) + timedelta(seconds=LOCK_SECONDS)
        return self.rows.claim(BATCH_SIZE, until)

    def send(self, batch: list[Message]) -> int:
        """Posts one batch and books each outcome; a batch never fails as a whole."""
        outcomes = self.gateway.post([envelope(message) for message in batch])
        good: list[int] = []
        for message, outcome in zip(batch, outcomes):
            if outcome.ok:
                good.append(message.id)
            else:
                self.book_failure(message, outcome)
        self.rows.sent(good)
        return len(good)

    def book_failure(self, message: Message, outcome: Outcome) -> None:
        """Parks a message for good or sets the time of its next attempt."""
        attempts = message.attempts + 1
        if attempts >= PARK_AFTER or outcome.permanent:
            log.warning("parking message %s: %s", message.id, outcome.reason)
            self.rows.park(message.id, outcome.reason)
            return
        wait = self.backoff.delay(attempts)
        self.rows.failed(message.id, datetime.now(timezone.utc) + wait, outcome.reason)


def envelope(message: Message) -> dict[str, object]:
    """A message as the gateway wants it: flat, with its own id so that repeats can be told apart."""
    return {
        "to": message.recipient,
        "template": message.template,
        "variables": json.dumps(message.data, sort_keys=True),
        "idempotency_key": f"outbox-{message.id}",
    }


def stuck(messages: Iterable[Message], now: datetime, limit: timedelta = timedelta(hours=2)) -> Iterator[Message]:
    """Messages that wait longer than the limit, for the health page."""
    for message in messages:
        if now - message.created_at > limit:
            yield message


def summary(sent: int, parked: int, waiting: int) -> str:
    """One line for the log after each run."""
    parts = [f"{sent} sent"]
    if parked:
        parts.append(f"{parked} parked")
    if waiting:
        parts.append(f"{waiting} waiting")
    return ", ".join(parts)

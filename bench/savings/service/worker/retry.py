"""When to try again, and when not to. Shared by the outbox, the carrier client and the nightly reconciliation."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

T = TypeVar("T")

PERMANENT = frozenset({400, 401, 403, 404, 410, 422})
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Outcome:
    """What came of one attempt."""

    ok: bool
    status: int = 0
    reason: str = ""
    retry_after: timedelta | None = None

    @property
    def permanent(self) -> bool:
        """Whether another attempt can only fail the same way."""
        return not self.ok and self.status in PERMANENT


@dataclass(frozen=True)
class Backoff:
    """Growing pauses between attempts, shaken up so that many workers do not come back at once."""

    first: timedelta = timedelta(seconds=2)
    factor: float = 2.0
    longest: timedelta = timedelta(minutes=15)
    shake: float = 0.2
    chance: random.Random = field(default_factory=random.Random, compare=False)

    def delay(self, attempt: int) -> timedelta:
        """The pause after the attempt with this number, counted from 1."""
        if attempt < 1:
            raise ValueError(f"attempts are counted from 1, not {attempt}")
        plain = self.first * self.factor ** (attempt - 1)
        bounded = min(plain, self.longest)
        return bounded * (1 + self.chance.uniform(-self.shake, self.shake))

    def schedule(self, attempts: int) -> list[timedelta]:
        """All pauses of a run of attempts, for tests and for the documentation page."""
        return [self.delay(number) for number in range(1, attempts + 1)]


class GaveUp(Exception):
    """All attempts failed; `outcomes` holds each of them in order."""

    def __init__(self, outcomes: list[Outcome]) -> None:
        super().__init__(f"{len(outcomes)} attempts failed, the last with {outcomes[-1].reason or outcomes[-1].status}")
        self.outcomes = outcomes


class Breaker:
    """Stops calling a service that fails again and again, and lets a single call through after a while."""

    def __init__(self, threshold: int = 5, rest: timedelta = timedelta(seconds=30)) -> None:
        self.threshold = threshold
        self.rest = rest
        self.failures = 0
        self.opened_at: float | None = None

    def allows(self, now: float) -> bool:
        """Whether a call may be made at this time (seconds of a monotonic clock)."""
        if self.opened_at is None:
            return True
        return now - self.opened_at >= self.rest.total_seconds()

    def record(self, ok: bool, now: float) -> None:
        """Books the outcome of a call; the first success closes the breaker."""
        if ok:
            self.failures = 0
            self.opened_at = None
            return
        self.failures += 1
        if self.failures >= self.threshold:
            self.opened_at = now


def attempt(
    call: Callable[[], Outcome],
    backoff: Backoff,
    sleep: Callable[[float], None],
    most: int = 4,
) -> Outcome:
    """Calls until it works, is permanently refused, or `most` attempts are used up."""
    outcomes: list[Outcome] = []
    for number in range(1, most + 1):
        outcome = call()
        outcomes.append(outcome)
        if outcome.ok:
            return outcome
        if outcome.permanent:
            break
        if number < most:
            sleep(pause(outcome, backoff, number).total_seconds())
    raise GaveUp(outcomes)


def pause(outcome: Outcome, backoff: Backoff, number: int) -> timedelta:
    """What the other side asked for, if it asked for more than our own pause."""
    own = backoff.delay(number)
    if outcome.retry_after is None:
        return own
    return max(own, outcome.retry_after)


def classify(status: int) -> str:
    """The class of a status for the dashboard."""
    if 200 <= status < 300:
        return "ok"
    if status in PERMANENT:
        return "permanent"
    if status in TRANSIENT:
        return "transient"
    return "unknown"

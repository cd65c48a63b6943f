"""Two opinions about every anchor at every commit, counted: the confusion matrix, and the gates on it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from proof.judge import Verdict
from proof.part import Gate, Row

FALSE_STALE = 0.01
WRONGLY_GONE = 0.01
ACTIVE = ("fresh", "followed")
ROWS = ("fresh", "followed", "stale", "gone", "lost", "small")
ALARMING = ("stale", "gone", "lost")
LABELS = {"lost": "gone, or edited beyond telling", "small": "followed, or too small to follow"}


@dataclass(frozen=True, slots=True)
class Seen:
    """`word`: what the product says, as `fresh`, `followed path::name`, `stale:body_edited`, `gone`, `unknown:pending`.

    `new`: this pair of opinions was another at the commit before.
    """

    commit: str
    anchor: str
    verdict: Verdict
    word: str
    new: bool = True

    @property
    def said(self) -> str:
        return self.word.split(" ", 1)[0].split(":", 1)[0]

    @property
    def is_right(self) -> bool:
        return self.word in self.verdict.right


@dataclass(slots=True)
class Count:
    """How often something was tried, and was wrong."""

    tried: int = 0
    wrong: int = 0

    @property
    def share(self) -> float:
        return self.wrong / self.tried if self.tried else 0.0

    def add(self, *, wrong: bool) -> None:
        self.tried += 1
        self.wrong += wrong


@dataclass(slots=True)
class Score:
    """`every`: counts over each anchor at each commit; `news`: only where an opinion changed. A gate takes the worse,
    so that what lasts for many commits hides nothing.
    """

    matrix: dict[str, Counter[str]] = field(default_factory=lambda: {row: Counter() for row in ROWS})
    right: Counter[str] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    wrong_active: int = 0
    wrong_followed: int = 0
    active: dict[str, Count] = field(default_factory=lambda: {"every": Count(), "news": Count()})
    gone: dict[str, Count] = field(default_factory=lambda: {"every": Count(), "news": Count()})
    misses: list[str] = field(default_factory=list)

    def take(self, seen: Iterable[Seen]) -> "Score":
        for one in seen:
            if one.verdict.row == "undecided":
                self.undecided[one.verdict.why] += 1
            else:
                self._take(one)
        return self

    def _take(self, one: Seen) -> None:
        row, right = one.verdict.row, one.is_right
        self.matrix[row][one.word.split(" ", 1)[0]] += 1
        self.right[row] += right
        self.wrong_active += one.said == "fresh" and not right
        self.wrong_followed += one.said == "followed" and not right
        for kind in ("every", "news") if one.new else ("every",):
            if row in ACTIVE:
                self.active[kind].add(wrong=one.said not in (*ACTIVE, "gone") and not right)
            if one.said == "gone":
                self.gone[kind].add(wrong=not right)
        if not right and one.new:
            wanted = " or ".join(sorted(one.verdict.right))
            because = f" ({one.verdict.why})" if one.verdict.why else ""
            self.misses.append(f"{one.commit}: {one.anchor}: said {one.word}, should be {wanted}{because}")

    # ── what is told ────────────────────────────────────────────────────────────────────────────────────────────────

    def gates(self) -> tuple[Gate, ...]:
        alarms = max(self.active.values(), key=lambda count: count.share)
        deaths = max(self.gone.values(), key=lambda count: count.share)
        tried = all(any(self.matrix[row] for row in rows) for rows in (ACTIVE, ALARMING))
        return (
            Gate(f"wrong active: {self.wrong_active}, none allowed", tried and not self.wrong_active),
            Gate(f"wrong followed: {self.wrong_followed}, none allowed", tried and not self.wrong_followed),
            Gate(f"false stale: {_percent(alarms)}, at most {FALSE_STALE:.0%}", tried and alarms.share <= FALSE_STALE),
            Gate(
                f"wrongly gone: {_percent(deaths)}, at most {WRONGLY_GONE:.0%}", tried and deaths.share <= WRONGLY_GONE
            ),
        )

    def rows(self) -> tuple[Row, ...]:
        """The matrix, then what an alarm is worth: an alarm is any fate but fresh and followed."""
        told = [
            Row(
                f"oracle: {LABELS.get(row, row)}",
                self.matrix[row].total(),
                self.right[row],
                ", ".join(f"{word} {count:,}" for word, count in self.matrix[row].most_common()),
            )
            for row in ROWS
            if self.matrix[row]
        ]
        alarms = {row: sum(n for word, n in self.matrix[row].items() if word not in ACTIVE) for row in ROWS}
        false = sum(alarms[row] for row in ACTIVE)
        sure = sum(alarms[row] for row in ALARMING)
        due = sum(self.matrix[row].total() for row in ALARMING)
        sound = sum(self.matrix[row].total() for row in ACTIVE)
        told += [
            Row("precision of alarms", sure + false, sure),
            Row("recall of alarms", due, sure),
            Row(
                "sound code without an alarm", sound, sound - false, f"false alarms {100 * false / max(sound, 1):.2f} %"
            ),
        ]
        if self.undecided:
            named = ", ".join(f"{why} ({count:,})" for why, count in self.undecided.most_common(3))
            told.append(Row("undecided by ast", 0, 0, f"{self.undecided.total():,}: {named[:300]}"))
        return tuple(told)


def _percent(count: Count) -> str:
    return f"{100 * count.share:.2f} % of {count.tried:,}"

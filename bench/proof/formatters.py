"""Formatters: real ones with contrary options over real files leave every hash alone, but for exceptions by name.

The frame alone: which formatters there are stands in `formatters_<languages>.py`, how one is run in `formatter.py`.
"""

import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from proof import formatters_compiled, formatters_dynamic, formatters_scripts
from proof.formatter import Flip, Formatter, HandWritten, Hunk, Outcome, Rewriting, by_hand, chosen, run_once
from proof.part import Gate, Options, Part, Row

ROOMS = (formatters_scripts, formatters_dynamic, formatters_compiled)
FORMATTERS: tuple[Formatter, ...] = tuple(formatter for room in ROOMS for formatter in room.FORMATTERS)
BY_HAND: tuple[HandWritten, ...] = tuple(written for room in ROOMS for written in room.BY_HAND)
EXCEPTIONS: tuple[Rewriting, ...] = tuple(exception for room in ROOMS for exception in room.EXCEPTIONS)
AT_ONCE = 2  # processes
T = TypeVar("T")
QUICK_OPTIONS = 2
PLAIN_QUOTES = "quotes of a plain string"


def run(options: Options) -> Part:
    outcomes = [*outcomes_of(options), *map(by_hand, BY_HAND)]
    rows, misses, tried = [], [], 0
    for outcome in outcomes:
        excused, unexcused = sorted_out(outcome.flips)
        misses += [str(flip) for flip in innermost(unexcused)]
        tried += outcome.tried
        rows.append(row_of(outcome, excused, len(unexcused)))
    idle = sorted(idle_of(outcomes)) if not options.quick else []
    gates = (
        Gate(f"{tried:,} definitions rewritten by formatters keep their hash, or the exception has a name", not misses),
        Gate("at least one formatter of real files was there and rewrote something", any(o.files for o in outcomes)),
        Gate("each formatter that could be had rewrote something" + "".join(f"; not {one}" for one in idle), not idle),
    )
    return Part("formatters", tuple(rows), gates, tuple(misses))


def idle_of(outcomes: Sequence[Outcome]) -> set[str]:
    """Formatters that were there and left everything as it was, whatever their options."""
    there = {f"{o.formatter} ({o.language})": 0 for o in outcomes if not o.reason}
    for outcome in outcomes:
        if not outcome.reason:
            there[f"{outcome.formatter} ({outcome.language})"] += outcome.tried
    return {name for name, tried in there.items() if not tried}


def outcomes_of(options: Options) -> list[Outcome]:
    few = QUICK_OPTIONS if options.quick else None
    # Fetched one after another: two threads must not unpack one package.
    jobs = [
        (formatter, wanted, files, had(partial(formatter.command, options.cache, wanted)))
        for formatter in FORMATTERS
        for files in [files_of(formatter, options)]
        for wanted in formatter.options[:few]
    ]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda job: outcome_of(*job), jobs))


def files_of(formatter: Formatter, options: Options) -> list[Path] | str:
    sources = had(partial(formatter.sources, options.cache))
    if isinstance(sources, str):
        return sources
    return chosen(sources, formatter.budget[0 if options.quick else 1], options.seed)


def had(fetched: Callable[[], T | str]) -> T | str:
    """What a registry gave, or in words why it did not."""
    try:
        return fetched()
    except (OSError, subprocess.SubprocessError) as error:
        return f"not to be had: {error}"[:200]


def outcome_of(formatter: Formatter, wanted: str, files: list[Path] | str, argv: list[str] | str) -> Outcome:
    if isinstance(files, str) or isinstance(argv, str):
        return Outcome(formatter.name, formatter.language, wanted, reason=argv if isinstance(argv, str) else str(files))
    return run_once(formatter, wanted, files, argv)


def sorted_out(flips: Iterable[Flip]) -> tuple[Counter[str], list[Flip]]:
    """Exceptions counted by name, and what none explains. Of a flip every difference must be explained."""
    excused: Counter[str] = Counter()
    unexcused = []
    for flip in flips:
        names = [name_of(flip, place) for place in range(len(flip.hunks))]
        if all(names) and set(names) != {PLAIN_QUOTES}:
            excused.update(set(names) - {PLAIN_QUOTES})
        else:
            unexcused.append(flip)
    return excused, unexcused


def name_of(flip: Flip, place: int) -> str:
    hunk = flip.hunks[place]
    if only_quotes(hunk):
        return PLAIN_QUOTES
    fitting = (e for e in EXCEPTIONS if flip.formatter in e.formatter.split() and e.recognise(hunk, flip))
    return next((exception.name for exception in fitting), "")


def only_quotes(hunk: Hunk) -> bool:
    """`'a'` and `"a"` are one token to the tables; such a pair only shows beside a difference that counts."""
    before, after = ("".join(side) for side in (hunk.before, hunk.after))
    inside = before[1:-1]
    quotes = {before[:1] + before[-1:], after[:1] + after[-1:]}
    return quotes == {"''", '""'} and inside == after[1:-1] and not set(inside) & set("'\"\\")


def innermost(flips: list[Flip]) -> list[Flip]:
    """Without those that only hold another that is shown."""
    return [
        flip
        for flip in flips
        if not any(other is not flip and holds(flip, other) for other in flips if other.path == flip.path)
    ]


def holds(flip: Flip, other: Flip) -> bool:
    return flip.what == "file" or (
        other.what != "file" and len(other.before) < len(flip.before) and other.before in flip.before
    )


def row_of(outcome: Outcome, excused: Counter[str], unexcused: int) -> Row:
    what = f"{outcome.formatter}, {outcome.language}: {outcome.options or 'as it comes'}"
    notes = [outcome.reason] if outcome.reason else [f"{outcome.files} files"]
    notes += [f"exception: {name} ({count})" for name, count in sorted(excused.items())]
    return Row(what, outcome.tried, outcome.tried - unexcused, "; ".join(notes))

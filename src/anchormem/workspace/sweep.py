"""The whole tree brought up to date: listing, stat, read, parse, resolve. Resumable, cancellable, one at a time.

Knows nothing of replies and memories beyond their anchors. Fates are resolved once, at the end: half an index must not
make anything look moved or dead.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from anchormem.errors import StoreError
from anchormem.project import git
from anchormem.store import anchors, facts, fates, files
from anchormem.workspace import stamps
from anchormem.workspace.intake import Intake, Known, take_in
from anchormem.workspace.look import look
from anchormem.workspace.parsing import parse_all
from anchormem.workspace.session import Workspace
from anchormem.workspace.sight import keep, not_well, resolve_held, tell
from anchormem.workspace.stamps import Stamps
from anchormem.workspace.survey import Survey, survey

Progress = Callable[[int, int], None]  # files done, files to do

MANY_PARSED = 500  # files of one sweep; fewer leave no log worth emptying
READ_AT_ONCE = 400  # files read between two looks at `cancelled`, and written in one transaction
WAIT_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class SweepReport:
    """`outcome`: complete | cancelled | busy (another process sweeps) | partial (some part could not be listed).

    `looking_seconds`: the part of `seconds` that finding out what changed took, which the next sweep will take again.
    """

    outcome: str
    files: int = 0
    read: int = 0
    parsed: int = 0
    removed: int = 0
    symbols: int = 0
    seconds: float = 0.0
    looking_seconds: float = 0.0
    failures: Mapping[str, str] = field(default_factory=dict)  # path → reason
    skipped: Mapping[str, int] = field(default_factory=dict)  # reason → count
    anchors: Mapping[str, int] = field(default_factory=dict)  # fate name → count
    warnings: tuple[str, ...] = ()


def sweep(
    ws: Workspace,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    full: bool = False,
    wait_ms: int = 0,
) -> SweepReport:
    """Brings this checkout's whole index up to date. `full`: every file is read again, whatever its stat says.

    `wait_ms`: how long to wait for another sweeper before answering `busy`.
    """
    stop = cancelled or _never
    deadline = time.monotonic() + wait_ms / 1000
    while True:
        with ws.store.sweep_lock() as mine:
            if mine:
                report = _Sweep(ws, progress or _silent, stop).run(full=full)
                with suppress(StoreError):  # what is not tidied now is tidied later
                    facts.tidy(ws.store)
                    if report.parsed > MANY_PARSED:
                        ws.store.shrink_logs()
                return report
        if time.monotonic() >= deadline or stop():
            return SweepReport("busy")
        time.sleep(WAIT_SECONDS)


def _never() -> bool:
    return False


def _silent(_done: int, _todo: int) -> None:
    return


@dataclass(slots=True)
class _Sweep:
    """One sweep under way. `changed`: what differs from what the index held, for the anchors it concerns.

    `unseen`: files that may differ and have not been reached.
    """

    ws: Workspace
    progress: Progress
    stop: Callable[[], bool]
    changed: Intake = field(default_factory=Intake)
    unseen: set[str] = field(default_factory=set)
    done: int = 0
    todo: int = 0
    read: int = 0
    parsed: int = 0

    def run(self, *, full: bool) -> SweepReport:
        started = time.monotonic()
        ws = self.ws
        stamps.reload_config(ws)
        before, seen, store = stamps.read(ws.store), git.stamp(ws.root), _lies_at(ws)
        recipe, made = stamps.recipe(ws), facts.made(ws.store)
        found = survey(ws, full=full, doubt=recipe != before.recipe or made != before.facts)
        looked = time.monotonic() - started
        self._bring_in(found)
        _stay(ws, store)
        if self.stop():
            return SweepReport("cancelled", len(found.listing.files), self.read, self.parsed)
        now = replace(
            before,
            git=str(seen),
            head=git.head_commit(ws.root),
            swept_git=str(seen),
            indexed_at=ws.now(),
            sweep_ms=int((time.monotonic() - started) * 1000),
            facts=made,
            recipe=recipe,
            open=False,
            left=0,
            dirty=(),
        )
        symbols = self._finish(found, before, now, full=full)
        if self.changed.paths:
            facts.prune(ws.store)
            fates.drop_orphans(ws.store)
        _stay(ws, store)
        return replace(self._report(found, symbols, time.monotonic() - started), looking_seconds=looked)

    # ── reading and parsing ─────────────────────────────────────────────────────────────────────────────────────────

    def _bring_in(self, found: Survey) -> None:
        if not found.todo:
            return
        self.todo, self.unseen = len(found.todo), set(found.moved)
        with self.ws.store.deriving():
            files.put_stamps(self.ws.store, {"open": "1", "left": str(len(self.unseen) or "")})
        unparsed: dict[str, int] = {}
        for paths in _batches(sorted(found.todo), READ_AT_ONCE):
            if self.stop():
                return
            unparsed |= {path: found.todo[path] for path in self._read(paths, found.whole)}
        self._parse(unparsed)

    def _read(self, paths: Sequence[str], whole: frozenset[str]) -> list[str]:
        """Reads a batch; gives back what no store has facts of."""
        now_ns = self.ws.now() * 1_000_000
        looks = [look(self.ws.root, path, self.ws.config.extensions, now_ns) for path in paths]
        looks = [replace(one, source=None) if one.path in whole else one for one in looks]
        intake, left = take_in(self.ws.store, looks, files.get(self.ws.store, paths), parsing=False)
        self.read += len(paths)
        unparsed = [one.path for one in left]
        self._write(intake, set(paths) - set(unparsed))
        return unparsed

    def _parse(self, sizes: Mapping[str, int]) -> None:
        now_ns = self.ws.now() * 1_000_000
        for parsed in parse_all(self.ws.root, sizes, self.ws.config.extensions, now_ns, self.stop):
            old = files.get(self.ws.store, [one.path for one in parsed])
            hashes, intake = Known(self.ws.store, old.values()), Intake()
            for one in parsed:
                if one.facts is not None:
                    hashes.add(one.facts)
                    intake.facts.append(one.facts)
                intake.absorb(one.path, old.get(one.path), one.state, hashes)
            self.parsed += len(intake.facts)
            self._write(intake, {one.path for one in parsed})

    def _write(self, intake: Intake, reached: set[str]) -> None:
        self.changed.paths |= intake.paths
        self.changed.bodies |= intake.bodies
        self.done += len(reached)
        self.unseen -= reached
        with self.ws.store.deriving():
            intake.write(self.ws.store)
            # A call beside this sweep sees these files as looked at: it must not take the old fates for theirs.
            fates.outdate_in(self.ws.store, intake.paths)
            files.put_stamps(self.ws.store, {"left": str(len(self.unseen) or "")})
        self.progress(self.done, self.todo)

    # ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _finish(self, found: Survey, before: Stamps, now: Stamps, *, full: bool) -> int:
        """Removes what is gone and resolves, in one transaction with the stamps. How many symbols there are."""
        ws = self.ws
        states = files.get(ws.store, found.gone)
        hashes = Known(ws.store, states.values())
        for path, state in states.items():
            self.changed.absorb(path, state, None, hashes)
        with ws.store.deriving():
            files.remove(ws.store, self.changed.removed)
            if full or before.open or before.recipe != now.recipe or not before.indexed_at:
                held = anchors.every_live(ws.store)
            else:
                held = anchors.get(ws.store, self._outdated(moved=before.git != now.git or before.swept_git != now.git))
            resolved = resolve_held(ws, held, searchable=True, head=before.head, withheld=found.listing.withheld)
            keep(ws, resolved)
            symbols = self._symbols(before, now)
            stamps.write(ws.store, stamps.read(ws.store), replace(now, symbols=symbols))
        tell(ws, resolved)
        return symbols

    def _symbols(self, before: Stamps, now: Stamps) -> int:
        """Counted anew only where something differs from when they were counted last."""
        same = before.indexed_at and before.facts == now.facts and not (before.open or self.changed.paths)
        current = stamps.read(self.ws.store)  # a call beside this sweep may have found a change
        return current.symbols if same and not current.dirty else facts.totals(self.ws.store).symbols

    def _outdated(self, *, moved: bool) -> list[int]:
        """Anchors that what changed concerns; where git moved, also all whose fate may hang on where HEAD is."""
        ids = set(fates.outdated(self.ws.store, self.changed.paths, self.changed.bodies))
        return sorted(ids | not_well(self.ws) if moved else ids)

    def _report(self, found: Survey, symbols: int, seconds: float) -> SweepReport:
        store, listing = self.ws.store, found.listing
        return SweepReport(
            outcome="partial" if listing.partial else "complete",
            files=len(listing.files),
            read=self.read,
            parsed=self.parsed,
            removed=len(found.gone),
            symbols=symbols,
            seconds=seconds,
            failures={state.path: state.status for state in files.failed(store)},
            skipped=listing.skips,
            anchors=fates.tally(store),
            warnings=listing.warnings,
        )


def _lies_at(ws: Workspace) -> int:
    """Which file the memories are in, 0 for none."""
    try:
        return ws.store.memory_path.stat().st_ino
    except OSError:
        return 0


def _stay(ws: Workspace, store: int) -> None:
    """A store removed beneath an open connection still takes what is written, and nobody will ever read it."""
    if not store or _lies_at(ws) != store:
        raise StoreError(
            f"the store {ws.directory} was removed or replaced while it was being indexed",
            "run it again; `anchormem doctor` says what is there now",
        )


def _batches(paths: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), size):
        yield paths[start : start + size]

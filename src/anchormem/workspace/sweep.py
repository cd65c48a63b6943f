"""The whole tree brought up to date: listing, stat, read, parse, resolve. Resumable, cancellable, one at a time.

Knows nothing of replies and memories beyond their anchors. Fates are resolved once, at the end: half an index must not
make anything look moved or dead.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from anchormem import languages
from anchormem.errors import StoreError
from anchormem.model import FileState, Stat
from anchormem.project import disk, git
from anchormem.project.listing import Listing, list_files
from anchormem.store import anchors, facts, fates, files
from anchormem.store.db import Store
from anchormem.workspace import stamps
from anchormem.workspace.intake import Intake, Known, take_in
from anchormem.workspace.look import look, meant, moved_on
from anchormem.workspace.parsing import parse_all
from anchormem.workspace.session import Workspace
from anchormem.workspace.sight import keep, resolve_held, tell
from anchormem.workspace.stamps import Stamps

Progress = Callable[[int, int], None]  # files done, files to do

READ_AT_ONCE = 400  # files read between two looks at `cancelled`, and written in one transaction
WAIT_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class SweepReport:
    """`outcome`: complete | cancelled | busy (another process sweeps) | partial (some part could not be listed)."""

    outcome: str
    files: int = 0
    read: int = 0
    parsed: int = 0
    removed: int = 0
    symbols: int = 0
    seconds: float = 0.0
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
    """One sweep under way. `changed`: what differs from what the index held, for the anchors it concerns."""

    ws: Workspace
    progress: Progress
    stop: Callable[[], bool]
    changed: Intake = field(default_factory=Intake)
    done: int = 0
    todo: int = 0
    read: int = 0
    parsed: int = 0

    def run(self, *, full: bool) -> SweepReport:
        started = time.monotonic()
        ws = self.ws
        stamps.reload_config(ws)
        before, seen = stamps.read(ws.store), git.stamp(ws.root)
        recipe = stamps.recipe(ws)
        listing = list_files(ws.root)
        known = files.every(ws.store)
        todo = self._todo(listing, known, full=full, doubt=recipe != before.recipe)
        self._bring_in(todo, known, listing)
        if self.stop():
            return SweepReport("cancelled", len(listing.files), self.read, self.parsed)
        now = replace(
            before,
            git=str(seen),
            head=git.head_commit(ws.root),
            swept_git=str(seen),
            indexed_at=ws.now(),
            sweep_ms=int((time.monotonic() - started) * 1000),
            recipe=recipe,
            open=False,
            left=0,
            dirty=(),
        )
        removed = self._finish(listing, known, before, now, full=full)
        if self.changed.paths:
            facts.prune(ws.store)
            fates.drop_orphans(ws.store)
        return self._report(listing, removed, time.monotonic() - started)

    # ── what has to be read ─────────────────────────────────────────────────────────────────────────────────────────

    def _todo(self, listing: Listing, known: Mapping[str, FileState], *, full: bool, doubt: bool) -> dict[str, Stat]:
        """Listed files whose stat moved on, or (`doubt`) whose facts are not those of today's recipe."""
        now = disk.stats(self.ws.root, (listed.path for listed in listing.files))
        there = {path: stat for path, stat in now.items() if stat is not None}
        todo = {path: stat for path, stat in there.items() if full or moved_on(known.get(path), stat)}
        if doubt or self._lacks_facts(known):
            vendored = {listed.path for listed in listing.files if listed.vendored}
            lacking = _lacking(self.ws.store, known.values(), doubt=doubt)
            todo |= {path: there[path] for path in lacking & there.keys() - vendored}
        return todo

    def _lacks_facts(self, known: Mapping[str, FileState]) -> bool:
        """Whether the derived facts were lost while this checkout's states were not."""
        return any(state.language for state in known.values()) and facts.totals(self.ws.store).parsed == 0

    # ── reading and parsing ─────────────────────────────────────────────────────────────────────────────────────────

    def _bring_in(self, todo: Mapping[str, Stat], known: Mapping[str, FileState], listing: Listing) -> None:
        if not todo:
            return
        self.todo = len(todo)
        whole = {listed.path for listed in listing.files if listed.vendored} - self._anchored()
        with self.ws.store.deriving():
            files.put_stamps(self.ws.store, {"open": "1", "left": str(self.todo)})
        unparsed: dict[str, int] = {}
        for paths in _batches(sorted(todo), READ_AT_ONCE):
            if self.stop():
                return
            left = self._read(paths, known, whole)
            unparsed |= {path: todo[path].size for path in left}
        self._parse(unparsed, known)

    def _anchored(self) -> set[str]:
        return {path for path, _ in anchors.anchored_paths(self.ws.store)}

    def _read(self, paths: Sequence[str], known: Mapping[str, FileState], whole: set[str]) -> list[str]:
        """Reads a batch; gives back what no store has facts of. `whole`: files that are kept without being parsed."""
        now_ns = self.ws.now() * 1_000_000
        looks = [look(self.ws.root, path, self.ws.config.extensions, now_ns) for path in paths]
        looks = [replace(one, source=None) if one.path in whole else one for one in looks]
        intake, left = take_in(self.ws.store, looks, _of(known, paths), parsing=False)
        self.read += len(paths)
        self._write(intake, len(paths) - len(left))
        return [one.path for one in left]

    def _parse(self, sizes: Mapping[str, int], known: Mapping[str, FileState]) -> None:
        now_ns = self.ws.now() * 1_000_000
        for parsed in parse_all(self.ws.root, sizes, self.ws.config.extensions, now_ns, self.stop):
            old = _of(known, [one.path for one in parsed])
            hashes, intake = Known(self.ws.store, old.values()), Intake()
            for one in parsed:
                if one.facts is not None:
                    hashes.add(one.facts)
                    intake.facts.append(one.facts)
                intake.absorb(one.path, old.get(one.path), one.state, hashes)
            self.parsed += len(intake.facts)
            self._write(intake, len(parsed))

    def _write(self, intake: Intake, count: int) -> None:
        self.changed.paths |= intake.paths
        self.changed.bodies |= intake.bodies
        self.done += count
        with self.ws.store.deriving():
            intake.write(self.ws.store)
            files.put_stamps(self.ws.store, {"left": str(self.todo - self.done or "")})
        self.progress(self.done, self.todo)

    # ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _finish(
        self, listing: Listing, known: Mapping[str, FileState], before: Stamps, now: Stamps, *, full: bool
    ) -> int:
        """Removes what is gone and resolves, in one transaction with the stamps. How many files are gone."""
        ws, gone = self.ws, self._gone(listing, known)
        hashes = Known(ws.store, gone)
        for state in gone:
            self.changed.absorb(state.path, state, None, hashes)
        with ws.store.deriving():
            files.remove(ws.store, self.changed.removed)
            ids = set(fates.outdated(ws.store, self.changed.paths, self.changed.bodies))
            if full or before.open or before.recipe != now.recipe or not before.indexed_at:
                ids |= {one.anchor.id for one in anchors.every_live(ws.store)}
            elif before.git != now.git or before.swept_git != now.swept_git:
                ids |= not_well(ws)
            resolved = resolve_held(ws, anchors.get(ws.store, sorted(ids)), searchable=True, head=before.head)
            keep(ws, resolved)
            stamps.write(ws.store, stamps.read(ws.store), now)
        tell(ws, resolved)
        return len(gone)

    def _gone(self, listing: Listing, known: Mapping[str, FileState]) -> list[FileState]:
        """Known files that are listed no more. What is anchored, or could not be listed, is gone only from the disk."""
        listed = {one.path for one in listing.files}
        missing = [path for path in known if path not in listed]
        kept = set(missing) if listing.partial else set(missing) & self._anchored()
        there = disk.stats(self.ws.root, kept)
        on_disk = disk.stats(self.ws.root, (path for path in known if path in listed))
        vanished = [path for path, stat in on_disk.items() if stat is None]
        return [known[path] for path in (*missing, *vanished) if there.get(path) is None]

    def _report(self, listing: Listing, removed: int, seconds: float) -> SweepReport:
        store = self.ws.store
        return SweepReport(
            outcome="partial" if listing.partial else "complete",
            files=len(listing.files),
            read=self.read,
            parsed=self.parsed,
            removed=removed,
            symbols=facts.totals(store).symbols,
            seconds=seconds,
            failures={state.path: state.status for state in files.failed(store)},
            skipped=listing.skips,
            anchors=fates.tally(store),
            warnings=listing.warnings,
        )


def not_well(ws: Workspace) -> set[int]:
    """Anchors whose fate may hang on where HEAD is."""
    return {anchor for anchor, row in fates.get_all(ws.store).items() if row.fate.name not in ("fresh", "followed")}


def _lacking(store: Store, states: Iterable[FileState], *, doubt: bool) -> set[str]:
    """Paths of which today's facts are not stored; with `doubt` also those that may have a language only now."""
    wanted = {
        state.path: [(state.content, one, languages.epoch(one)) for one in meant(state.language)]
        for state in states
        if state.content is not None and (state.language is not None or (doubt and state.status == "ok"))
    }
    held = facts.known(store, (key for keys in wanted.values() for key in keys))
    return {path for path, keys in wanted.items() if held.isdisjoint(keys)}


def _of(known: Mapping[str, FileState], paths: Sequence[str]) -> dict[str, FileState]:
    return {path: known[path] for path in paths if path in known}


def _batches(paths: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), size):
        yield paths[start : start + size]

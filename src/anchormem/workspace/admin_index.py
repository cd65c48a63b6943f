"""Administrative operations over the index and the stores: index, status, gc."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from anchormem import __version__
from anchormem.errors import AnchormemError
from anchormem.model import JsonObject, Reply
from anchormem.project import disk
from anchormem.project.data import data_directory
from anchormem.reason.envelope import iso, lean
from anchormem.store import facts, fates, listing, marks, memories, repositories, search
from anchormem.store.db import open_store
from anchormem.store.repositories import Recorded
from anchormem.workspace import exported, given, shared
from anchormem.workspace.admin_acts import KEPT_DAYS
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.session import Workspace
from anchormem.workspace.stamps import read as read_stamps
from anchormem.workspace.sweep import SweepReport, sweep
from anchormem.workspace.view import View, views

WAIT_MS = 120_000
DAY_MS = 86_400_000
SHOWN_FAILURES = 20
DERIVED = ("facts.db", "facts.db-wal", "facts.db-shm", "checkouts")


def index(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`full` bool False; set by the caller: `progress` Callable[[int, int], None], `cancelled` Callable[[], bool]."""
    full = given.flag(args, "full")
    report = sweep(
        ws,
        progress=_progress(args.get("progress")),
        cancelled=_cancelled(args.get("cancelled")),
        full=full,
        wait_ms=WAIT_MS,
    )
    mended = full and ws.store.writable and search.ensure(ws.store, __version__)
    fresh = refresh(ws)
    if report.outcome == "complete":
        fresh = replace(fresh, unchecked=0)  # what is not found now was searched for just now
    told = ("the full-text index was unsound and has been rebuilt",) if mended else ()
    return reply(ws, fresh, _report(ws, report), warnings=(*report.warnings, *told))


def _progress(value: object) -> Callable[[int, int], None] | None:
    def told(done: int, todo: int) -> None:
        _call(value, done, todo)

    return told if callable(value) else None


def _cancelled(value: object) -> Callable[[], bool] | None:
    return (lambda: bool(_call(value))) if callable(value) else None


def _call(value: object, *arguments: int) -> object:
    return value(*arguments) if callable(value) else None


def _report(ws: Workspace, report: SweepReport) -> JsonObject:
    failures = sorted(report.failures.items())
    return {
        "outcome": report.outcome,
        "files": report.files,
        "read": report.read,
        "parsed": report.parsed,
        "removed": report.removed,
        "symbols": report.symbols,
        "seconds": round(report.seconds, 2),
        **lean(
            {
                "failures": dict(failures[:SHOWN_FAILURES]),
                "failures_total": len(failures) if len(failures) > SHOWN_FAILURES else None,
                "skipped": dict(report.skipped),
                "anchors": dict(report.anchors) or fates.tally(ws.store),
            }
        ),
    }


def status(ws: Workspace, args: Mapping[str, object]) -> Reply:  # noqa: ARG001 — every operation takes arguments
    """No arguments. Root, repository, store, files, symbols, memories by status and kind, stamps."""
    fresh = refresh(ws)
    standing = views(search.standing(ws.store), fresh)
    counts, totals, sizes = listing.counts(ws.store), facts.totals(ws.store), ws.store.sizes()
    stamps = read_stamps(ws.store)
    data: JsonObject = {
        "root": str(ws.root.path),
        "repository": ws.identity,
        "git": ws.root.is_git,
        "store": {
            "path": str(ws.directory),
            "bytes": sum(sizes.values()),
            "files": sizes,
            "journal": ws.store.journal,
            "writable": ws.store.writable,
        },
        "files": totals.files,
        "parsed": totals.parsed,
        "symbols": totals.symbols,
        "source_bytes": totals.source_bytes,
        "memories": {
            "total": counts.live,
            "status": _by_status(standing),
            "kinds": dict(counts.kinds),
            "sources": dict(counts.sources),
            "unanchored": counts.unanchored,
            "private": counts.private,
            "archived": counts.archived,
            "imported": counts.imported,
            "superseded": counts.superseded,
            "forgotten": counts.forgotten,
        },
        "anchors": fates.tally(ws.store),
        "stamps": {"indexed_at": iso(stamps.indexed_at), "head": stamps.head[:10], "sweeping": stamps.open},
        **_shared(ws),
        "orphans": len([one for one in _gone(repositories.every(data_directory(ws.root))) if one.exists]),
    }
    return reply(ws, fresh, data, standing)


def _shared(ws: Workspace) -> JsonObject:
    """Of the shared export: whether it is here, and when it was last imported. Nothing where nothing is shared."""
    here, at = disk.stat(ws.root, exported.PATH) is not None, int(marks.get(ws.store, shared.IMPORTED_AT, "0"))
    if not (here or at):
        return {}
    return {"shared": {"file": exported.PATH if here else "", "imported_at": iso(at)}}


def _by_status(standing: list[View]) -> dict[str, int]:
    return dict(sorted(Counter(view.standing.status for view in standing if not view.memory.archived).items()))


# ── gc ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def gc(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`dry_run` bool True. Stores whose repository is gone, vanished checkouts, tombstones past their time.

    Takes away what can be made anew. The memories of a repository that is gone stay: it may be cloned again, or lie on
    a disk that is not there today; where they lie is said, for a person to delete.
    """
    dry = given.flag(args, "dry_run", default=True)
    data = data_directory(ws.root)
    every = repositories.every(data)
    gone = _gone(every)
    vanished = [path for one in every if one not in gone for path, _ in one.checkouts if not Path(path).is_dir()]
    rows = [_collect(one, dry=dry) for one in gone if one.directory != ws.directory]
    tombstones = _purge(ws, dry=dry)
    if not dry:
        for path in (*vanished, *(path for one in gone for path, _ in one.checkouts)):
            repositories.forget_checkout(data, path)
    data_rows: JsonObject = {
        "dry_run": dry,
        "repositories_gone": rows,
        "checkouts_gone": vanished,
        "tombstones": tombstones,
    }
    return reply(ws, refresh(ws), data_rows)


def _gone(every: list[Recorded]) -> list[Recorded]:
    """Stores none of whose checkouts is there; one that never had any says nothing."""
    return [one for one in every if one.checkouts and not any(Path(path).is_dir() for path, _ in one.checkouts)]


def _collect(one: Recorded, *, dry: bool) -> JsonObject:
    """What of a store without repository can go: its derived files; all of it when it holds no memory."""
    held = _memories_in(one)
    files = [path for name in DERIVED for path in _files(one.directory / name)]
    if held == 0:
        files = _files(one.directory)
    freed = sum(path.stat().st_size for path in files)
    if not dry:
        for path in files:
            path.unlink(missing_ok=True)
        _remove_empty(one.directory)
    return lean(
        {
            "store": str(one.directory),
            "repository": one.identities[0] if one.identities else "",
            "checkouts": [path for path, _ in one.checkouts],
            "memories": held if held is not None else "cannot be read",
            "bytes_freed" if not dry else "bytes_to_free": freed,
            "kept": f"{held} memories in memory.db; delete the folder by hand if they are of no use" if held else "",
        }
    )


def _memories_in(one: Recorded) -> int | None:
    """None where it cannot be told, and then nothing precious is touched."""
    try:
        with open_store(one.directory, "gc", write=False) as store:
            return sum(_all(listing.counts(store)))
    except AnchormemError:
        return None


def _all(counts: listing.Counts) -> tuple[int, int, int]:
    return counts.live, counts.superseded, counts.forgotten


def _files(place: Path) -> list[Path]:
    """Files of a store, itself or below it; symlinks are not followed."""
    if place.is_symlink():
        return []
    if place.is_file():
        return [place]
    return [path for path in place.rglob("*") if path.is_file() and not path.is_symlink()] if place.is_dir() else []


def _remove_empty(folder: Path) -> None:
    for path in sorted((one for one in folder.rglob("*") if one.is_dir()), reverse=True):
        if not any(path.iterdir()):
            path.rmdir()
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _purge(ws: Workspace, *, dry: bool) -> JsonObject:
    """Tombstones older than the time they can be recovered in lose their content."""
    before = ws.now() - KEPT_DAYS * DAY_MS
    if not dry:
        purged = memories.purge(ws.store, before)
        return {"purged": purged, "facts_dropped": facts.prune(ws.store), "fates_dropped": fates.drop_orphans(ws.store)}
    wanted = listing.Filter(forgotten=True)
    page = listing.page(ws.store, wanted, limit=100_000)
    return {"to_purge": sum(1 for one in page.memories if one.forgotten_at < before and one.body)}

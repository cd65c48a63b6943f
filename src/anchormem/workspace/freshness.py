"""The truth about every anchor before each reply, at a cost that follows change.

Looks only at anchored and named files; the rest of the tree is the sweep's. Knows nothing of replies. A hook after an
edit is a process for one file: what it needs only now and then is imported then.
"""

import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anchormem.errors import BadPath, GitFailed, StoreFull, StoreLocked, StoreReadOnly
from anchormem.model import Change, Fate, FileFacts, FileState
from anchormem.project import disk, heads, paths
from anchormem.reason.standing import PENDING
from anchormem.store import anchors, fates, files, marks
from anchormem.workspace import anchored, stamps
from anchormem.workspace.anchored import Anchored
from anchormem.workspace.intake import take_in
from anchormem.workspace.look import Look, look
from anchormem.workspace.session import Workspace, look_at_shared
from anchormem.workspace.sight import Resolved, keep, not_well, resolve_held, tell
from anchormem.workspace.stamps import Stamps

# A first index may take long; it goes on beside the calls, and none of them waits for its end.
FIRST_INDEX_MS = 2_000
ENOUGH_BYTES = 128 * 1024  # of files to parse: below, parsing them whole is quick enough and keeps the result


@dataclass(frozen=True, slots=True)
class Freshness:
    """What the envelope says, and what could not be stored.

    `indexed_at`: ms of the last complete sweep, 0 never. `dirty_files`: files found changed since then; `left`: files
    that a sweep under way has not reached. `unchecked`: anchors whose search is unfinished. `unsaved`: fates by anchor
    id that no store holds (it was locked, or a glimpse found them); they overrule stored ones, and `changes` gives what
    an edit did where they do not say it. `owed`: something is
    known to be unseen, so a background sweep should follow the reply.
    """

    indexed_at: int = 0
    dirty_files: tuple[str, ...] = ()
    left: int = 0
    failed_files: tuple[str, ...] = ()
    unchecked: int = 0
    scan_failed: str = ""
    warnings: tuple[str, ...] = ()
    unsaved: Mapping[int, Fate] = field(default_factory=dict)
    changes: Mapping[int, Callable[[], Change]] = field(default_factory=dict)
    owed: bool = False


def refresh(
    ws: Workspace,
    named: Iterable[str] = (),
    *,
    patience_ms: int = 20_000,
    cancelled: Callable[[], bool] | None = None,
    quick: bool = False,
) -> Freshness:
    """Stats anchored files and `named` ones, reads what changed, resolves what that outdates, stores it all.

    `named` are paths as a caller gave them; what the gate refuses is left out. `patience_ms`: how long a sweep needed
    before the reply may take (a first index at most two seconds); what it leaves undone is unknown(pending). `quick`:
    for a reply of fates alone; where many files changed, other facts of theirs are left to the sweep that is `owed`.
    """
    if not ws.store.exists:
        return Freshness()
    stamps.reload_config(ws)
    look_at_shared(ws)
    _recollect(ws)
    before = stamps.read(ws.store)
    ws.anchored = known = anchored.read(ws.store, ws.anchored)
    patience = patience_ms if before.indexed_at else min(patience_ms, FIRST_INDEX_MS)
    stop = cancelled or ws.cancelled
    seen_before = _named(ws, named, known.signatures)
    try:
        resolved = _look_again(ws, before, known, seen_before, quick=quick)
    except (StoreLocked, StoreFull, StoreReadOnly) as failure:
        if (glimpsed := _without_storing(ws, before, known, seen_before)) is not None:
            return _glimpsed(ws, glimpsed, failure.message)
        # Most often a sweep beside this call holds the index: after it, one of our own sees all there is to see.
        held_up = isinstance(failure, StoreLocked)
        swept, failed = _search(ws, patience, stop) if held_up else (False, failure.message)
        return (
            _freshness(ws, Resolved(), swept=True) if swept else _unstored(ws, before, known, failed or failure.message)
        )
    failed, swept = "", False
    if resolved.glimpsed:
        return _glimpsed(ws, resolved)
    if resolved.unsettled:
        swept, failed = _search(ws, patience, stop)
    return _freshness(ws, resolved, swept=swept, failed=failed)


def _recollect(ws: Workspace) -> None:
    if marks.get(ws.store, marks.TEXTLESS):
        from anchormem.workspace.recollection import recollect  # noqa: PLC0415 — once, after an import

        recollect(ws)


def _named(ws: Workspace, named: Iterable[str], known: Container[str]) -> dict[str, FileState | None]:
    """Named files that belong to the project, with what was last seen of them."""
    gated = {path for one in named if (path := _gated(ws, one)) and path not in known}
    if not gated:
        return {}
    seen = files.get(ws.store, gated)
    new = [path for path, stat in disk.stats(ws.root, gated - seen.keys()).items() if stat is not None]
    return {**seen, **dict.fromkeys(_belonging(ws, new) if new else ())}


def _belonging(ws: Workspace, new: Sequence[str]) -> list[str]:
    from anchormem.project.listing import why_not_listed  # noqa: PLC0415 — a file that no index has

    refused = why_not_listed(ws.root, new)
    return [path for path in new if path not in refused]


def _gated(ws: Workspace, given: str) -> str:
    try:
        return paths.gate(ws.root, given)
    except BadPath:
        return ""


def _look_again(
    ws: Workspace, before: Stamps, known: Anchored, named: Mapping[str, FileState | None], *, quick: bool
) -> Resolved:
    """Reads what moved on, resolves what that outdates by the slots alone, and stores both in one transaction.

    `quick`: where that means much parsing, only what is anchored is looked at, and nothing stored (`glimpsed`).
    """
    seen = heads.stamp(ws.root)
    now = replace(before, git=str(seen), head=heads.head_commit(ws.root) if str(seen) != before.git else before.head)
    store = ws.store
    moved = [*known.moved(ws.root), *anchored.moved_of(ws.root, named)]
    if not moved and now == before and known.settled:
        return Resolved()
    now_ns = ws.now() * 1_000_000
    looks = [look(ws.root, path, ws.config.extensions, now_ns) for path in moved]
    old = files.get(store, moved)
    intake, left = take_in(store, looks, old, parsing=False)
    much = quick and sum(len(one.source or b"") for one in left) > ENOUGH_BYTES
    if much and (glimpsed := _glimpse(ws, looks, intake.facts, before, now.git)) is not None:
        return glimpsed
    if left:
        intake.join(take_in(store, left, old)[0])
    with store.deriving():
        intake.write(store)
        ids = set(fates.outdated(store, intake.paths, intake.bodies))
        if now.git != before.git:
            ids |= not_well(ws)
        held = anchors.get(store, sorted(ids))
        resolved = resolve_held(ws, held, searchable=False, head=before.head, parsed=intake.facts)
        keep(ws, resolved)
        stamps.write(store, before, stamps.soiled(now, intake.paths) if intake.paths else now)
    tell(ws, resolved)
    return resolved


def _glimpse(
    ws: Workspace, looks: Sequence[Look], facts: Iterable[FileFacts], before: Stamps, git_now: str
) -> Resolved | None:
    """Right fates that nothing stores, where these looks are enough to tell them."""
    from anchormem.workspace.glimpse import glimpse  # noqa: PLC0415 — many files changed, or the index is held

    others = {*fates.outdated(ws.store), *(not_well(ws) if git_now != before.git else ())}
    glimpsed = glimpse(ws, looks, facts, others, before.head)
    return glimpsed and replace(glimpsed, glimpsed=tuple(one.path for one in looks))


def _without_storing(
    ws: Workspace, before: Stamps, known: Anchored, named: Mapping[str, FileState | None]
) -> Resolved | None:
    """The same look for an index that cannot be written: somebody holds it, the disk is full, it may not be changed."""
    now_ns = ws.now() * 1_000_000
    moved = [*known.moved(ws.root), *anchored.moved_of(ws.root, named)]
    looks = [look(ws.root, path, ws.config.extensions, now_ns) for path in moved]
    return _glimpse(ws, looks, (), before, str(heads.stamp(ws.root)))


def _search(ws: Workspace, patience_ms: int, cancelled: Callable[[], bool]) -> tuple[bool, str]:
    """A sweep before the reply, as long as patience lasts. Whether it was whole, and why not."""
    from anchormem.workspace.sweep import sweep  # noqa: PLC0415 — code left its slot

    deadline = time.monotonic() + patience_ms / 1000

    def stop() -> bool:
        return time.monotonic() > deadline or cancelled()

    try:
        report = sweep(ws, cancelled=stop, wait_ms=patience_ms)
    except (StoreLocked, StoreFull, StoreReadOnly, GitFailed) as failure:
        return False, failure.message
    return report.outcome in ("complete", "partial"), ""


def _freshness(ws: Workspace, resolved: Resolved, *, swept: bool, failed: str = "") -> Freshness:
    now = stamps.read(ws.store)
    return Freshness(
        indexed_at=now.indexed_at,
        dirty_files=now.dirty,
        left=now.left,
        failed_files=tuple(state.path for state in files.failed(ws.store)),
        unchecked=0 if swept else max(len(resolved.unsettled), fates.lost(ws.store)),
        scan_failed=failed,
        warnings=ws.config.warnings,
        owed=now.open or bool(now.dirty) or now.git != now.swept_git or not now.indexed_at,
    )


def _glimpsed(ws: Workspace, resolved: Resolved, failed: str = "") -> Freshness:
    """Right fates that no store holds yet, and what the sweep after the reply has to look at."""
    told = _freshness(ws, resolved, swept=False, failed=failed)
    dirty = tuple(sorted({*told.dirty_files, *resolved.glimpsed}))
    return replace(told, dirty_files=dirty, unsaved=resolved.fates, changes=resolved.changes, owed=True)


def _unstored(ws: Workspace, before: Stamps, known: Anchored, reason: str) -> Freshness:
    """The index cannot be written: whatever changed since is unknown, the rest is as stored."""
    moved = known.moved(ws.root)
    held = anchors.by_paths(ws.store, moved)
    outdated = {*fates.outdated(ws.store), *(one.anchor.id for one in held)}
    return Freshness(
        indexed_at=before.indexed_at,
        dirty_files=tuple(sorted({*before.dirty, *moved})),
        failed_files=tuple(state.path for state in files.failed(ws.store)),
        unchecked=len(outdated),
        scan_failed=reason,
        warnings=ws.config.warnings,
        unsaved=dict.fromkeys(outdated, PENDING),
        owed=True,
    )

"""The envelope of a reply, from what was refreshed and what was matched. Knows nothing of the reply's data."""

from collections.abc import Iterable

from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import Envelope, meta
from anchormem.workspace.freshness import Freshness
from anchormem.workspace.session import Workspace
from anchormem.workspace.view import View


def envelope(
    ws: Workspace,
    fresh: Freshness,
    matched: Iterable[View] = (),
    *,
    total: int | None = None,
    omitted_reason: str = "",
    warnings: Iterable[str] = (),
) -> Envelope:
    """`matched`: the population that staleness is counted over; `total` where more matched than were looked at."""
    population = list(matched)
    status = [view.standing.status for view in population]
    return Envelope(
        indexed_at=fresh.indexed_at,
        dirty=len(fresh.dirty_files) + fresh.left,
        dirty_files=fresh.dirty_files,
        failed_files=fresh.failed_files,
        unchecked=fresh.unchecked,
        scan_failed=fresh.scan_failed,
        matched=len(population) if total is None else total,
        returned=len(population) if total is None else total,
        omitted_reason=omitted_reason,
        stale=sum(one in ("stale", "invalidated") for one in status),
        unknown=sum(one == "unknown" for one in status),
        contradicted=sum(bool(view.contradicted_by) for view in population),
        warnings=tuple(dict.fromkeys((*ws.warnings, *fresh.warnings, *ws.store.notices(), *warnings))),
    )


def reply(
    ws: Workspace,
    fresh: Freshness,
    data: object,
    matched: Iterable[View] = (),
    *,
    total: int | None = None,
    warnings: Iterable[str] = (),
) -> Reply:
    """A reply without a budget of its own: administrative answers."""
    return Reply(data, envelope_meta(ws, fresh, matched, total=total, warnings=warnings))


def envelope_meta(
    ws: Workspace,
    fresh: Freshness,
    matched: Iterable[View] = (),
    *,
    total: int | None = None,
    warnings: Iterable[str] = (),
) -> JsonObject:
    return meta(envelope(ws, fresh, matched, total=total, warnings=warnings))

"""The envelope of a reply, from what was refreshed and what was matched. Knows nothing of the reply's data."""

from collections.abc import Iterable
from typing import Protocol

from anchormem.model import JsonObject, Reply, Status
from anchormem.reason.envelope import Envelope, meta
from anchormem.workspace import shared
from anchormem.workspace.freshness import Freshness
from anchormem.workspace.session import Workspace


class Counted(Protocol):
    """What the figures need of a memory: a View has it, and a Bearing."""

    @property
    def status(self) -> Status: ...

    @property
    def contradicted(self) -> bool: ...


def envelope(
    ws: Workspace,
    fresh: Freshness,
    matched: Iterable[Counted] = (),
    *,
    total: int | None = None,
    omitted_reason: str = "",
    warnings: Iterable[str] = (),
) -> Envelope:
    """`matched`: the population that staleness is counted over; `total` where more matched than were looked at."""
    population = list(matched)
    status = [one.status for one in population]
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
        stale=sum(one == "stale" for one in status),
        invalidated=sum(one == "invalidated" for one in status),
        unknown=sum(one == "unknown" for one in status),
        contradicted=sum(one.contradicted for one in population),
        warnings=tuple(dict.fromkeys((*ws.warnings, *_of_shared(ws), *fresh.warnings, *ws.store.notices(), *warnings))),
    )


def _of_shared(ws: Workspace) -> list[str]:
    """What was imported just now, said once; what waits to be, each time."""
    said = [one for one in (ws.news, ws.shared) if one]
    if ws.news:
        ws.news = ""
        shared.told(ws.store)
    return said


def reply(
    ws: Workspace,
    fresh: Freshness,
    data: object,
    matched: Iterable[Counted] = (),
    *,
    total: int | None = None,
    warnings: Iterable[str] = (),
) -> Reply:
    """A reply without a budget of its own: administrative answers."""
    return Reply(data, envelope_meta(ws, fresh, matched, total=total, warnings=warnings))


def envelope_meta(
    ws: Workspace,
    fresh: Freshness,
    matched: Iterable[Counted] = (),
    *,
    total: int | None = None,
    warnings: Iterable[str] = (),
) -> JsonObject:
    return meta(envelope(ws, fresh, matched, total=total, warnings=warnings))

"""What a sweep has to look at: the listing, against what the index last saw. Opens no file.

Knows nothing of anchors but which files they are in. Plain tuples, not values: it touches every file of the tree.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from anchormem import languages
from anchormem.model import FileState
from anchormem.project import disk
from anchormem.project.listing import Listing, list_files
from anchormem.store import anchors, facts, files
from anchormem.store.db import Store
from anchormem.workspace.anchored import Signature
from anchormem.workspace.look import RACY_NS, meant
from anchormem.workspace.session import Workspace


@dataclass(frozen=True, slots=True)
class Survey:
    """`todo`: files to read, with their sizes. `gone`: known files that are no longer there.

    `moved`: files that differ from what the index last saw, or that it cannot vouch for; a full sweep reads others too.
    `whole`: files that are kept without being parsed: vendored ones that nothing is anchored in.
    """

    listing: Listing
    todo: dict[str, int]
    moved: frozenset[str]
    gone: tuple[str, ...]
    whole: frozenset[str]


def survey(ws: Workspace, *, full: bool, doubt: bool) -> Survey:
    """`full`: every file is to be read; `doubt`: also those whose facts are not stored, or not of today's recipe."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  a cold hook that sweeps nothing need not pay

    with ThreadPoolExecutor(1) as beside:  # git's process lists while this one looks at what it knows
        listed_beside = beside.submit(list_files, ws.root)
        known = files.looks(ws.store)
        seen_before = disk.quick_stats(ws.root, known)
        listing = listed_beside.result()
    there = _of_those_listed(ws, listing, seen_before)
    anchored = {path for path, _ in anchors.anchored_paths(ws.store)}
    whole = frozenset(listed.path for listed in listing.files if listed.vendored) - anchored
    moved = {path for path, seen in there.items() if _moved_on(known.get(path), seen)}
    todo = {path: seen[1] for path, seen in there.items() if full or path in moved}
    if doubt:
        lacking = _lacking(ws.store, files.every(ws.store).values(), doubt=doubt)
        owed = (lacking & there.keys()) - whole
        todo |= {path: there[path][1] for path in owed}
        moved |= owed
    return Survey(listing, todo, frozenset(moved), _gone(ws, listing, known.keys() - there.keys(), anchored), whole)


def _of_those_listed(ws: Workspace, listing: Listing, seen: dict[str, Signature]) -> dict[str, Signature]:
    """Of every file listed, what is known of it already or else a look at it."""
    wanted = {listed.path for listed in listing.files}
    unlisted = seen.keys() - wanted
    there = {path: one for path, one in seen.items() if path not in unlisted} if unlisted else seen
    return there | disk.quick_stats(ws.root, wanted - there.keys())


def _moved_on(known: files.Seen | None, seen: Signature) -> bool:
    """Whether the file has to be read again: see anchored.signature."""
    return known is None or known[0] != seen or max(seen[2], seen[3]) > known[1] - RACY_NS


def _gone(ws: Workspace, listing: Listing, unseen: set[str], anchored: set[str]) -> tuple[str, ...]:
    """What was not seen is gone; of what is anchored, or could not be listed, only when the disk says so."""
    doubtful = unseen if listing.partial else unseen & anchored
    return tuple(sorted(unseen - disk.quick_stats(ws.root, doubtful).keys()))


def _lacking(store: Store, states: Iterable[FileState], *, doubt: bool) -> set[str]:
    """Paths of which today's facts are not stored; with `doubt` also those that may have a language only now."""
    wanted = {
        state.path: [(state.content, one, languages.epoch(one)) for one in meant(state.language)]
        for state in states
        if state.content is not None and (state.language is not None or (doubt and state.status == "ok"))
    }
    held = facts.known(store, (key for keys in wanted.values() for key in keys))
    return {path for path, keys in wanted.items() if held.isdisjoint(keys)}

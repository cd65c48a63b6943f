"""Memories of one place that surely contradict each other, seen by their words where no link says so.

What is the same subject and what differs is decided in reason.similar.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from anchormem.reason import similar
from anchormem.workspace.present import where
from anchormem.workspace.view import View

MOST_COMPARED = 200  # in a recall, where a tenth of a second counts
MOST_OF_ALL = 2_000  # where the whole store is looked through
MOST_NAMED = 3  # beside those that a link names: a row of like sentences must not flood the reply


def noticed(views: Iterable[View], most: int = MOST_COMPARED) -> dict[str, View]:
    """The views by id, each with those among them that contradict it in its own place.

    `most` are compared, the latest changed first.
    """
    found = {view.memory.id: view for view in views}
    compared = _sharing_a_place([view for view in found.values() if _stands(view)], most)
    if len(compared) < 2:  # noqa: PLR2004 — it takes two to contradict
        return found
    bodies = {name: found[name].memory.body for name in compared}
    for name, others in similar.opposed(bodies, compared).items():
        view = found[name]
        told = tuple(dict.fromkeys((*view.contradicted_by, *others[:MOST_NAMED])))
        found[name] = replace(view, contradicted_by=told)
    return found


def _stands(view: View) -> bool:
    memory = view.memory
    return not (memory.superseded_by or memory.archived or memory.forgotten_at) and bool(memory.anchors)


def _sharing_a_place(views: list[View], most: int) -> dict[str, set[str]]:
    """Places by id, of those that are not alone in theirs; the latest changed first."""
    places = {view.memory.id: _places(view) for view in sorted(views, key=lambda view: (-view.at, view.memory.id))}
    held = Counter(place for each in places.values() for place in each)
    shared = [name for name, each in places.items() if any(held[place] > 1 for place in each)]
    return {name: places[name] for name in shared[:most]}


def _places(view: View) -> set[str]:
    fates = view.standing.fates
    return {str(where(anchor, fates.get(anchor.id))) for anchor in view.memory.anchors}

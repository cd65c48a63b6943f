"""Memories of one place that surely contradict each other, seen by their words where no link says so.

What is the same subject and what differs is decided in reason.similar.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from anchormem.reason import similar
from anchormem.workspace.present import where
from anchormem.workspace.view import View

MOST_READ, MOST_COMPARED = 2_000, 10_000  # memories, pairs of them: under a second
MOST_NAMED = 3  # beside those that a link names: a row of like sentences must not flood the reply


def noticed(views: Iterable[View], of: Collection[str] | None = None) -> dict[str, View]:
    """The views by id, each (or each of those named by `of`) with those among them that contradict it in its place.

    The latest changed are compared first, and no more than MOST_COMPARED pairs.
    """
    found = {view.memory.id: view for view in views}
    asked = found.keys() if of is None else of
    compared = _sharing_a_place([view for view in found.values() if _stands(view)], asked)
    if len(compared) < 2:  # noqa: PLR2004 — it takes two to contradict
        return found
    bodies = {name: found[name].memory.body for name in compared}
    for name, others in similar.opposed(bodies, compared, of).items():
        view = found[name]
        told = tuple(dict.fromkeys((*view.contradicted_by, *others[:MOST_NAMED])))
        found[name] = view._replace(contradicted_by=told)
    return found


def _stands(view: View) -> bool:
    memory = view.memory
    return not (memory.superseded_by or memory.archived or memory.forgotten_at) and bool(memory.anchors)


def _sharing_a_place(views: list[View], asked: Collection[str]) -> dict[str, set[str]]:
    """Places by id, of those that are not alone in theirs: first the asked, then the latest changed; as many as make no
    more pairs with an asked one than are compared.
    """
    order = sorted(views, key=lambda view: (view.memory.id not in asked, -view.at, view.memory.id))
    places = {view.memory.id: _places(view) for view in order}
    held = Counter(place for each in places.values() for place in each)
    met, pairs, chosen = Counter[str](), 0, dict[str, set[str]]()
    for name, each in places.items():
        shared = {place for place in each if held[place] > 1}
        pairs += sum(met[place] for place in shared)
        if pairs > MOST_COMPARED or len(chosen) == MOST_READ:
            break
        if shared:
            chosen[name] = each
        if name in asked:
            met.update(shared)
    return chosen


def _places(view: View) -> set[str]:
    fates = view.standing.fates
    return {str(where(anchor, fates.get(anchor.id))) for anchor in view.memory.anchors}

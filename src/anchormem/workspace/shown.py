"""The memories that a recall may show, best first, each read whole when its turn in the reply has come: most never are.

Knows nothing of questions, ranks and budgets.
"""

from collections import Counter
from collections.abc import Sequence

from anchormem.store.db import Store
from anchormem.workspace import known
from anchormem.workspace.bearing import Bearing
from anchormem.workspace.freshness import Freshness
from anchormem.workspace.known import Known
from anchormem.workspace.opposition import noticed
from anchormem.workspace.view import View

AHEAD = 16  # read at once: about what a reply of the usual budget holds
LEAST_BYTES = 70  # of an item: id, kind, body, confidence and date, each as short as can be, with their keys
LEAST_ID, LEAST_BODY = 10, 1  # how short these are there
ANCHORS_BYTES, ANCHOR_BYTES = 12, 3  # what a list of anchors takes beside them, and each of them beside its text


class Shown:
    """`told`: by id, those that contradict each other in one place, with that said. `views`: all that was read."""

    def __init__(self, store: Store, held: Known, fresh: Freshness, best: Sequence[Bearing]) -> None:
        self._store = store
        self._held = held
        self._fresh = fresh
        self._best = best
        self._ids = [one.candidate.id for one in best]
        held_by = Counter(slot for one in best for slot in one.slots)
        crowd = [one.candidate.id for one in best if any(held_by[slot] > 1 for slot in one.slots)]
        self.told = noticed(known.views(store, held, crowd, fresh).values())
        self.views: dict[str, View] = dict(self.told)

    def view(self, position: int) -> View:
        """What a reply shows of the memory at this position."""
        name = self._ids[position]
        if name not in self.views:
            start = position - position % AHEAD
            read = known.views(self._store, self._held, self._ids[start : start + AHEAD], self._fresh)
            self.views = read | self.views
        return self.views[name]

    def least(self, position: int) -> int:
        """Bytes that the item of this memory has at any rate."""
        one = self._best[position]
        texts = (one.candidate.id, one.candidate.fields["body"], *one.slots)
        written = sum(len(text) if text.isascii() else len(text.encode("utf-8", "replace")) for text in texts)
        anchors = ANCHORS_BYTES + ANCHOR_BYTES * len(one.slots) if one.slots else 0
        return LEAST_BYTES - LEAST_ID - LEAST_BODY + written + anchors

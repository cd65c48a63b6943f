"""Near copies among what is ranked, so that a reply says a thing once. Pure; knows neither relevance nor budget."""

from collections.abc import Callable, Sequence
from functools import cache

from anchormem.reason import similar
from anchormem.reason.rank import Ranked

COMPARED = 60  # more are hardly ever packed, and each may be compared with each


def copies(items: Sequence[Ranked]) -> Callable[[int, int], bool]:
    """For `pack`: whether the item at the second position is a near copy (same status, no conflict) of the first."""

    @cache
    def said(position: int) -> similar.Gist:
        return similar.gist(items[position].candidate.fields.get("body", ""))

    @cache
    def same(earlier: int, position: int) -> bool:
        if max(earlier, position) >= COMPARED or items[earlier].candidate.status != items[position].candidate.status:
            return False
        return similar.near_copy(said(earlier), said(position))

    return same

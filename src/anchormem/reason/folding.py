"""Near copies among what is ranked, so that a reply says a thing once. Pure; knows neither relevance nor budget."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from anchormem.reason import similar
from anchormem.reason.rank import Ranked

COMPARED = 60  # more are hardly ever packed, and each may be compared with each


def copies(items: Sequence[Ranked]) -> Callable[[int, int], bool]:
    """For `pack`: whether the item at the second position is a near copy (same status, no conflict) of the first."""

    @cache
    def same(earlier: int, position: int) -> bool:
        if max(earlier, position) >= COMPARED:
            return False
        one, other = items[earlier].candidate, items[position].candidate
        return one.status == other.status and similar.near_copy(_gist(one.fields), _gist(other.fields))

    return same


def _gist(fields: Mapping[str, str]) -> similar.Gist:
    return similar.gist(fields.get("body", ""))

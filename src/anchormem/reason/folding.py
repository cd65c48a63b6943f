"""Near copies among what is ranked, so that a reply says a thing once. Pure; knows neither relevance nor budget."""

from collections.abc import Sequence

from anchormem.reason import similar
from anchormem.reason.rank import Ranked

COMPARED = 60  # more are hardly ever packed, and each is compared with each


def copies(items: Sequence[Ranked]) -> dict[int, tuple[int, ...]]:
    """For `pack`: the earlier positions that each of the first items is a near copy of (same status, no conflict)."""
    compared = items[:COMPARED]
    gists = [similar.gist(one.candidate.fields.get("body", "")) for one in compared]
    found: dict[int, tuple[int, ...]] = {}
    for position, one in enumerate(compared):
        hosts = tuple(
            earlier
            for earlier in range(position)
            if items[earlier].candidate.status == one.candidate.status
            and similar.near_copy(gists[earlier], gists[position])
        )
        if hosts:
            found[position] = hosts
    return found

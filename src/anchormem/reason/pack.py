"""The hard budget over a whole reply. Knows nothing of memories but the keys of an item it may shorten."""

from collections.abc import Callable, Mapping, Sequence

from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import Envelope


def pack(
    items: Sequence[JsonObject],
    envelope: Envelope,
    budget_tokens: int,
    *,
    copies: Mapping[int, Sequence[int]] | None = None,
    offset: int | None = None,
    shape: Callable[[list[JsonObject]], object] = list,
) -> Reply:
    """The best items that fit, in order; `compact({"data": …, "meta": …})` never exceeds budget_tokens * 4 bytes.

    `envelope.matched` counts all hits, those under the relevance floor too, and `omitted_reason` may come in as
    `relevance_floor` or `limit`; `returned` and the budget part of the reason are set here. Under pressure flags and
    commands over 120 bytes go first (item `dropped`: n), then dirty_files, then failed_files (`failed`: n), then
    items are skipped (`completeness.omitted`: up to ten ids). A body too long for the budget is cut at a sentence with
    `truncated: true` and, when `offset` is given (ids mode), `next_offset`.
    `copies[i]`: earlier positions that item i is a near copy of; it goes into `also` of the first of these that is packed.
    `shape` wraps the list into the reply's data.
    """
    raise NotImplementedError


def pack_sections(
    sections: Mapping[str, Sequence[object]],
    envelope: Envelope,
    budget_tokens: int,
    *,
    fixed: Mapping[str, object] | None = None,
) -> Reply:
    """The same bound for a reply made of several lists, the most important first (map, affected).

    data = fixed keys + what of each list fits; a cut list `x` is followed by `x_omitted: n`. Empty lists are left out.
    """
    raise NotImplementedError

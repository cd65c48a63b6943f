"""The hard budget over a whole reply. Knows nothing of memories but the keys of an item it may shorten.

What gives way, in this order: long flags and commands, `dirty_files`, `failed_files`, long warnings, then items from
the worst up. A JSON array grows by exactly its elements and commas, so sizes are added up and checked once at the end.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anchormem.model import JsonObject, Reply
from anchormem.reason.envelope import SHOWN_IDS, Envelope, compact, length, meta, size
from anchormem.reason.shorten import shed, shrink
from anchormem.text.tokens import BYTES_PER_TOKEN

LONG_WARNING = 160
KEPT_WARNINGS = 3
SHORT_REASON = 40

Lists = dict[str, list[object]]
Shape = Callable[[Lists, Mapping[str, int]], object]
Copies = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Unmade:
    """An item that is made only when it may fit; `least`: bytes that it will have at any rate. `make` gives the same
    object each time.
    """

    id: str
    least: int
    make: Callable[[], object]


def no_copies(_earlier: int, _position: int) -> bool:
    """Nothing says what something else says."""
    return False


def pack(
    items: Sequence[JsonObject | Unmade],
    envelope: Envelope,
    budget_tokens: int,
    *,
    copies: Copies = no_copies,
    offset: int | None = None,
    shape: Callable[[list[JsonObject]], object] = list,
) -> Reply:
    """The best items that fit, in order; `compact({"data": …, "meta": …})` never exceeds budget_tokens * 4 bytes.

    `envelope.matched` counts all hits, those under the relevance floor too, and `omitted_reason` may come in as
    `relevance_floor` or `limit`; `returned` and the budget part of the reason are set here. Under pressure flags and
    commands over 120 bytes go first (item `dropped`: n), then dirty_files, then failed_files (`failed`: n), then
    items are skipped (`completeness.omitted`: up to ten ids). A body too long for the budget is cut at a sentence with
    `truncated: true` and, when `offset` is given (ids mode), `next_offset`; its share is half the budget while others
    wait. `copies(earlier, i)`: whether item i is a near copy of an earlier one; it goes into `also` of the first of
    these that is packed. `shape` wraps the list into the reply's data and must hold it once.
    """

    def shaped(lists: Lists, _omitted: Mapping[str, int]) -> object:
        return shape([item for item in lists["items"] if isinstance(item, dict)])

    budget = budget_tokens * BYTES_PER_TOKEN
    return _fit({"items": list(items)}, envelope, budget, shaped, counted=(), copies=copies, offset=offset)


def pack_sections(
    sections: Mapping[str, Sequence[object]],
    envelope: Envelope,
    budget_tokens: int,
    *,
    fixed: Mapping[str, object] | None = None,
    counted: Sequence[str] = (),
) -> Reply:
    """The same bound for a reply made of several lists, the most important first (map, affected).

    data = fixed keys + what of each list fits; a cut list `x` is followed by `x_omitted: n`. Empty lists are left out.
    `counted`: the sections whose items `returned` counts, all when empty. A fixed text too long is cut (`truncated`).
    """
    budget = budget_tokens * BYTES_PER_TOKEN
    lists = {name: list(values) for name, values in sections.items()}
    whole: JsonObject = {}

    def shaped(lists: Lists, omitted: Mapping[str, int]) -> object:
        data = dict(whole)
        for name, values in lists.items():
            if values:
                data[name] = values
            if omitted.get(name):
                data[f"{name}_omitted"] = omitted[name]
        return data

    whole |= _within(dict(fixed or {}), budget - _frame(lists, _smallest(envelope), shaped))
    return _fit(lists, envelope, budget, shaped, counted=counted, copies=no_copies, offset=None)


def _within(fixed: JsonObject, room: int) -> JsonObject:
    if size(fixed) <= room:
        return fixed
    longest = max((key for key in fixed if isinstance(fixed[key], str)), key=lambda key: size(fixed[key]), default="")
    return shrink(fixed, room, key=longest) or {}


# ── the one engine ──────────────────────────────────────────────────────────────────────────────────────────────────


def _fit(
    lists: Lists,
    envelope: Envelope,
    budget: int,
    shape: Shape,
    *,
    counted: Sequence[str],
    copies: Copies,
    offset: int | None,
) -> Reply:
    smaller, told, sizes = lists, envelope, _Sizes()
    for smaller, told in _pressure(lists, envelope):
        packing = _Packing(budget, _frame(smaller, told, shape), {name: [] for name in smaller}, sizes)
        if packing.frame <= budget and packing.fill(smaller, copies):
            return packing.reply(told, shape, counted)
    if _frame(smaller, told, shape) > budget // 2:
        told = _bare(told)
    empty: Lists = {name: [] for name in smaller}
    packing = _Packing(budget, _frame(smaller, told, shape), empty, sizes, offset, cutting=True)
    packing.fill(smaller, copies)
    return packing.reply(told, shape, counted)


def _frame(lists: Lists, envelope: Envelope, shape: Shape) -> int:
    """Bytes of the reply without any item, every count at its widest."""
    widest = replace(envelope, returned=max(envelope.matched, 9_999), omitted_reason="budget+relevance_floor")
    counts = {name: max(len(values), 1) for name, values in lists.items()}
    data = shape({name: [] for name in lists}, counts)
    return size({"data": data, "meta": meta(widest)}) + sum(len(name.encode()) + len('"":[],') for name in lists)


@dataclass(slots=True)
class _Sizes:
    """Bytes of items, each measured once: an item comes back with every attempt, and most items in every one."""

    known: dict[int, tuple[object, int]] = field(default_factory=dict)  # by identity, which the kept item keeps its own

    def of(self, item: object) -> int:
        found = self.known.get(id(item))
        if found is None:
            found = self.known[id(item)] = (item, size(item))
        return found[1]


@dataclass(slots=True)
class _Packing:
    """A reply being filled: what is in, what is not, and the bytes in use."""

    budget: int
    frame: int
    packed: Lists
    sizes: _Sizes
    offset: int | None = None
    cutting: bool = False  # False: the first item that does not fit ends the attempt
    skipped: dict[str, list[object]] = field(default_factory=dict)
    used: int = field(init=False)

    def __post_init__(self) -> None:
        self.used = self.frame

    def fill(self, lists: Lists, copies: Copies) -> bool:
        """Whether everything went in whole."""
        total = sum(map(len, lists.values()))
        for name, items in lists.items():
            places: dict[int, int] = {}  # position → index in what is packed
            for position, item in enumerate(items):
                total -= 1
                host = next((index for at, index in places.items() if copies(at, position)), None)
                if host is not None and self._fold(name, item, host):
                    continue
                fitting = self._fitting(item, others_wait=total > 0) if host is None else None
                if fitting is not None:
                    places[position] = len(self.packed[name])
                    self.packed[name].append(fitting)
                    self.used += self.sizes.of(fitting) + 1
                elif self.cutting:
                    self.skipped.setdefault(name, []).append(item)
                else:
                    return False
        return True

    def _fitting(self, item: object, *, others_wait: bool) -> object | None:
        """The item as it may go in now, None when it does not fit."""
        room = self.budget - self.used - 1
        if isinstance(item, Unmade):
            if room < item.least < self.budget - self.frame:
                return None
            item = item.make()
        needed = self.sizes.of(item)
        if needed <= room:
            return item
        if not self.cutting or not isinstance(item, dict) or needed <= self.budget - self.frame - 1:
            return None
        first = self.used == self.frame
        share = (self.budget - self.frame) // 2 if others_wait else room
        return shrink(item, min(room, share), offset=self.offset) or (
            shrink(item, room, offset=self.offset) if first else None
        )

    def _fold(self, name: str, item: object, index: int) -> bool:
        """Whether the item went into `also` of the packed one that says the same."""
        host = self.packed[name][index]
        if not isinstance(host, dict):
            return False
        also = host.get("also")
        fuller = {**host, "also": [*(also if isinstance(also, list) else ()), _id(item)]}
        more = size(fuller) - self.sizes.of(host)
        if self.used + more > self.budget:
            return False
        self.packed[name][index] = fuller
        self.used += more
        return True

    def reply(self, envelope: Envelope, shape: Shape, counted: Sequence[str]) -> Reply:
        """The reply, naming as many of the skipped items as there is room for."""
        every = (item for items in self.skipped.values() for item in items)
        ids = [name for item in every if (name := _id(item))]
        returned = sum(len(items) for name, items in self.packed.items() if not counted or name in counted)
        data = shape(self.packed, {name: len(items) for name, items in self.skipped.items()})
        told = replace(envelope, returned=returned, omitted_reason=self._reason(envelope.omitted_reason))
        for shown in range(min(len(ids), SHOWN_IDS), -1, -1):
            said = meta(replace(told, omitted=tuple(ids[:shown])))
            text = compact({"data": data, "meta": said})
            if length(text) <= self.budget:
                break
        return Reply(data, said, text)

    def _reason(self, given: str) -> str:
        if not self.skipped:
            return given
        return "budget+relevance_floor" if given == "relevance_floor" else "budget"


def _id(item: object) -> str:
    if isinstance(item, Unmade):
        return item.id
    return str(item["id"]) if isinstance(item, dict) and "id" in item else ""


def _lighter(item: object) -> object:
    """The item without what gives way first."""
    return replace(item, make=lambda: shed(item.make())) if isinstance(item, Unmade) else shed(item)


# ── what gives way first ────────────────────────────────────────────────────────────────────────────────────────────


def _pressure(lists: Lists, envelope: Envelope) -> Iterator[tuple[Lists, Envelope]]:
    """The same reply under growing pressure."""
    yield lists, envelope
    lists = {name: [_lighter(item) for item in values] for name, values in lists.items()}
    yield lists, envelope
    if envelope.dirty_files:
        envelope = replace(envelope, dirty_files=())
        yield lists, envelope
    if envelope.failed_files:
        envelope = replace(envelope, failed_files=(), failed=envelope.failed or len(envelope.failed_files))
        yield lists, envelope
    texts = (envelope.scan_failed, *envelope.warnings)
    if len(envelope.warnings) > KEPT_WARNINGS or any(len(text) > LONG_WARNING for text in texts):
        yield lists, replace(envelope, scan_failed=_clip(envelope.scan_failed), warnings=_fewer(envelope.warnings))


def _clip(text: str, limit: int = LONG_WARNING) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _fewer(warnings: Sequence[str]) -> tuple[str, ...]:
    kept = tuple(_clip(text) for text in warnings[:KEPT_WARNINGS])
    more = len(warnings) - len(kept)
    return (*kept, f"{more} more warnings") if more else kept


def _bare(envelope: Envelope) -> Envelope:
    """The envelope when it would take more than half of the reply: warnings become a count."""
    count = len(envelope.warnings)
    told = (f"{count} warnings left out: see `anchormem doctor`",) if count else ()
    return replace(envelope, scan_failed=_clip(envelope.scan_failed, SHORT_REASON), warnings=told)


def _smallest(envelope: Envelope) -> Envelope:
    failed = envelope.failed or len(envelope.failed_files)
    return _bare(replace(envelope, dirty_files=(), failed_files=(), failed=failed))

"""Making one item of a reply smaller, always saying so. Knows the keys of an item, nothing of a budget's origin."""

import re
from collections.abc import Callable

from anchormem.model import JsonObject
from anchormem.reason.envelope import size

LONG_TEXT = 120  # bytes: flags and commands beyond are the first to go
LEAST_BODY = 160  # bytes of body below which the rest of an item is not worth its place
ESSENTIAL = frozenset({"id", "kind", "body", "conf", "on", "source", "imported", "status", "flags", "dropped"})
_SENTENCE_END = re.compile(r"[.!?…](?=\s)|[。\uff01\uff1f]|\n")


def shed(item: object) -> object:
    """The item without flags and commands over 120 bytes; `dropped` counts them."""
    if not isinstance(item, dict):
        return item
    flags, command = item.get("flags"), item.get("command")
    kept = [flag for flag in flags if _short(flag)] if isinstance(flags, list) else flags
    gone = len(flags) - len(kept) if isinstance(flags, list) and isinstance(kept, list) else 0
    smaller = {key: kept if key == "flags" else value for key, value in item.items() if key != "flags" or kept}
    if command is not None and not _short(command):
        del smaller["command"]
        gone += 1
    return _with_dropped(smaller, gone) if gone else item


def _short(text: object) -> bool:
    return not isinstance(text, str) or len(text.encode("utf-8", "replace")) <= LONG_TEXT


def _with_dropped(item: JsonObject, gone: int) -> JsonObject:
    before = item.get("dropped")
    return {**item, "dropped": gone + (before if isinstance(before, int) else 0)}


def shrink(item: JsonObject, room: int, *, key: str = "body", offset: int | None = None) -> JsonObject | None:
    """The item in at most `room` bytes: its text cut at a sentence, then without its bulkiest keys (`left_out` names
    them), then with fewer flags. None when not even that fits.
    """
    essential = ESSENTIAL | {key}
    expendable = sorted((name for name in item if name not in essential), key=lambda name: (-size(item[name]), name))
    for gone in range(len(expendable) + 1):
        smaller = {name: value for name, value in item.items() if name not in expendable[:gone]}
        if gone:
            smaller["left_out"] = sorted(expendable[:gone])
        done = cut(smaller, room, key=key, offset=offset, least=LEAST_BODY)
        if done is not None:
            return done
    return _fewer_flags(item, expendable, room, key, offset)


def _fewer_flags(item: JsonObject, expendable: list[str], room: int, key: str, offset: int | None) -> JsonObject | None:
    bare = {name: value for name, value in item.items() if name not in expendable}
    flags = bare.get("flags")
    count = len(flags) if isinstance(flags, list) else 0
    for kept in range(count, -1, -1):
        smaller = dict(bare)
        if isinstance(flags, list) and kept < count:
            smaller["flags"] = flags[:kept]
            smaller = _with_dropped(smaller, count - kept)
        done = cut(smaller, room, key=key, offset=offset, least=0)
        if done is not None:
            return done
    return None


def cut(item: JsonObject, room: int, *, key: str, offset: int | None, least: int) -> JsonObject | None:
    """The item whole when it fits, else with its text cut; None when less than `least` bytes of it would stay."""
    if size(item) <= room:
        return item
    text = item.get(key)
    if not isinstance(text, str):
        return None

    def made(length: int) -> JsonObject:
        if offset is not None:
            return {**item, key: text[:length], "truncated": True, "next_offset": offset + length}
        return {**item, key: text[:length].rstrip(), "truncated": True}

    fits = _longest(len(text) - 1, lambda length: size(made(length)) <= room)
    if fits < 1 or len(text[:fits].encode("utf-8", "replace")) < min(least, len(text)):
        return None
    return made(sentence_end(text, fits))


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low if fits(low) else -1


def sentence_end(text: str, limit: int) -> int:
    """Where to cut a text: after the last sentence or line within the limit, else the last word, else the limit."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text[: limit + 1]) if found.end() <= limit]
    if ends and ends[-1] >= limit // 2:
        return ends[-1]
    blank = text.rfind(" ", limit // 2, limit)
    return blank if blank > 0 else limit

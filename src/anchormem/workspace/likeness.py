"""How alike two pieces of code are, by their words: for telling an edited successor. Pure; knows no grammar."""

import re
from collections import Counter
from collections.abc import Collection, Iterable

FEW = 3  # what so many definitions share may still tell them from others
COMMON = 0.25  # of the definitions of a file

_WORD = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> Counter[str]:
    """Names, numbers and signs with how often they occur; layout does not count."""
    return Counter(_WORD.findall(text))


def common(bags: Iterable[Counter[str]]) -> frozenset[str]:
    """Words that so many of these hold that they tell none of them apart: `def`, `self`, `return`, brackets."""
    every = [set(bag) for bag in bags]
    held = Counter(word for bag in every for word in bag)
    return frozenset(word for word, times in held.items() if times > max(FEW, COMMON * len(every)))


def without(bag: Counter[str], words: Collection[str]) -> Counter[str]:
    return Counter({word: times for word, times in bag.items() if word not in words})


def lines(text: str) -> Counter[str]:
    """Lines without indentation; blank ones do not count."""
    return Counter(line for raw in text.splitlines() if (line := raw.strip()))


def alike(one: Counter[str], other: Counter[str]) -> float:
    """Dice coefficient of two bags, 0 to 1: twice what they share over what they hold together."""
    held = one.total() + other.total()
    return 2 * (one & other).total() / held if held else 0.0

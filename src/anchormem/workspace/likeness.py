"""How alike two pieces of code are, by their words: for telling an edited successor. Pure; knows no grammar."""

import re
from collections import Counter

_WORD = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> Counter[str]:
    """Names, numbers and signs with how often they occur; layout does not count."""
    return Counter(_WORD.findall(text))


def lines(text: str) -> Counter[str]:
    """Lines without indentation; blank ones do not count."""
    return Counter(line for raw in text.splitlines() if (line := raw.strip()))


def alike(one: Counter[str], other: Counter[str]) -> float:
    """Dice coefficient of two bags, 0 to 1: twice what they share over what they hold together."""
    held = one.total() + other.total()
    return 2 * (one & other).total() / held if held else 0.0

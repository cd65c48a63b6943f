"""What was found out about texts, kept in mind for as many characters of them as are worth it.

`functools.lru_cache` counts answers: four thousand notes of a line take ten megabytes there, four thousand notes of a
page four hundred. Knows nothing of the answers.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Answer = TypeVar("Answer")

ENTRY = 50  # characters that an answer counts beside those of its text: of short texts many are not little


def kept(characters: int) -> Callable[[Callable[[str], Answer]], Callable[[str], Answer]]:
    """Decorates a pure function of one text: the answers to the last texts are kept, `characters` of them altogether.

    What is asked for again stays. A text that takes more than half of all is answered anew each time, and so is what
    is answered by None. From any thread; two that meet may both find out the same.
    """
    most = characters // 2

    def decorated(find_out: Callable[[str], Answer]) -> Callable[[str], Answer]:
        new: dict[str, Answer] = {}  # what was asked for since the last turn; full, it becomes the old
        old: dict[str, Answer] = {}
        weight = 0

        @wraps(find_out)
        def answer(text: str) -> Answer:
            nonlocal new, old, weight
            known = new.get(text)
            if known is not None:
                return known
            known = old.get(text)
            found = find_out(text) if known is None else known
            size = len(text) + ENTRY
            if size <= most:
                if weight + size > most:
                    new, old, weight = {}, new, 0
                new[text] = found
                weight += size
            return found

        return answer

    return decorated

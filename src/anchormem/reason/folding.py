"""Near copies among what is ranked, so that a reply says a thing once. Pure; knows neither relevance nor budget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from anchormem.reason import similar
from anchormem.reason.claims import LONGEST_SENTENCE, SPELLED_NUMBERS, Number
from anchormem.reason.rank import Candidate, Ranked
from anchormem.reason.similar import KIN, NEAR_COPY
from anchormem.text.kin import kin

COMPARED = 60  # more are hardly ever packed, and each may be compared with each
# Of two texts with an overlap of NEAR_COPY, the words that both hold and this much of those that are kin are NEAR_COPY
# of the words of either.
KIN_COUNTS = KIN * (1 + NEAR_COPY) - NEAR_COPY
ROUNDING = 1e-9


def copies(items: Sequence[Ranked]) -> Callable[[int, int], bool]:
    """For `pack`: whether the item at the second position is a near copy (same status, no conflict) of the first."""

    @cache
    def said(position: int) -> similar.Gist:
        return similar.gist(_body(items[position].candidate))

    @cache
    def at_hand(position: int) -> AtHand | None:
        return of_index(items[position].candidate)

    @cache
    def same(earlier: int, position: int) -> bool:
        if max(earlier, position) >= COMPARED or items[earlier].candidate.status != items[position].candidate.status:
            return False
        found = at_hand(position)
        if found is not None and unlike(said(earlier), found):
            return False
        return similar.near_copy(said(earlier), said(position))

    return same


@dataclass(frozen=True, slots=True)
class AtHand:
    """What a gist of a body may hold, without the price of a gist: the indexed words, and the text for its figures."""

    words: frozenset[str]
    text: str

    def may_hold(self, word: str) -> bool:
        if word.isalpha():
            return word in self.words
        return not word.isdigit() or word in self.text

    def may_say(self, number: Number) -> bool:
        """Numbers of a unit may be spelled in another one."""
        return bool(number.dimension) or number.raw in SPELLED_NUMBERS or number.raw in self.text


def of_index(candidate: Candidate) -> AtHand | None:
    """What the index says of the candidate's body. None where a gist takes such a text apart differently."""
    body = _body(candidate)
    if not candidate.indexed or not body.isascii() or len(body) > LONGEST_SENTENCE:
        return None
    return AtHand(frozenset(candidate.indexed[0].split()), body.replace(",", "").replace("_", ""))


def unlike(said: similar.Gist, other: AtHand) -> bool:
    """Whether what is said is surely no near copy of the other."""
    if not all(map(other.may_say, said.numbers)):
        return True
    words = said.words
    missing = [word for word in words if not other.may_hold(word)]
    related = sum(1 for word in missing if any(map(other.may_hold, kin(word))))
    return len(words) - len(missing) + KIN_COUNTS * related < NEAR_COPY * len(words) - ROUNDING


def _body(candidate: Candidate) -> str:
    return candidate.fields.get("body", "")

"""Likeness of texts: near copies, conflicts, clusters. Knows no store.

Two bodies are compared claim by claim, because a second sentence must not hide that the first ones contradict each
other. Whatever could be a correction is a conflict, and a conflict is never a near copy: a doubtful pair is shown as
`possible_conflict` and stored, never refused.
"""

from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from anchormem.reason.claims import Claim, Number, claims, outline
from anchormem.reason.either import exclusive
from anchormem.text.kept import kept
from anchormem.text.kin import kin

NEAR_COPY = 0.65  # share of common words; a sentence of ten words with two replaced has 0.67
LIKELY_COPY = 0.45  # worth a look by the writer
SAME_CLUSTER = 0.4
SAME_SUBJECT = 0.5  # share of the shorter claim's subject that the other claim has too
LEAST_SUBJECT = 0.3  # of the longer one's
SAME_BUT_NOT = 0.6  # a negation turns a claim round only when the rest is nearly the same
FEW = 3  # words beside the common ones in a claim that a negation turns round
KIN = 0.5  # a kin word is half a common word
REPLACED_WORDS, REPLACED_CHARACTERS = 2, 4  # what one named value may take
KEPT = 1 << 17  # characters of bodies; what was found out about them takes some 30 bytes for each
LONGEST_ROW = 150  # of units compared in order; longer claims that differ in one word are rare


@dataclass(frozen=True, slots=True)
class Gist:
    """What a body says, to be compared: the outline of its claims, and these when asked for. Made by `gist`."""

    body: str
    words: frozenset[str]
    numbers: tuple[Number, ...]
    negated: bool
    empty: bool

    @property
    def claims(self) -> tuple[Claim, ...]:
        return _claims(self.body)


@dataclass(frozen=True, slots=True)
class Conflict:
    """`other` says something else than the text compared with; `hint` is one line: `50 against 100`."""

    other: str
    hint: str


@kept(KEPT)  # bodies come back call after call, and half a millisecond each is most of a recall
def gist(body: str) -> Gist:
    """Takes a body apart; the first sentences of a long one."""
    return Gist(body, *outline(body))


_claims = kept(KEPT)(claims)


# ── near copies ─────────────────────────────────────────────────────────────────────────────────────────────────────


def near_copy(one: Gist, other: Gist) -> bool:
    """Whether two bodies say the same in nearly the same words. A correction never does: see `conflict`."""
    if one.empty or other.empty or _unlike(one.words, other.words):
        return False
    if one.negated != other.negated or _apart(one.numbers, other.numbers) or _apart(other.numbers, one.numbers):
        return False
    return overlap(one, other) >= NEAR_COPY and not conflict(one, other) and not _of_another(one, other)


def _of_another(one: Gist, other: Gist) -> bool:
    """Whether like sentences of theirs speak of different things: the same of worker 1 and of worker 2."""
    return any(
        _apart_in_subject(ours, theirs) or bool(_only(ours, theirs) and _only(theirs, ours))
        for ours in one.claims
        for theirs in other.claims
        if len(ours.words & theirs.words) >= LIKELY_COPY * len(ours.words | theirs.words)
    )


def _unlike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether `overlap` stays under NEAR_COPY even if every word that is not common were kin: most pairs, at once."""
    common = len(one & other)
    most = common + KIN * (min(len(one), len(other)) - common)
    return most < NEAR_COPY * (len(one) + len(other) - most)


def overlap(one: Gist, other: Gist) -> float:
    """Share of common words (Jaccard), 0..1; a kin word is half a common one. Without words: whether numbers agree."""
    if not one.words and not other.words:
        return 1.0 if not _apart(one.numbers, other.numbers) and not _apart(other.numbers, one.numbers) else 0.0
    common = one.words & other.words
    ours, theirs = one.words - common, other.words - common
    related = sum(1 for word in ours if not theirs.isdisjoint(kin(word)))
    shared = len(common) + KIN * min(related, len(theirs))
    return shared / (len(one.words) + len(other.words) - shared)


def duplicates(body: str, others: Mapping[str, str], limit: int = 3) -> tuple[str, ...]:
    """Ids of bodies near to this one, nearest first; those that contradict it are no duplicates."""
    said = gist(body)
    read = {name: gist(text) for name, text in others.items()}
    close = {name: overlap(said, other) for name, other in read.items()}
    likely = (name for name, share in close.items() if share >= LIKELY_COPY)
    near = (name for name in likely if not conflict(said, read[name]) and not _of_another(said, read[name]))
    return tuple(sorted(near, key=lambda name: (-close[name], name))[:limit])


def near_identical(body: str, others: Mapping[str, str]) -> str | None:
    """The id of the near copy that refuses a new memory in the same slot, or None."""
    said = gist(body)
    read = ((name, gist(text)) for name, text in sorted(others.items()))
    near = [(overlap(said, other), name) for name, other in read if near_copy(said, other)]
    same = [name for name, text in sorted(others.items()) if text.split() == body.split()]
    nearest = same or [name for _, name in sorted(near, key=lambda pair: (-pair[0], pair[1]))]
    return nearest[0] if nearest else None


# ── conflicts ───────────────────────────────────────────────────────────────────────────────────────────────────────


def conflict(one: Gist, other: Gist, *, surely: bool = False) -> str:
    """The hint when two bodies speak of the same and differ in a number, a negation or a named value; else "".

    Two sentences that both bodies hold are no conflict, whatever they say of each other.
    `surely`: only where neither speaks of anything that the other does not, for what is shown without being asked.
    """
    for ours in one.claims:
        for theirs in other.claims:
            agreed = ours in other.claims and theirs in one.claims
            hint = "" if agreed else _against(ours, theirs, surely=surely)
            if hint:
                return hint
    return ""


def conflicts(body: str, others: Mapping[str, str]) -> tuple[Conflict, ...]:
    """Bodies of the same slot that this one corrects or contradicts, nearest first."""
    said = gist(body)
    read = {name: gist(text) for name, text in others.items()}
    hints = {name: conflict(said, other) for name, other in read.items()}
    found = sorted((-overlap(said, read[name]), name) for name, hint in hints.items() if hint)
    return tuple(Conflict(name, hints[name]) for _, name in found)


def opposed(
    bodies: Mapping[str, str], places: Mapping[str, Iterable[Hashable]], of: Container[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """For each memory those that surely contradict it and share a place (anchor) with it; absent: none.

    `of`: only pairs with one of these in them are compared.
    """
    read = {name: gist(text) for name, text in bodies.items()}
    found: dict[str, list[str]] = {}
    for one, other in _neighbours(sorted(bodies), places, of):
        if conflict(read[one], read[other], surely=True):
            found.setdefault(one, []).append(other)
            found.setdefault(other, []).append(one)
    return {name: tuple(sorted(others)) for name, others in found.items()}


def _against(one: Claim, other: Claim, *, surely: bool) -> str:
    if _apart_in_subject(one, other) or not _same_subject(one, other, surely=surely):
        return ""
    ours, theirs = _apart(one.numbers, other.numbers), _apart(other.numbers, one.numbers)
    if any(figure.measures_with(another) for figure in ours for another in theirs):
        return _hint(_spelled(ours), _spelled(theirs))
    if _says_else(one, other):
        return ""
    chosen = _chosen(one, other)
    if one.negated != other.negated:  # not enabled is disabled
        return "" if chosen or not _turned_round(one, other) else "one says not what the other says"
    names, others = _only(one, other), _only(other, one)
    if not chosen and names and others:
        return _hint(", ".join(names), ", ".join(others))
    return chosen or ("" if surely else _replaced(one, other))


def _chosen(one: Claim, other: Claim) -> str:
    """The hint where each says another value of one choice."""
    for value, (_, as_said) in one.either.items():
        for another, (_, as_theirs) in other.either.items():
            if exclusive(value, another) and value not in other.either and another not in one.either:
                return _hint(as_said, as_theirs)
    return ""


def _apart_in_subject(one: Claim, other: Claim) -> bool:
    """Whether each speaks of something that the other does not mention: of orders the one, of payments the other."""
    return _beyond(one, other) and _beyond(other, one)


def _beyond(one: Claim, other: Claim) -> bool:
    own = other.words - one.words  # what is said by both stands for nothing else
    return any(own.isdisjoint(kin(word)) for word in one.subject - other.words)


def _says_else(one: Claim, other: Claim) -> bool:
    """Whether nothing but the subject is common, and each says something of its own beside its values."""
    ours, theirs = _topic(one, other) - one.subject, _topic(other, one) - other.subject
    return bool(one.subject and ours and theirs) and not _close(ours, theirs)


def _close(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return not ours.isdisjoint(theirs) or any(not theirs.isdisjoint(kin(word)) for word in ours)


def _same_subject(one: Claim, other: Claim, *, surely: bool) -> bool:
    ours, theirs = _topic(one, other), _topic(other, one)
    if not ours or not theirs:
        return not ours and not theirs
    common = len(ours & theirs)
    shorter, longer = sorted((len(ours), len(theirs)))
    if surely and common < shorter:
        return False
    return common >= SAME_SUBJECT * shorter and common >= LEAST_SUBJECT * longer


def _topic(one: Claim, other: Claim) -> frozenset[str]:
    """The words of one without those that name a value which the other does not name."""
    named = [words for words in one.names if not words <= other.words]
    chosen = [words for value, (words, _) in one.either.items() if value not in other.either]
    return one.words.difference(*named, *chosen)


def _apart(ours: Sequence[Number], theirs: Sequence[Number]) -> list[Number]:
    """Those of our numbers that have no partner among theirs; the same unit is the better partner."""
    left = list(theirs)
    apart: list[Number] = []
    for number in sorted(ours, key=lambda one: not one.dimension):
        partners = sorted(
            (other.dimension != number.dimension, at) for at, other in enumerate(left) if number.equals(other)
        )
        if partners:
            del left[partners[0][1]]
        else:
            apart.append(number)
    return apart


def _spelled(numbers: Iterable[Number]) -> str:
    return ", ".join(number.raw for number in numbers)


def _only(one: Claim, other: Claim) -> list[str]:
    """The names of one that the other does not mention in any spelling."""
    return [text for words, text in one.names.items() if words and not words <= other.words]


def _turned_round(one: Claim, other: Claim) -> bool:
    common = one.words & other.words
    few = max(len(one.words), len(other.words)) - len(common) <= FEW
    return few and len(common) >= SAME_BUT_NOT * min(len(one.words), len(other.words))


def _replaced(one: Claim, other: Claim) -> str:
    """Claims equal but for one word, or a few CJK characters, in the same place: that word is a value."""
    if max(len(one.row), len(other.row)) > LONGEST_ROW:
        return ""
    operations = SequenceMatcher(None, one.row, other.row, autojunk=False).get_opcodes()
    changes = [operation for operation in operations if operation[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace" or len(operations) < 2:  # noqa: PLR2004 (something must be equal)
        return ""
    _, start, end, other_start, other_end = changes[0]
    ours, theirs = one.row[start:end], other.row[other_start:other_end]
    cjk = not "".join((*ours, *theirs)).isascii()
    most = REPLACED_CHARACTERS if cjk else REPLACED_WORDS
    if max(len(ours), len(theirs)) > most or (len(ours) == len(theirs) == 1 and theirs[0] in kin(ours[0])):
        return ""
    if not cjk and (len(ours) != len(theirs) or one.numbers or other.numbers):
        return ""
    blank = "" if cjk else " "
    return _hint(blank.join(ours), blank.join(theirs))


def _hint(ours: str, theirs: str) -> str:
    return f"{ours[:60]} against {theirs[:60]}"


# ── groups ───────────────────────────────────────────────────────────────────────────────


def clusters(bodies: Mapping[str, str], places: Mapping[str, Iterable[Hashable]]) -> tuple[tuple[str, ...], ...]:
    """Groups of two or more memories that share a place (anchor) and overlap in words: for `admin consolidate`."""
    read = {name: gist(text) for name, text in bodies.items()}
    leader = {name: name for name in bodies}

    def lead(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for one, other in _neighbours(sorted(bodies), places):
        if overlap(read[one], read[other]) >= SAME_CLUSTER:
            first, second = sorted((lead(one), lead(other)))
            leader[second] = first
    groups: dict[str, list[str]] = {}
    for name in sorted(bodies):
        groups.setdefault(lead(name), []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _neighbours(
    names: Sequence[str], places: Mapping[str, Iterable[Hashable]], of: Container[str] | None = None
) -> list[tuple[str, str]]:
    """The pairs that share a place and hold one of `of`, each once, in order."""
    at: dict[Hashable, list[str]] = {}
    for name in names:
        for place in set(places.get(name, ())):
            at.setdefault(place, []).append(name)
    if of is None:
        return sorted({pair for group in at.values() for pair in combinations(group, 2)})
    asked = ((one, other) for group in at.values() for one in group if one in of for other in group if other != one)
    return sorted({(min(pair), max(pair)) for pair in asked})

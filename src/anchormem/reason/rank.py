"""Relevance and order of candidates. Pure: the same arguments in any order give the same answer. No store, no clock.

Relevance is text alone: how much of what the question asks the candidate's texts cover, each word weighed by how rare
it is (BM25's inverse document frequency), 0..1 and comparable between questions. The floor looks at it and at nothing
else. What is near, proved or active then only moves candidates among themselves.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname
from typing import Literal

from anchormem.model import Source, Status
from anchormem.reason import similar
from anchormem.text import terms
from anchormem.text.kin import kin

Nearness = Literal["", "same_file", "imports", "same_directory"]

# ── the one table of weights ────────────────────────────────────────────────────────────────────────────────────────

FIELDS: Mapping[str, float] = {
    "body": 1.0,  # what the memory says
    "symbol": 0.9,  # a name is chosen to say what the code does
    "path": 0.5,  # folders repeat in every memory of a module
    "command": 0.4,  # tools and flags, seldom the subject
}
KIN = 0.55  # a kin word is likely what was meant, less surely than the word itself
REPEAT = 0.25  # a second and third mention say a little more
REPEATS = 3
SATURATION = 2.2  # one mention in the body covers 1 - exp(-2.2) = 0.89 of a word
WIDER_WHOLE = 0.9  # `scan_queue` of the asked `store/scan_queue.py`
UNKNOWN = 0.45  # a word that no memory holds is as often a turn of phrase as the subject
BACKGROUND = 200  # imagined memories beside the real ones, so that rarity means something in a small store
SUBJECT = 6  # the words, the rarest first, that a question is about; more words only dilute
DILUTION = 0.35  # how much of the weight of the words beyond SUBJECT still counts
LONG_BODY = 220  # terms; a longer body covers words by its length alone
CONTEXT, LONELY = 3, 0.8  # of three words or more a single hit is often a homonym
FLOOR = 0.35  # bench/recall_quality.py: below, more is noise than help

NEARNESS: Mapping[Nearness, float] = {
    "same_file": 0.12,  # the file at hand is what the task is about
    "imports": 0.07,  # its contract is used there
    "same_directory": 0.04,  # a module's habits are shared
    "": 0.0,
}
VERIFIED = 0.035  # proved by a command and unchanged since
EXPLICIT = 0.015  # somebody stated it
MINED = 0.0  # made from notes, or come from elsewhere
STATUSES: Mapping[Status, float] = {
    "active": 0.012,  # the code agrees
    "unknown": 0.008,  # nothing speaks against it
    "stale": 0.004,  # still the best lead to what is true now
    "invalidated": 0.0,  # history
    "superseded": 0.0,  # never a candidate of a task
}
NEAR_TIE = 0.01  # within this the younger goes first


@dataclass(frozen=True, slots=True)
class Group:
    """One asked word: its wholes and parts, and what may stand for it."""

    own: tuple[str, ...]
    kin: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A task, read once: `terms` for search and `Corpus`, `groups` for relevance, `words` for `matched`."""

    terms: tuple[str, ...]
    words: tuple[str, ...]
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """How many memories there are, and in how many of them each query term occurs (absent: none)."""

    documents: int
    frequency: Mapping[str, int]

    def rarity(self, term: str) -> float:
        """BM25's inverse document frequency; of a term nobody holds, less (UNKNOWN)."""
        known = self.frequency.get(term, 0)
        rarity = math.log(1 + (self.documents + BACKGROUND - known + 0.5) / (known + 0.5))
        return rarity if known else rarity * UNKNOWN


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be returned. `fields` holds its searchable texts by name: body, symbol, path, command."""

    id: str
    fields: Mapping[str, str]
    source: Source = "explicit"
    imported: bool = False
    status: Status = "active"
    at: int = 0  # milliseconds of its last deliberate change
    nearness: Nearness = ""
    origin: str = "memory"  # other sources may join later


@dataclass(frozen=True, slots=True)
class Ranked:
    """`relevance` 0..1 is text only and absolute; `score` orders; `why` holds each ranking term by name."""

    candidate: Candidate
    relevance: float
    score: float
    matched: str
    why: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first. `weak`: hits under the relevance floor, counted and never returned."""

    items: tuple[Ranked, ...]
    weak: tuple[Ranked, ...]

    @property
    def omitted_reason(self) -> str:
        """`relevance_floor` when something was left under it, else ""."""
        return "relevance_floor" if self.weak else ""


def query(task: str) -> Query:
    """Any task of any bytes and length. `terms` is bounded: the words of the task, then what may stand for them."""
    asked = [Group(own, _kin_of(own)) for own in terms.groups(task)]
    own = [term for group in asked for term in group.own]
    spare = [term for group in asked for term in group.kin]
    every = tuple(dict.fromkeys([*own, *spare]))[: 2 * terms.MAX_QUERY_TERMS]
    return Query(every, terms.surface(task), tuple(asked))


def _kin_of(own: tuple[str, ...]) -> tuple[str, ...]:
    return kin(own[0]) if len(own) == 1 else ()


def rank(asked: Query, candidates: Iterable[Candidate], corpus: Corpus) -> Ranking:
    """Orders candidates. Those without any hit in their texts are dropped, unless the task has no terms at all:
    then what is near the working set is returned in order of nearness.
    """
    if not asked.groups:
        near = [_ranked(asked, candidate, 0.0) for candidate in candidates if candidate.nearness]
        return Ranking(tuple(sorted(near, key=_place)), ())
    weights = [_weight(group, corpus) for group in asked.groups]
    whole = _subject(weights)
    judged = [_ranked(asked, one, _relevance(asked.groups, weights, whole, one, corpus)) for one in candidates]
    hits = sorted((one for one in judged if one.relevance > 0), key=_place)
    above = tuple(one for one in hits if one.relevance >= FLOOR)
    return Ranking(above, tuple(one for one in hits if one.relevance < FLOOR))


def _place(one: Ranked) -> tuple[float, int, str]:
    """Total and transitive: near ties are equal steps of the score, not small differences."""
    return (-round(one.score / NEAR_TIE), -one.candidate.at, one.candidate.id)


def _ranked(asked: Query, candidate: Candidate, relevance: float) -> Ranked:
    why = {
        "text": relevance,
        "nearness": NEARNESS[candidate.nearness],
        "source": _source(candidate),
        "status": STATUSES[candidate.status],
    }
    matched = terms.found(asked.words, "\n".join(candidate.fields.values())) if relevance >= FLOOR else ""
    score = math.fsum(why.values())
    return Ranked(candidate, relevance, score, matched, {**why, "score": score})


def _source(candidate: Candidate) -> float:
    if candidate.imported or candidate.source == "mined":
        return MINED
    return VERIFIED if candidate.source == "verified" and candidate.status == "active" else EXPLICIT


# ── relevance ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _weight(group: Group, corpus: Corpus) -> float:
    """How much a question is about this word: the rarity of the rarest form that any memory holds."""
    own = max(corpus.rarity(term) for term in group.own)
    if any(corpus.frequency.get(term) for term in group.own):
        return own
    return max([own, *(KIN * corpus.rarity(term) for term in group.kin if corpus.frequency.get(term))])


def _subject(weights: Sequence[float]) -> float:
    """What full coverage weighs: the heaviest words whole, the others in part."""
    heaviest = sorted(weights, reverse=True)
    return math.fsum(heaviest[:SUBJECT]) + DILUTION * math.fsum(heaviest[SUBJECT:])


def _relevance(
    groups: Sequence[Group], weights: Sequence[float], whole: float, candidate: Candidate, corpus: Corpus
) -> float:
    counted = {name: terms.counts(text) for name, text in candidate.fields.items()}
    strengths = _Strengths(counted)
    covered = [strengths.of(group, corpus) for group in groups]
    if not whole:
        return 0.0
    share = min(1.0, math.fsum(w * c for w, c in zip(weights, covered, strict=True)) / whole)
    lonely = len(groups) >= CONTEXT and sum(1 for c in covered if c) == 1
    return share * LONELY if lonely else share


class _Strengths:
    """How firmly one candidate holds a term, 0..1."""

    __slots__ = ("_fields",)

    def __init__(self, counted: Mapping[str, Mapping[str, int]]) -> None:
        self._fields = [(FIELDS.get(name, 0.0), held, _dilution(name, held)) for name, held in counted.items()]

    def of(self, group: Group, corpus: Corpus) -> float:
        own = self._own(group.own, corpus)
        return max([own, *(KIN * self._term(term) for term in group.kin)]) if group.kin and own < KIN else own

    def _own(self, own: tuple[str, ...], corpus: Corpus) -> float:
        first = self._term(own[0])
        if len(own) == 1 or first:
            return first
        rest = [(corpus.rarity(term), self._term(term)) for term in own[1:]]
        return WIDER_WHOLE * math.fsum(w * c for w, c in rest) / math.fsum(w for w, _ in rest)

    def _term(self, term: str) -> float:
        said = 0.0
        for weight, held, dilution in self._fields:
            times = held.get(term, 0)
            if times:
                said += weight * dilution * (1 + REPEAT * (min(times, REPEATS) - 1))
        return 1 - math.exp(-SATURATION * said) if said else 0.0


def _dilution(name: str, held: Mapping[str, int]) -> float:
    if name != "body" or len(held) <= LONG_BODY:
        return 1.0
    return 1 / (1 + math.log(len(held) / LONG_BODY))


# ── near copies and nearness ────────────────────────────────────────────────────────────────────────────────────────


def copies(items: Sequence[Ranked]) -> dict[int, tuple[int, ...]]:
    """For `pack`: the earlier positions that each item is a near copy of (same status, no conflict)."""
    gists = [similar.gist(one.candidate.fields.get("body", "")) for one in items]
    found: dict[int, tuple[int, ...]] = {}
    for position, one in enumerate(items):
        hosts = tuple(
            earlier
            for earlier in range(position)
            if items[earlier].candidate.status == one.candidate.status
            and similar.near_copy(gists[earlier], gists[position])
        )
        if hosts:
            found[position] = hosts
    return found


def nearness(paths: Iterable[str], working_set: Iterable[str], imported: frozenset[str]) -> Nearness:
    """The closest relation of a memory's anchored paths to the working set.

    `imported`: paths of files that the working set imports or that import it.
    """
    anchored, working = set(paths), set(working_set)
    if anchored & working:
        return "same_file"
    if anchored & imported:
        return "imports"
    if {dirname(path) for path in anchored} & {dirname(path) for path in working}:
        return "same_directory"
    return ""

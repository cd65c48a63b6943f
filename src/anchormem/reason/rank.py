"""Relevance and order of candidates. Pure: the same arguments in any order give the same answer. No store, no clock.

Relevance is text alone: how much of what the question asks the candidate's texts cover, each word weighed by how rare
it is (BM25's inverse document frequency), 0..1 and comparable between questions. The floor looks at it and at nothing
else. What is near, proved or active then only moves candidates among themselves.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from posixpath import dirname
from typing import Literal

from anchormem.model import Source, Status
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
KIN = 0.6  # a kin word is likely what was meant, less surely than the word itself
IDENTIFIER = 1.5  # a name of several parts that some memory holds is what the question is about
REPEAT = 0.25  # a second and third mention say a little more
REPEATS = 3
SATURATION = 2.2  # one mention in the body covers 1 - exp(-2.2) = 0.89 of a word
WIDER_WHOLE = 0.9  # `scan_queue` of the asked `store/scan_queue.py`
UNKNOWN = 0.3  # a word that no memory holds is as often a turn of phrase as the subject
BACKGROUND = 200  # imagined memories beside the real ones, so that rarity means something in a small store
SUBJECT = 3  # the words, the rarest first, that a question is about; more words only dilute
DILUTION = 0.3  # how much of the weight of the words beyond SUBJECT still counts
KNEE = 0.8  # above, coverage is squeezed into what is left to 1
LONG_BODY = 220  # terms; a longer body covers words by its length alone
CONTEXT, LONELY = 3, 0.6  # of three words or more a single hit is often a homonym
FLOOR = 0.45  # settled on a trial of questions: below, more is noise than help
SURE = 0.8  # coverage that is no guess: all of it is returned
GUESSES = 3  # what covers less is returned only among the first; more guesses cost more than they help
CLOSE = 0.75  # of the best coverage; a guess further behind mostly shares the commoner words of the question

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
NEAR_TIE = 0.003  # within this the younger goes first; less than any step above


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
    """One thing that may be returned. `fields` holds its searchable texts by name: body, symbol, path, command.

    `indexed`: the same, in the order of FIELDS, as index terms joined by blanks, when the index has them at hand; else
    they are made here.
    """

    id: str
    fields: Mapping[str, str]
    source: Source = "explicit"
    imported: bool = False
    status: Status = "active"
    at: int = 0  # milliseconds of its last deliberate change
    nearness: Nearness = ""
    origin: str = "memory"  # other sources may join later
    indexed: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """`relevance` 0..1 is text only and absolute; `score` orders; `why` holds each ranking term by name."""

    candidate: Candidate
    relevance: float
    score: float
    why: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first. `weak`: hits under the relevance floor or far behind the best, counted and never returned."""

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
        near = [_ranked(candidate, 0.0) for candidate in candidates if candidate.nearness]
        return Ranking(tuple(sorted(near, key=_place)), ())
    measure = _measure(asked, corpus)
    shares = {one.id: (share, one) for one in candidates if (share := _share(measure, one)) > 0}
    kept = _kept({name: share for name, (share, _) in shares.items()})
    hits = sorted((_ranked(one, _bounded(share)) for share, one in shares.values()), key=_place)
    weak = tuple(one for one in hits if one.candidate.id not in kept)
    return Ranking(tuple(one for one in hits if one.candidate.id in kept), weak)


def _kept(shares: Mapping[str, float]) -> frozenset[str]:
    """What is worth its tokens, by text alone: all that surely answers; else, over the floor, a few of the best."""
    above = sorted((-share, name) for name, share in shares.items() if share >= FLOOR)
    best = max(shares.values(), default=0.0)
    return frozenset(
        name for place, (less, name) in enumerate(above) if -less >= SURE or (place < GUESSES and -less >= CLOSE * best)
    )


def _place(one: Ranked) -> tuple[float, int, str]:
    """Total and transitive: near ties are equal steps of the score, not small differences."""
    return (-math.floor(one.score / NEAR_TIE), -one.candidate.at, one.candidate.id)


def _ranked(candidate: Candidate, relevance: float) -> Ranked:
    why: dict[str, float] = {
        "text": relevance,
        "nearness": NEARNESS[candidate.nearness],
        "source": _source(candidate),
        "status": STATUSES[candidate.status],
    }
    why["score"] = score = math.fsum(why.values())
    return Ranked(candidate, relevance, score, why)


def matched(asked: Query, candidate: Candidate) -> str:
    """Up to three words of the task that the candidate holds as they stand there."""
    return terms.found(asked.words, "\n".join(candidate.fields.values()))


def _source(candidate: Candidate) -> float:
    if candidate.imported or candidate.source == "mined":
        return MINED
    return VERIFIED if candidate.source == "verified" and candidate.status == "active" else EXPLICIT


# ── relevance ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Measure:
    """What a question weighs, made once for all candidates. `wanted`: the terms that any of them may hold.

    `held`: of each word that may be held its weight, the word, and those of its terms.
    """

    asked: int  # words
    whole: float  # what full coverage weighs
    rarity: Mapping[str, float]
    wanted: frozenset[str]
    held: tuple[tuple[float, Group, frozenset[str]], ...]


def _measure(asked: Query, corpus: Corpus) -> _Measure:
    forms = [frozenset((*group.own, *group.kin)) for group in asked.groups]
    every = frozenset[str]().union(*forms)
    wanted = every.difference(term for term in asked.terms if not corpus.frequency.get(term))
    rarity = {term: corpus.rarity(term) for term in every}
    weights = tuple(_weight(group, corpus, rarity) for group in asked.groups)
    heaviest = sorted(weights, reverse=True)
    whole = math.fsum(heaviest[:SUBJECT]) + DILUTION * math.fsum(heaviest[SUBJECT:])
    words = zip(weights, asked.groups, (wanted & each for each in forms), strict=True)
    return _Measure(len(forms), whole, rarity, wanted, tuple(word for word in words if word[-1]))


def _weight(group: Group, corpus: Corpus, rarity: Mapping[str, float]) -> float:
    """How much a question is about this word: the rarity of the rarest form that any memory holds."""
    own = max(rarity[term] for term in group.own)
    if len(group.own) > 1 and corpus.frequency.get(group.own[0]):
        return own * IDENTIFIER
    if any(corpus.frequency.get(term) for term in group.own):
        return own
    return max([own, *(KIN * rarity[term] for term in group.kin if corpus.frequency.get(term))])


def _share(measure: _Measure, candidate: Candidate) -> float:
    """How much of the question the candidate covers; over 1 where it covers more than what the question is about."""
    held = _held(measure.wanted, candidate)
    if not held:
        return 0.0
    covered = [
        weight * _covered(group, held, measure.rarity)
        for weight, group, forms in measure.held
        if not forms.isdisjoint(held)
    ]
    share = math.fsum(covered) / measure.whole
    return share * LONELY if measure.asked >= CONTEXT and len(covered) == 1 else share


def _bounded(share: float) -> float:
    """Under 1 without losing the order: a long task has more words than its subject, and more hits lead still."""
    return share if share <= KNEE else KNEE + (1 - KNEE) * (1 - math.exp((KNEE - share) / (1 - KNEE)))


def _covered(group: Group, held: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    """How firmly a candidate holds one asked word, 0..1: its whole, or its parts, or a word that may stand for it."""
    own = held.get(group.own[0], 0.0)
    if not own and len(group.own) > 1:
        parts = group.own[1:]
        said = math.fsum(rarity[term] * held.get(term, 0.0) for term in parts)
        own = WIDER_WHOLE * said / math.fsum(rarity[term] for term in parts)
    return max([own, *(KIN * held[term] for term in group.kin if term in held)]) if own < KIN else own


def _held(wanted: frozenset[str], candidate: Candidate) -> Mapping[str, float]:
    """The asked terms that a candidate holds, each with how firmly, 0..1."""
    texts = candidate.indexed or [" ".join(terms.terms(candidate.fields.get(name, ""))) for name in FIELDS]
    said: dict[str, float] = {}
    for name, text in zip(FIELDS, texts, strict=True):
        row = text.split()
        for term in wanted.intersection(row):
            weight = FIELDS[name] * (_dilution(len(row)) if name == "body" else 1.0)
            said[term] = said.get(term, 0.0) + weight * (1 + REPEAT * (min(row.count(term), REPEATS) - 1))
    return {term: 1 - math.exp(-SATURATION * strength) for term, strength in said.items()}


def _dilution(length: int) -> float:
    return 1.0 if length <= LONG_BODY else 1 / (1 + math.log(length / LONG_BODY))


# ── nearness ──────────────────────────────────────────────────────────────────────────────────────────────────────────


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

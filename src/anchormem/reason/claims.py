"""What a sentence claims, taken apart: its words, numbers, negation, names and either-or words. Compares nothing.

A correction differs in exactly these: another number, a negation, another named value. Works on words and, for
Chinese, Japanese and Korean, on bigrams and characters.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from anchormem.reason import topic
from anchormem.reason.either import canonical_values
from anchormem.text import terms
from anchormem.text.kin import kin
from anchormem.text.stop import STOP_CHARACTERS, STOP_WORDS

LONGEST_SENTENCE = 2_000  # characters; a longer one is data
MOST_NUMBERS = 30  # of a claim; a sentence with more is a table
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|[。\uff01\uff1f\uff1b]|\n+")

# Words that dress a fact without being part of it.
FILLERS = frozenset(
    """set sets use used uses using equal equals value values current currently fact note notes noted remember keep
    keeps kept stay stays remain remains fixed configured defined given default defaults simply always exactly item
    items there called named works work happens""".split()  # noqa: SIM905 (a table to read, not quoted words)
)
NEGATIONS = frozenset(
    """not no never none nor neither without cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt
    couldnt mustnt hasnt havent hadnt neednt aint unable""".split()  # noqa: SIM905 (a table to read, not quoted words)
)
_CJK_NOT = re.compile("[不没未无勿別别非無]|ない|ません|なし|않|못|없|안 ")
_CJK_JOINTS = "".join(STOP_CHARACTERS)
_CJK_NO_NOT = re.compile(
    "不同|不过|不仅|不但|不断|无论|無効|非常|分别|特别|类别|级别|别的|别名|区别|没错|未来|無論|非同期|別名"
)

_UNITS: Mapping[str, tuple[str, float]] = {
    spelled: (dimension, factor)
    for dimension, factor, row in (
        ("ms", 1, "ms msec millisecond milliseconds 毫秒"),
        ("ms", 1e3, "s sec secs second seconds 秒 秒钟 초"),
        ("ms", 6e4, "min mins minute minutes 分钟 分 분"),
        ("ms", 36e5, "h hr hrs hour hours 小时 時間 시간"),
        ("ms", 864e5, "d day days 天 日"),
        ("ms", 6048e5, "week weeks 周"),
        ("b", 1, "b byte bytes 字节"),
        ("b", 2**10, "k kb kib kilobyte kilobytes"),
        ("b", 2**20, "m mb mib megabyte megabytes"),
        ("b", 2**30, "g gb gib gigabyte gigabytes"),
        ("b", 2**40, "tb tib terabyte terabytes"),
        ("%", 1, "% percent"),
    )
    for spelled in row.split()
}
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.])[vV]?(-?[0-9]+(?:\.[0-9]+)*)(?:\s?(?P<unit>{_UNIT})(?![A-Za-z0-9_])|(?:st|nd|rd|th|x)?(?![A-Za-z0-9_]))",
    re.IGNORECASE,
)
_NUMBER_WORDS: Mapping[str, int] = {
    word: number
    for number, row in enumerate(
        (
            "zero",
            "",
            "two twice",
            "three thrice",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
    for word in row.split()
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100, "thousand": 1000}
SPELLED_NUMBERS = frozenset(map(str, _NUMBER_WORDS.values()))  # what may stand in a text as a word
_DRESS = STOP_WORDS | FILLERS | _NUMBER_WORDS.keys()
_NO_WORDS = STOP_WORDS | NEGATIONS
_CJK_NUMBER = re.compile(
    "[零〇二两三四五六七八九十百千万][零〇一二两三四五六七八九十百千万]*|一[十百千万][零〇一二两三四五六七八九十百千万]*"
)
_CJK_COUNTED = re.compile(
    r"\s*(?P<unit>毫秒|秒|分钟|小时|天|字节)|[次个條条行倍项頁页台位种份层级人月年周日块回件]|\W|$"
)
_CJK_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"\u3007": 0, "两": 2}
_CJK_STEPS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_WORD = re.compile(r"\s+([A-Za-z]{2,40})(?![\w(])")
_QUOTED = re.compile(r"`([^`\n]{1,80})`|\"([^\"\n]{1,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)")


@dataclass(frozen=True, slots=True)
class Number:
    """`raw` as it stands; with a unit also its size in the least unit of its dimension; `counts`: the thing counted."""

    raw: str
    dimension: str = ""
    scaled: float = 0.0
    counts: str = ""

    def equals(self, other: "Number") -> bool:
        """60 s is 1 min; 30 is 30 s when one of them has no unit."""
        if self.dimension and other.dimension:
            return self.dimension == other.dimension and self.scaled == other.scaled
        return self.raw == other.raw

    def measures_with(self, other: "Number") -> bool:
        """Whether both may be figures of one thing: not 5 failures and 2 threads, nor an hour and 5 MB."""
        ours, theirs = self.dimension or self.counts, other.dimension or other.counts
        return not ours or not theirs or ours == theirs or theirs in kin(ours)


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence. `words`: subject terms without fillers; `row`: the same in order, CJK by character.

    `names`: terms of a name → the name as it stands. `either`: canonical either-or value → its terms, as it stands.
    `subject`: of the words, those that the rest is said of; none where that is not clear.
    """

    words: frozenset[str]
    row: tuple[str, ...]
    numbers: tuple[Number, ...]
    negated: bool
    names: Mapping[frozenset[str], str]
    either: Mapping[str, tuple[frozenset[str], str]]
    subject: frozenset[str] = frozenset()


def claims(body: str, limit: int = 40) -> tuple[Claim, ...]:
    """The claims of a body's first sentences."""
    return tuple(map(_claim, _sentences(body, limit)))


def outline(body: str, limit: int = 40) -> tuple[frozenset[str], tuple[Number, ...], bool, bool]:
    """What the claims hold together, at half their price and enough to tell most bodies apart: the words, the numbers,
    whether one is negated, and whether there is none at all.
    """
    read = list(_sentences(body, limit))
    words = frozenset(word for one in read for word in one.words)
    numbers = tuple(dict.fromkeys(number for one in read for number in one.numbers))
    return words, numbers, any(one.negated for one in read), not read


class _Sentence(NamedTuple):
    """A sentence, its text folded, and without its numbers; then as in Claim."""

    text: str
    folded: str
    rest: str
    plain: list[terms.Token]
    runs: list[str]
    words: frozenset[str]
    row: tuple[str, ...]
    numbers: tuple[Number, ...]
    negated: bool


def _sentences(body: str, limit: int) -> Iterator[_Sentence]:
    """Those of the first that say anything."""
    sentences = (text for text in _SENTENCE_END.split(body) if text and text.strip())
    read = (_sentence(text[:LONGEST_SENTENCE]) for _, text in zip(range(limit), sentences, strict=False))
    return (one for one in read if one.row or one.numbers)


def _sentence(text: str) -> _Sentence:
    folded = topic.labelled(terms.fold(text))
    numbers, rest = _numbers(folded)
    read = list(terms.tokens(rest))
    plain = [token for token in read if not token.cjk]
    runs = [token.parts[0] for token in read if token.cjk]
    said = [_subject(token) for token in read]
    return _Sentence(
        text,
        folded,
        rest,
        plain,
        runs,
        frozenset(word for words in said for word in words),
        tuple(unit for token, words in zip(read, said, strict=True) for unit in (_run(token) if token.cjk else words)),
        tuple(dict.fromkeys(numbers))[:MOST_NUMBERS],
        _negated(plain, runs),
    )


def _claim(one: _Sentence) -> Claim:
    return Claim(
        one.words,
        one.row,
        one.numbers,
        one.negated,
        dict(_names(one.text, one.rest, one.plain)),
        _either(one.plain, "".join(one.runs)),
        _said_of(one.folded),
    )


def _said_of(folded: str) -> frozenset[str]:
    _, rest = _numbers(topic.head(folded))
    return frozenset(word for token in terms.tokens(rest) for word in _subject(token))


def _subject(token: terms.Token) -> list[str]:
    if token.cjk:
        run = _run(token)
        pieces = terms.bigrams(run) or [run]
        return [piece for piece in pieces if piece and not STOP_CHARACTERS.issuperset(piece)]
    if token.wholes and token.wholes[0] in _NO_WORDS:
        return []
    return [terms.stem(part) for part in token.parts if part not in _DRESS]


def _run(token: terms.Token) -> str:
    """A CJK run without its numbers and without the characters that only join it to others."""
    return _without_number(token.parts[0]).strip(_CJK_JOINTS)


# ── numbers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _numbers(folded: str) -> tuple[list[Number], str]:
    """The numbers of a text, and the text without them."""
    found = [_number(match[1], match["unit"], _counted(folded, match.end())) for match in _NUMBER.finditer(folded)]
    rest = _NUMBER.sub(" ", folded)
    found += [Number(str(_NUMBER_WORDS[word])) for word in re.findall(r"[a-z]+", rest.lower()) if word in _NUMBER_WORDS]
    for match in _CJK_NUMBER.finditer(rest):
        counted = _CJK_COUNTED.match(rest, match.end())
        if counted:
            found.append(_number(str(_cjk_value(match[0])), counted["unit"]))
    return found, rest


def _counted(folded: str, end: int) -> str:
    """The stem of the word that follows a number at once, "" where none does or it says nothing."""
    following = _WORD.match(folded, end)
    word = following[1].lower() if following else ""
    return "" if word in STOP_WORDS else terms.stem(word)


def _number(raw: str, unit: str | None, counts: str = "") -> Number:
    if not unit or raw.count(".") > 1:
        return Number(raw, counts=counts)
    dimension, factor = _UNITS[unit.lower()]
    return Number(raw, dimension, float(raw) * factor)


def _cjk_value(digits: str) -> int:
    total = section = digit = 0
    for character in digits:
        if character in _CJK_DIGITS:
            digit = _CJK_DIGITS[character]
        elif character == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _CJK_STEPS[character], 0
    return total + section + digit


def _without_number(run: str) -> str:
    return _CJK_NUMBER.sub(lambda found: "" if _CJK_COUNTED.match(run, found.end()) else found[0], run)


# ── negation, names, either-or ──────────────────────────────────────────────────────────────────────────────────────


def _negated(plain: list[terms.Token], runs: list[str]) -> bool:
    if any(word in NEGATIONS for token in plain for word in (*token.wholes[:1], *token.parts[:1])):
        return True
    return any(_CJK_NOT.search(_CJK_NO_NOT.sub("", run)) for run in runs)


def _names(sentence: str, rest: str, plain: list[terms.Token]) -> Iterator[tuple[frozenset[str], str]]:
    """Identifiers, quoted values, words of capitals, and capitalised words that do not begin the sentence."""
    for match in _QUOTED.finditer(sentence):
        text = match[1] or match[2] or match[3]
        yield frozenset(word for token in terms.tokens(text) for word in _subject(token)), text
    first = rest.lstrip(" \t-*#>\"'(`")
    for token in plain:
        text = token.surface
        if text.isalpha() and text.islower():
            continue
        capital = text[:1].isupper() and not first.startswith(text)
        digits = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
        if capital or digits or (len(token.wholes) > 0 and not _prose(text)) or (text.isupper() and len(text) > 1):
            yield frozenset(_subject(token)), text


def _prose(text: str) -> bool:
    """Whether a joined word is prose (`re-try`, `and/or`) and no identifier."""
    return text.islower() and not any(mark in text for mark in "_.:$")


def _either(plain: list[terms.Token], run: str) -> dict[str, tuple[frozenset[str], str]]:
    canonical = canonical_values()
    found: dict[str, tuple[frozenset[str], str]] = {}
    for token in plain:
        for word in (*token.wholes, *token.parts):
            if word in canonical:
                own = {terms.stem(word)} if word in token.parts else set(_subject(token))
                found[canonical[word]] = (frozenset(own), word)
    for word, value in canonical.items() if run else ():
        if not word.isascii() and word in run:
            found[value] = (frozenset(terms.bigrams(word)), word)
    return found

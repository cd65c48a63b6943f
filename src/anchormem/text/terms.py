"""The one tokeniser, for what is written and for what is asked. Knows nothing of SQL; it only spells FTS5 expressions.

How the store uses it: index `" ".join(terms(text))` in an FTS5 column, ask with `fts_expression(significant(task))`.

A text is a row of chunks (runs of word characters held together by `_ . - / ' ::`), a chunk a row of components
(between `/ . ::`), a component a row of parts (camelCase, snake_case, kebab-case, digits). Each level that joins
several parts gives its *whole*: the parts without separators, so that `batch_size`, `batchSize` and `batch-size` are
one term. The character classes are spelled as a string of the same length, the *shape*, and the patterns run on it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from anchormem.text.kept import kept
from anchormem.text.stop import STOP_CHARACTERS, STOP_WORDS

MAX_QUERY_TERMS = 96
QUERY_CHARACTERS = 12_000  # a longer task is read up to here
LONGEST_TERM = 128  # longer runs are data, not words
REMEMBERED_TEXT = 2_000  # characters; what a longer text holds is found out each time
SHORTEST_STEM, LONGEST_STEM = 3, 40  # no English word outside has an ending to take off

# U upper, l lower and caseless letters and marks, d digit, C Chinese/Japanese/Korean, the joiners as themselves.
_CHUNK = re.compile(r"[Uld](?:(?:::|[_.\-/'$]+)?[Uld])*|C+")
_COMPONENT = re.compile(r"[Uld](?:[_\-'$]*[Uld]|(?<=d)\.d)*")
_PART = re.compile(r"d+(?:\.d+)+|U+(?=Ul)|U?l+|U+|d+")
_THOUSANDS = re.compile(r"(?<![\d.,_])(\d{1,3})((?:[,_]\d{3})+)(?![\d,_])")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe00-\ufe0f]")
_ACCENT = re.compile("[\u0300-\u036f]")
_POSSESSIVE = re.compile(r"(?<=\w)'s(?!\w)", re.IGNORECASE)
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_POINT = "point"  # `1.9` is one term, and neither `19` nor two terms


class Token(NamedTuple):
    """One chunk. `wholes`: joined forms, the widest first, none for a plain word; all folded, unstemmed."""

    surface: str
    wholes: tuple[str, ...]
    parts: tuple[str, ...]
    cjk: bool = False


# ── folding and shapes ──────────────────────────────────────────────────────────────────────────────────────────────


def fold(text: str) -> str:
    """NFKC without accents and invisible characters, typographic marks plain, thousands joined. Case is kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))
        text = text.replace("\u2019", "'").replace("\u2010", "-").replace("\u2011", "-")
    if "," in text or "_" in text:
        text = _THOUSANDS.sub(lambda found: found[1] + re.sub(r"\D", "", found[2]), text)
    return _POSSESSIVE.sub("", text) if "'" in text else text


@lru_cache(maxsize=4096)
def _class_of(character: str) -> str:
    if _CJK.match(character):
        return "C" if character.isalnum() or unicodedata.category(character) == "Lm" else " "
    if character.isdecimal():
        return "d"
    if character.isupper():
        return "U"
    if character.isalpha() or unicodedata.category(character) in {"Mn", "Mc", "Nl", "No"}:
        return "l"
    return {"_": "_", "$": "$", ".": ".", "-": "-", "/": "/", "\\": "/", ":": ":", "'": "'"}.get(character, " ")


def _shape(folded: str) -> str:
    return folded.translate(_ascii_classes()) if folded.isascii() else "".join(map(_class_of, folded))


@cache
def _ascii_classes() -> dict[int, str]:
    return {point: _class_of(chr(point)) for point in range(128)}


def _chunks(text: str, limit: int | None = None) -> Iterator[str]:
    """The chunks of a text, of its first `limit` characters if given (folding can make a text longer)."""
    folded = fold(text[:limit])[:limit]
    for chunk in _CHUNK.finditer(_shape(folded)):
        start, end = chunk.span()
        yield folded[start:end]


def tokens(text: str, limit: int | None = None) -> Iterator[Token]:
    """The chunks of a text in order, taken apart."""
    return map(_token, _chunks(text, limit))


def _token(chunk: str) -> Token:
    return _known_token(chunk) if len(chunk) <= LONGEST_TERM else _taken_apart(chunk)


def _taken_apart(chunk: str) -> Token:
    shape = _shape(chunk)
    if shape[0] == "C":
        return Token(chunk, (), (chunk.casefold(),), cjk=True)
    parts = _parts(chunk, shape)
    wholes: list[str] = []
    if len(parts) > 1:
        wholes.append("".join(parts))
        for component in _COMPONENT.finditer(shape):
            inner = _parts(chunk[component.start() : component.end()], component[0])
            if len(inner) > 1:
                wholes.append("".join(inner))
    fitting = (whole for whole in wholes if len(whole) <= LONGEST_TERM)
    return Token(chunk, tuple(dict.fromkeys(fitting)), tuple(part[:LONGEST_TERM] for part in parts))


# Most chunks of a code base's memories recur; pure functions of short texts may be remembered. A run of Chinese takes
# some kilobytes, and few of them recur.
_known_token = lru_cache(maxsize=1 << 13)(_taken_apart)


def _parts(chunk: str, shape: str) -> list[str]:
    return [chunk[p.start() : p.end()].casefold().replace(".", _POINT) for p in _PART.finditer(shape)]


# ── terms ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def _stemmer_class() -> type:
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415 (40 ms that only words to stem may cost)

    return EnglishStemmer  # type: ignore[no-any-return]  # the package carries no types


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The English stem of a folded word; anything that is no English word comes back as it is."""
    if not SHORTEST_STEM <= len(word) <= LONGEST_STEM or not word.isascii() or not word.isalpha():
        return word
    # A stemmer keeps its word in itself and calls come from several threads, so each word gets a stemmer of its own.
    return str(_stemmer_class()().stemWord(word))


def bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def terms(text: str) -> list[str]:
    """Index terms of a text, in order, with repetitions, stop words included. Any text, any length.

    Words are folded (NFKC, case, accents) and stemmed (English); an identifier gives its whole form without separators
    (`getUserById`, `get_user_by_id`, `get-user-by-id`: `getuserbyid`) and its parts; Chinese, Japanese and Korean give
    overlapping bigrams and, so that one-character queries work, single characters.
    """
    gathered: list[str] = []
    for chunk in _chunks(text):
        gathered += _known_terms(chunk) if len(chunk) <= LONGEST_TERM else _chunk_terms(chunk)
    return gathered


def _chunk_terms(chunk: str) -> tuple[str, ...]:
    token = _token(chunk)
    if token.cjk:
        run = token.parts[0]
        return (*bigrams(run), *run)
    return tuple(map(stem, (*token.wholes, *token.parts)))


_known_terms = lru_cache(maxsize=1 << 13)(_chunk_terms)


def groups(text: str) -> list[tuple[str, ...]]:
    """The query terms of a task by the word they come from: its wholes first, then its parts. Distinct, in task order.

    No stop words unless there is nothing else; at most MAX_QUERY_TERMS terms in all.
    """
    read = list(tokens(text, QUERY_CHARACTERS))
    gathered = [group for token in read for group in _groups_of(token, stop=True)]
    if not gathered:
        gathered = [group for token in read for group in _groups_of(token, stop=False)]
    fitting: list[tuple[str, ...]] = []
    room = MAX_QUERY_TERMS
    for group in dict.fromkeys(gathered):
        if len(group) > room:
            break
        room -= len(group)
        fitting.append(group)
    return fitting


def _groups_of(token: Token, *, stop: bool) -> list[tuple[str, ...]]:
    if token.cjk:
        run = token.parts[0]
        pieces = bigrams(run) if len(run) > 1 else [run]
        return [(piece,) for piece in pieces if not (stop and STOP_CHARACTERS.issuperset(piece))]
    if stop and token.wholes and token.wholes[0] in STOP_WORDS:  # isn't
        return []
    parts = [part for part in token.parts if not (stop and part in STOP_WORDS)]
    if not parts:
        return []
    found = tuple(dict.fromkeys(map(stem, (*token.wholes, *parts))))
    return [found[i : i + MAX_QUERY_TERMS] for i in range(0, len(found), MAX_QUERY_TERMS)]


def significant(text: str) -> list[str]:
    """Distinct query terms of a task, in order, at most MAX_QUERY_TERMS. No stop words unless there is nothing else."""
    return list(dict.fromkeys(term for group in groups(text) for term in group))


def fts_expression(wanted: Iterable[str]) -> str:
    """`"a" OR "b"` for FTS5 MATCH; "" when there is no term, and then no MATCH may be run."""
    quoted = (_plain(term).replace('"', '""') for term in wanted)
    return " OR ".join(f'"{term}"' for term in quoted if term.strip())


def _plain(term: str) -> str:
    return term.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


# ── words as they stand ─────────────────────────────────────────────────────────────────────────────────────────────


def surface(text: str) -> tuple[str, ...]:
    """The significant words of a task as they stand there, in task order, distinct."""
    read = list(tokens(text, QUERY_CHARACTERS))
    telling = [token.surface for token in read if _groups_of(token, stop=True)]
    return tuple(dict.fromkeys(telling or (token.surface for token in read)))


def words(text: str) -> frozenset[str]:
    """Folded, unstemmed words and identifier parts of a text: what "found verbatim" means."""
    return _known_words(text) if len(text) <= REMEMBERED_TEXT else _words(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for token in tokens(text) for word in (*token.wholes, *token.parts))


# The bodies of a store come back call after call.
_known_words = kept(1 << 17)(_words)


@lru_cache(maxsize=1 << 10)
def _heads(word: str) -> tuple[str, ...]:
    """Of each chunk of an asked word what has to occur: its whole form, else itself."""
    return tuple((*token.wholes[:1], *token.parts)[0] for token in tokens(word))


def found(wanted: Iterable[str], text: str, limit: int = 3) -> str:
    """The first `limit` of the surface words that occur verbatim in the text, joined by blanks (`matched`)."""
    here = words(text)
    runs = [word for word in here if _class_of(word[0]) == "C"]
    hits: list[str] = []
    for word in wanted:
        if len(hits) >= limit:
            break
        if _class_of(word[0]) == "C":
            hits += _common_pieces(word, runs)
        elif not here.isdisjoint(_heads(word)):
            hits.append(word)
    return " ".join(dict.fromkeys(hits[:limit]))


def _common_pieces(run: str, runs: list[str]) -> list[str]:
    """The longest pieces of a CJK run (two characters, unless the run is one) that occur in one of the others."""
    pieces: list[str] = []
    start = 0
    folded = run.casefold()[:200]
    while start < len(folded):
        end = start
        while end < len(folded) and any(folded[start : end + 1] in other for other in runs):
            end += 1
        if end - start > 1 or (len(folded) == 1 and end):
            pieces.append(folded[start:end])
        start = max(end, start + 1)
    return [piece for piece in pieces if not STOP_CHARACTERS.issuperset(piece)]

"""Finds credentials in text before it is stored or shown. Linear time. Never returns, prints or raises the value.

A text is looked at twice: without invisible characters, and with its lines joined as well, because a token that was
wrapped or broken on purpose is a token still.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from anchormem.errors import AnchormemError, SecretFound
from anchormem.text.secret_rules import RULES, Rule

# Everything that shows nothing: control and format characters, variation selectors, Hangul fillers.
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_LINE_END = re.compile("[ \t]*\\\\?(?:[\r\n\v\f\x1c-\x1e\x85\u2028\u2029][ \t]*)+")
_WORD_CHARACTER = re.compile(r"[A-Za-z0-9_-]")


WITHHELD = "(withheld: it looks like a secret)"  # stands where a text would that may not be kept or shown


class Finding(NamedTuple):
    """A rule that struck: `rule` is its name (`github_token`)."""

    rule: str


def find(text: str) -> Finding | None:
    """The first rule that strikes anywhere in the text, split by newlines or zero-width characters too, or None."""
    if not text:
        return None
    visible = _INVISIBLE.sub("", text)
    folded = visible.casefold()
    for rule in RULES:
        if _strikes(rule, visible, folded, ()):
            return Finding(rule.name)
    joined, seams = _join(visible)
    if seams:
        folded = joined.casefold()
        for rule in RULES:
            if rule.joined and _strikes(rule, joined, folded, seams):
                return Finding(rule.name)
    return None


def shown(text: str) -> str:
    """The text as it may be shown: WITHHELD where it holds a secret."""
    return WITHHELD if find(text) else text


def check(fields: Mapping[str, str]) -> None:
    """Raises SecretFound naming rule and field when a field (`body`, `evidence.output`, …) holds a secret."""
    for field, text in fields.items():
        finding = find(text)
        if finding is not None:
            raise SecretFound(
                f"{field} looks like it holds a secret (rule {finding.rule}); nothing was stored",
                "take the value out, or write a placeholder such as <token> in its place",
            )


def guarded(error: AnchormemError, given: object) -> AnchormemError:
    """The error; where what was given holds a secret, one of the same kind that repeats nothing of it."""
    if isinstance(error, SecretFound):
        return error
    found = next(filter(None, map(find, _texts(given))), None)
    if found is None:
        return error
    return type(error)(
        f"refused, and not said why: the call holds what looks like a secret (rule {found.rule})",
        "take the value out and call again",
    )


def _texts(given: object) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping):
        for key, member in given.items():
            yield str(key)
            yield from _texts(member)
    elif isinstance(given, list | tuple):
        for element in given:
            yield from _texts(element)


def _join(text: str) -> tuple[str, list[int]]:
    """The text without line ends, and where in it they were."""
    pieces = _LINE_END.split(text)
    seams: list[int] = []
    length = 0
    for piece in pieces[:-1]:
        length += len(piece)
        seams.append(length)
    return "".join(pieces), seams


def _strikes(rule: Rule, text: str, folded: str, seams: list[int] | tuple[()]) -> bool:
    if rule.near and len(folded) == len(text):  # most rules in most texts: nothing near, nothing to match
        for word in rule.near:
            if word in folded:
                break
        else:
            return False
    elif rule.pattern.search(text) is None:
        return False
    return any(
        _begins_word(rule, text, struck.start(), seams) and (rule.check is None or rule.check(_value(struck)))
        for struck in _matches(rule, text, folded)
    )


def _matches(rule: Rule, text: str, folded: str) -> Iterator[re.Match[str]]:
    """Wherever the pattern matches, overlapping. A slow one is tried only where its words are near."""
    if rule.near and len(folded) == len(text):  # folding never shortens: position by position the same
        for start in _starts(rule, folded):
            if (struck := rule.pattern.match(text, start)) is not None:
                yield struck
        return
    position = 0
    while (struck := rule.pattern.search(text, position)) is not None:
        yield struck
        position = struck.start() + 1


def _starts(rule: Rule, folded: str) -> Iterator[int]:
    for word in rule.near:
        done = 0
        at = folded.find(word)
        while at != -1:
            yield from range(max(done, at - rule.reach), at + 1)
            done = at + 1
            at = folded.find(word, done)


def _begins_word(rule: Rule, text: str, start: int, seams: list[int] | tuple[()]) -> bool:
    if not rule.whole or start == 0 or not _WORD_CHARACTER.match(text, start - 1):
        return True
    at = bisect_left(seams, start)
    return at < len(seams) and seams[at] == start


def _value(struck: re.Match[str]) -> str:
    return struck[1] if struck.re.groups else struck[0]

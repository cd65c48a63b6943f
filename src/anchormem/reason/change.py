"""What changed in anchored code, in a few words, and whether it touches what the memory says.

Knows no grammar: tokens come in as text, in source order, without comments and layout.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from posixpath import commonprefix
from types import MappingProxyType

from anchormem.model import Change
from anchormem.reason.diff import aligned
from anchormem.text import secrets

NO_NAMES: Mapping[str, str] = MappingProxyType({})
SIDE = 40  # characters shown on each side of `50 → 200`
ALIGNED = 1200  # tokens a side up to which changed ones are aligned; beyond, they are counted

# Names of the languages themselves. In a sentence they are English, not a reference to the code.
_KEYWORDS = frozenset(
    """
    and as assert async await begin break by case catch class const continue def default defer del delete do else
    end ensure enum except export extends extern final finally fn for from func function go goto if impl implements
    import in int interface is it let loop match mod module mut new not of on or out package pass private protected
    public raise range ref rescue return select self static str string struct super switch the then this throw to
    try type unless until use using var void when where while with yield
    """.split()  # noqa: SIM905  a list of words reads as one
)
_WORD = re.compile(r"\w+", re.UNICODE)
_NUMBER = re.compile(r"\d[\w.]*")
_QUOTES = "\"'`"


def describe(
    old_text: str | None,
    new_text: str,
    old_tokens: Sequence[str],
    new_tokens: Sequence[str],
    body: str,
    *,
    commit: str = "",
    names: Mapping[str, str] = NO_NAMES,
) -> Change:
    """`50 → 200` for one changed token (40 characters a side), else `+3 −1 lines`. `body`: the memory's words.

    `names`: what the code and what it stands in were called and are called now, which is no change of it.
    Secret-shaped code gives `edited`, and so does an anchor without its text: then nothing is known to be touched.
    """
    if old_text is None:
        return Change("edited", commit=commit)
    old_tokens = [names.get(token, token) for token in old_tokens]
    touches = touching(old_tokens, new_tokens, body)
    if secrets.find(old_text) or secrets.find(new_text):
        return Change("edited", touches, commit)
    told = _one_token(old_tokens, new_tokens) or _lines(aligned(_renamed(old_text, names), new_text), new_text)
    return Change(told, touches, commit)


def renamings(was: str, now: str) -> dict[str, str]:
    """Which names of a qualified one became which others: of itself, and of what it stands in."""
    return {old: new for old, new in zip(was.split(".")[::-1], now.split(".")[::-1], strict=False) if old != new}


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text) if names else text


def touching(old_tokens: Sequence[str], new_tokens: Sequence[str], body: str) -> bool:
    """Whether a changed token is a number, string or name that occurs in `body`."""
    return any(_occurs(token, body) for token in _changed(old_tokens, new_tokens))


def _one_token(old: Sequence[str], new: Sequence[str]) -> str:
    before, after = _middles(old, new)
    if len(before) != 1 or len(after) != 1:
        return ""
    one, other = " ".join(before[0].split()), " ".join(after[0].split())
    same = len(commonprefix((one, other)))
    return f"{_short(one, same)} → {_short(other, same)}"


def _short(line: str, same: int) -> str:
    """At most 40 characters of a token, among them the place where it differs from the other side."""
    if len(line) <= SIDE:
        return line
    start = same - SIDE // 4 if same > SIDE * 3 // 4 else 0
    front = "…" if start else ""
    shown = front + line[start:]
    return shown if len(shown) <= SIDE else shown[: SIDE - 1] + "…"


def _lines(old_text: str, new_text: str) -> str:
    old, new = old_text.splitlines(), new_text.splitlines()
    before, after = _middles(old, new)
    matcher = SequenceMatcher(None, before, after, autojunk=len(before) > ALIGNED)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    if kept == len(after) == len(before):
        return "edited"  # around the definition: its access label, the keyword it shares
    return f"+{len(after) - kept} −{len(before) - kept} lines"


def _middles(old: Sequence[str], new: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What is left of both without their common beginning and end."""
    shorter, start = min(len(old), len(new)), 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterable[str]:
    before, after = _middles(old, new)
    if max(len(before), len(after)) > ALIGNED:
        counted, recounted = Counter(before), Counter(after)
        return {*(counted - recounted), *(recounted - counted)}
    changed: set[str] = set()
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            changed.update(before[i:j])
            changed.update(after[k:m])
    return changed


def _occurs(token: str, body: str) -> bool:
    """Whole words only: `50` is not in `500`, `limit` is not in `limits`."""
    meant = token.strip(_QUOTES).strip()
    if not meant or not _WORD.search(meant):
        return False
    is_text = token[:1] in _QUOTES or len(meant.split()) > 1
    if not is_text and not _NUMBER.match(meant) and (len(meant) < 2 or meant.lower() in _KEYWORDS):  # noqa: PLR2004  single letters are English or loop counters
        return False
    return re.search(rf"(?<![\w]){re.escape(meant)}(?![\w])", body) is not None

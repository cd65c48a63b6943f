"""Argument shapes that more than one tool takes: anchors, kinds, a budget.

Knows nothing of what the tools do with them.
"""

from anchormem.errors import UsageError
from anchormem.model import JsonObject
from anchormem.tools.arguments import Param
from anchormem.tools.tool import ASPECTS, KINDS


def short_anchor(text: str) -> JsonObject:
    """`path` or `path::symbol` as an object. The symbol keeps its path: the full form is exact, a bare name is not."""
    path, colons, symbol = text.partition("::")
    if colons and not symbol.strip():
        raise UsageError(
            f"the anchor {text[:80]!r} names no symbol", "give path::symbol, or the path alone for the whole file"
        )
    return {"file": path, "symbol": text} if symbol else {"file": path}


ANCHORS = Param(
    "anchors",
    "objects",
    'or "path", "path::symbol"',
    high=64,
    fields=(
        Param("file", needed=True),
        Param("symbol"),
        Param("aspect", choices=ASPECTS),
        Param("quote"),
    ),
    short=short_anchor,
)


def kinds() -> Param:
    """The filter by kind. `remember` spells the words out; here they are only checked."""
    return Param("kinds", "strings", choices=KINDS, terse=True, default=[])


def budget(default: int, about: str = "") -> Param:
    """The bound for a whole reply in tokens, by our own count: ceil(bytes / 4)."""
    shown = about or f"default {default}"
    return Param("budget_tokens", "integer", shown, low=256, high=20_000, default=default, terse=True)

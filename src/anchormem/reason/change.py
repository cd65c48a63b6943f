"""What changed in anchored code, in a few words, and whether it touches what the memory says.

Knows no grammar: tokens come in as text.
"""

from collections.abc import Sequence

from anchormem.model import Change


def describe(
    old_text: str, new_text: str, old_tokens: Sequence[str], new_tokens: Sequence[str], body: str, *, commit: str = ""
) -> Change:
    """`50 → 200` for one changed token (40 characters a side), else `+3 −1 lines`. `body`: the memory's words.

    Secret-shaped summaries are `edited`. Without old tokens (no anchored text kept) `edited`, touching nothing known.
    """
    raise NotImplementedError


def touching(old_tokens: Sequence[str], new_tokens: Sequence[str], body: str) -> bool:
    """Whether a changed token is a number, string or name that occurs in `body`."""
    raise NotImplementedError

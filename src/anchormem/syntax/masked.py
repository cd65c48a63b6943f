"""A source as its parser is shown it: where a grammar would lose its way, what it cannot read is hidden from it."""

from typing import NamedTuple

from anchormem import languages


class Masked(NamedTuple):
    """Two views of a source, byte for byte at the same places."""

    code: bytes  # without what is no code
    seen: bytes  # without what is code and yet makes the parser lose its way


def masked(folded: bytes, language: languages.Language) -> Masked:
    """By the mask of the language; most have none."""
    name = language.scalars.get("mask")
    if not name:
        return Masked(folded, folded)
    from anchormem.syntax.macros import MASKS  # noqa: PLC0415 — patterns by the dozen, for few languages

    return MASKS[name](folded)

"""Finds credentials in text before it is stored or shown. Linear time. Never returns, prints or raises the value."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that struck: `rule` is its name (`github_token`)."""

    rule: str


def find(text: str) -> Finding | None:
    """The first rule that strikes anywhere in the text, split by newlines or zero-width characters too, or None."""
    raise NotImplementedError


def check(fields: Mapping[str, str]) -> None:
    """Raises SecretFound naming rule and field when a field (`body`, `evidence.output`, …) holds a secret."""
    raise NotImplementedError

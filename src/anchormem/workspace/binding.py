"""From what a caller names to full anchors with today's hashes. All resolve, or none is given back.

Knows nothing of how memories are stored.
"""

from collections.abc import Iterable, Mapping, Sequence

from anchormem.model import Anchor
from anchormem.workspace.session import Workspace

Given = str | Mapping[str, object]  # `path`, `path::symbol[@disambiguator]`, or {file, symbol?, aspect?, quote?}


def bind(ws: Workspace, given: Sequence[Given]) -> tuple[Anchor, ...]:
    """Full anchors with today's hashes, text, commit and twins (`id` 0).

    Reads each named file afresh (call after `refresh(ws, paths_of(given))`, so twins are known). Raises UsageError for a wrong
    shape, BadPath at the gate, NotFound with the closest names, AmbiguousSymbol with the exact forms, Refused for quotes,
    SecretFound.
    """
    raise NotImplementedError


def rebind(ws: Workspace, anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """The same anchors tied to today's code at the place where each is now (reverify, confirm, update).

    Raises Refused for a slot that is empty or ambiguous, naming candidates.
    """
    raise NotImplementedError


def paths_of(given: Sequence[Given]) -> tuple[str, ...]:
    """The file paths named, as given and not yet gated; malformed elements are left out (bind refuses them)."""
    raise NotImplementedError


def printed(anchor: Anchor) -> str:
    """`path::Qualified.name`, with aspect or quote when it has one: `path::name [signature]`, `path::name "quote"`."""
    raise NotImplementedError

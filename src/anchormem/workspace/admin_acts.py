"""Deliberate acts on stored memories that need no code: forget, archive, restore, unlink."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def forget(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], exact. Tombstones, recoverable for 30 days with restore; says what stays superseded."""
    raise NotImplementedError


def archive(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], exact."""
    raise NotImplementedError


def restore(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], exact. Takes back archive or forget."""
    raise NotImplementedError


def unlink(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str] (one, exact), `target` str, `rel` str supports|contradicts|supersedes."""
    raise NotImplementedError

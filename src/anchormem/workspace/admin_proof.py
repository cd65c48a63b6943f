"""Deliberate acts that tie a memory to today's code again: reverify, confirm, reanchor."""

from collections.abc import Mapping

from anchormem.model import Reply
from anchormem.workspace.session import Workspace


def reverify(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str] (one), `command` str, `output` str, `exit_code` int 0. New evidence, verified, rebound."""
    raise NotImplementedError


def confirm(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str]. Still true by word of mouth: rebound, explicit, at most 0.8."""
    raise NotImplementedError


def reanchor(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """`ids` list[str], `anchors` list[dict|str]. Replaces the anchors of each."""
    raise NotImplementedError

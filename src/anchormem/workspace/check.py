"""`anchormem check`: would this change leave something active stale? From git blobs and the shared export, no store."""

from collections.abc import Mapping
from pathlib import Path

from anchormem.model import Reply


def check(start: Path, args: Mapping[str, object]) -> Reply:
    """`base` str "HEAD", `staged` bool False (head side: the git index; else the HEAD commit).

    data: {base, head, export, checked, findings: [{id, kind, body, at, reason, path, line}]}; findings non-empty: exit 1.
    Raises NotFound naming the fix when the base is missing (exit 2 by the command), NotARepository outside git.
    """
    raise NotImplementedError

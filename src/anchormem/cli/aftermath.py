"""What an edit did to the memories of a file, for the hook after an edit. Not a command.

Opens the whole store and parses, so nothing of it may be imported before that is wanted.
"""

from pathlib import Path

from anchormem.cli.glimpse import one_line
from anchormem.workspace.edited import made_stale
from anchormem.workspace.session import close, open_workspace

SHOWN = 5
BODY = 300


def told(root: str, path: str, session: str) -> str:
    """One line for each memory made stale, "" for none."""
    ws = open_workspace(Path(root), client="hook", session=session)
    try:
        found = made_stale(ws, path)
    finally:
        close(ws)
    if not found:
        return ""
    lines = [
        f'- {one.id}, {one.kind}{" (imported)" if one.imported else ""}: "{one_line(one.body, BODY)}"'
        f" ({one.reason}{f', {one_line(one.changed, BODY)}' if one.changed else ''})"
        for one in found[:SHOWN]
    ]
    more = [f"and {len(found) - SHOWN} more: anchormem verify"] if len(found) > SHOWN else []
    what = "1 memory" if len(found) == 1 else f"{len(found)} memories"
    return "\n".join((f"This edit of {one_line(path, BODY)} made {what} stale:", *lines, *more))

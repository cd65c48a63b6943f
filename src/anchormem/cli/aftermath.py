"""What an edit did to the memories of a file, for the hook after an edit. Not a command.

Opens the whole store and parses, so nothing of it may be imported before that is wanted.
"""

import os
import threading
from pathlib import Path

from anchormem.cli.glimpse import one_line
from anchormem.workspace.edited import made_stale
from anchormem.workspace.session import HOOK, close, open_workspace

# A sweep of a server may hold the index for long. An agent does not wait for it: the process ends, as silent as one
# that has nothing to say, and SQLite undoes what was half done.
LONGEST_SECONDS = 2.0
SHOWN = 5
BODY = 300


def told(root: str, path: str, session: str) -> str:
    """One line for each memory made stale, "" for none."""
    watch = threading.Timer(LONGEST_SECONDS, os._exit, (0,))
    watch.daemon = True
    watch.start()
    try:
        return _told(root, path, session)
    finally:
        watch.cancel()


def _told(root: str, path: str, session: str) -> str:
    ws = open_workspace(Path(root), client=HOOK, session=session)
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

"""Where the search for the root begins: a flag, Claude Code's variable, the client's roots, the working directory.

Knows nothing of what a root is; opening the Workspace finds and judges it.
"""

import asyncio
import os
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import mcp_types as t
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

VARIABLE = "CLAUDE_PROJECT_DIR"
_ROOTS_SECONDS = 1.0  # some clients declare roots and never answer


class Rooting:
    """Asks the client once, and again after it said that its roots changed."""

    def __init__(self, given: Path | None) -> None:
        told = os.environ.get(VARIABLE, "")
        self._told = given if given is not None else (Path(told) if told else None)
        self._asked: Path | None = None
        self._lock = asyncio.Lock()

    async def start(self, session: ServerSession) -> Path:
        """The directory to begin at, absolute. Never raises: what is wrong with it shows when it is opened."""
        if self._told is not None:
            return Path.cwd() / self._told
        async with self._lock:
            if self._asked is None:
                self._asked = await _first_root(session) or Path.cwd()
            return self._asked

    def forget(self) -> None:
        """The client's roots changed."""
        self._asked = None


async def _first_root(session: ServerSession) -> Path | None:
    capabilities = session.client_capabilities
    if capabilities is None or capabilities.roots is None or not session.can_send_request:
        return None
    try:
        answer = await session.send_request(
            t.ListRootsRequest(), t.ListRootsResult, request_read_timeout_seconds=_ROOTS_SECONDS
        )
    except (MCPError, ValidationError, ValueError):  # refused, not answered in time, not a file
        return None
    for root in answer.roots:
        address = urlsplit(str(root.uri))
        if address.scheme == "file":
            return _path(unquote(address.path))
    return None


def _path(path: str) -> Path:
    """The path of a file URI; on Windows `/c:/x` means `c:/x`."""
    return Path(path.lstrip("/") if sys.platform == "win32" else path)

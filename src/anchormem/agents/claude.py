"""Claude Code's own command line, which knows best how to write Claude Code's files. It may be absent, fail or hang.

The one place of this room that starts a process. Knows nothing of what is registered.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from anchormem.agents.program import NAME

SECONDS = 30.0
SCOPE = ("--scope", "user")


def program() -> str:
    """The `claude` on PATH, else where its own installers put it, "" when it is nowhere."""
    places = (Path.home() / ".local/bin/claude", Path.home() / ".claude/local/claude")
    return shutil.which("claude") or next((str(one) for one in places if os.access(one, os.X_OK)), "")


def add_words(entry: Mapping[str, object]) -> tuple[str, ...]:
    return ("mcp", "add-json", NAME, json.dumps(entry, ensure_ascii=False), *SCOPE)


def remove_words() -> tuple[str, ...]:
    return ("mcp", "remove", NAME, *SCOPE)


def run(words: tuple[str, ...], seconds: float = 0.0) -> str:
    """One call. "" when it went well, else why not, on one line. `seconds`: other than the usual ones."""
    seconds = seconds or SECONDS
    command = program()
    if not command:
        return "claude was not found"
    try:
        child = subprocess.Popen(
            [command, *words],
            cwd=Path.home(),  # in a project it could ask about, or load, what belongs to that project
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return f"{command} cannot be started: {error.strerror}"
    try:
        said, _ = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        return f"{command} did not answer within {seconds:g} s"
    if child.returncode == 0:
        return ""
    last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
    return f"{command} failed ({child.returncode}){f': {last[0][:200]}' if last else ''}"


def _end(child: "subprocess.Popen[bytes]") -> None:
    """With all that it started: a wrapper script would leave the real client behind."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    with suppress(subprocess.TimeoutExpired):
        child.communicate(timeout=5)

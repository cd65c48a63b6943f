"""The real Claude Code client from npm, in a home and a project of its own. Its model is `journeys.scripted_model`."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from journeys.scripted_model import Block

CLIENT = Path(__file__).parents[2] / ".ci-npm" / "node_modules" / ".bin" / "claude"
NOWHERE = "http://127.0.0.1:9"
needs_client = pytest.mark.skipif(
    not CLIENT.exists(), reason="the client is not installed: npm install --prefix .ci-npm @anthropic-ai/claude-code"
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A user at a machine: home, project, and folders of programs before the usual ones."""

    home: Path
    project: Path
    path: tuple[Path, ...] = ()

    def claude(self, *arguments: str, address: str = NOWHERE) -> str:
        return self.run(str(CLIENT), *arguments, address=address)

    def run(self, *words: str, address: str = NOWHERE) -> str:
        """What one program prints; it has to end well."""
        environment = {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((*map(str, self.path), os.environ["PATH"])),
            "TERM": "xterm",
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": address,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            # A loaded machine must not turn a slow start into a missing tool.
            "MCP_CONNECTION_NONBLOCKING": "0",
            "MCP_CONNECT_TIMEOUT_MS": "60000",
            "MCP_TIMEOUT": "60000",
        }
        done = subprocess.run(
            words,
            cwd=self.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def prompt(self, text: str, address: str, *more: str, allowed: Sequence[str] = ()) -> str:
        """One session without a terminal."""
        rights = ("--allowedTools", ",".join(allowed)) if allowed else ()
        return self.claude(
            *more, "-p", text, "--output-format", "json", "--permission-mode", "acceptEdits", *rights, address=address
        )


def use(number: int, name: str, **arguments: object) -> list[Block]:
    """A turn of the script that calls one tool."""
    return [{"type": "tool_use", "id": f"toolu_{number:03}", "name": name, "input": arguments}]

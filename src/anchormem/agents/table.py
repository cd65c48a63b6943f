"""The coding agents we know, one row each: where its configuration is and what shape an entry of ours has there.

Knows nothing of how a file is changed.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchormem.agents import program
from anchormem.errors import UsageError

NAME = program.NAME


def entry_plain() -> dict[str, object]:
    """What most agents want to know of a server."""
    command, *arguments = (*program.words(), "serve")
    made: dict[str, object] = {"command": command, "args": arguments}
    environment = program.environment()
    return {**made, "env": environment} if environment else made


def entry_stdio() -> dict[str, object]:
    return {"type": "stdio", **entry_plain()}


def entry_opencode() -> dict[str, object]:
    made: dict[str, object] = {"type": "local", "command": [*program.words(), "serve"], "enabled": True}
    environment = program.environment()
    return {**made, "environment": environment} if environment else made


def said_words(entry: object) -> list[object]:
    """The words that an entry of any of the shapes starts."""
    if not isinstance(entry, Mapping):
        return []
    command, arguments = entry.get("command"), entry.get("args", [])
    if isinstance(command, list):
        return list(command)
    return [command, *arguments] if isinstance(arguments, list) else [command]


def is_ours(entry: object) -> bool:
    return program.is_ours(said_words(entry), "serve")


@dataclass(frozen=True, slots=True)
class Agent:
    """`file`: of its configuration, whether there or not. `under`: the keys above our name. `comments`: it is JSONC."""

    name: str
    title: str
    file: Callable[[], Path]
    under: tuple[str, ...]
    entry: Callable[[], dict[str, object]]
    comments: bool = False
    toml: bool = False
    note: str = ""

    @property
    def path(self) -> tuple[str, ...]:
        return (*self.under, NAME)


def claude_home() -> Path:
    """Where Claude Code keeps settings and skills."""
    named = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(named).expanduser() if named else Path.home() / ".claude"


def _claude_state() -> Path:
    named = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return (Path(named).expanduser() if named else Path.home()) / ".claude.json"


def _user(linux: str, mac: str, windows: str) -> Callable[[], Path]:
    """A file below the place where the platform keeps users' configuration."""

    def place() -> Path:
        if sys.platform == "darwin":
            return Path.home() / "Library/Application Support" / mac
        if os.name == "nt":
            return Path(os.environ.get("APPDATA") or Path.home() / "AppData/Roaming") / windows
        return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / linux

    return place


def _at_home(path: str) -> Callable[[], Path]:
    return lambda: Path.home() / path


def _codex() -> Path:
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"


def _opencode() -> Path:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "opencode"
    commented = folder / "opencode.jsonc"
    return commented if commented.exists() else folder / "opencode.json"


def _zed() -> Path:
    if os.name == "nt":
        return _user("", "", "Zed/settings.json")()
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "zed/settings.json"


CLAUDE = Agent("claude", "Claude Code", _claude_state, ("mcpServers",), entry_stdio)
AGENTS: tuple[Agent, ...] = (
    CLAUDE,
    Agent("cursor", "Cursor", _at_home(".cursor/mcp.json"), ("mcpServers",), entry_stdio, comments=True),
    Agent("codex", "Codex CLI", _codex, ("mcp_servers",), entry_plain, toml=True),
    Agent(
        "vscode",
        "VS Code",
        _user("Code/User/mcp.json", "Code/User/mcp.json", "Code/User/mcp.json"),
        ("servers",),
        entry_stdio,
        comments=True,
        note="for one project only: the same entry in .vscode/mcp.json",
    ),
    Agent("gemini", "Gemini CLI", _at_home(".gemini/settings.json"), ("mcpServers",), entry_plain, comments=True),
    Agent("opencode", "OpenCode", _opencode, ("mcp",), entry_opencode, comments=True),
    Agent("windsurf", "Windsurf", _at_home(".codeium/windsurf/mcp_config.json"), ("mcpServers",), entry_plain),
    Agent("zed", "Zed", _zed, ("context_servers",), entry_plain, comments=True),
    Agent(
        "claude-desktop",
        "Claude Desktop",
        _user(*["Claude/claude_desktop_config.json"] * 3),
        ("mcpServers",),
        entry_plain,
        note="it starts the server outside of any project: tell it --root DIR in args, or it has none",
    ),
)


def agent(name: str) -> Agent:
    for one in AGENTS:
        if one.name == name:
            return one
    raise UsageError(f"no such client: {name}", f"known: {', '.join(one.name for one in AGENTS)}")


def value_at(found: Mapping[str, object], path: Sequence[str]) -> object:
    """The value at a path of keys, None where there is none."""
    at: object = found
    for key in path:
        at = at.get(key) if isinstance(at, Mapping) else None
    return at

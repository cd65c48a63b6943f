"""The skill and the plugin are true: every tool, operation, argument, command and option they name exists."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from anchormem import __version__
from anchormem.agents.program import NAME
from anchormem.cli import COMMANDS, main
from anchormem.cli.statusline import OFF
from anchormem.tools import TOOLS
from anchormem.workspace.admin import OPS

ROOT = Path(__file__).parents[2]
SKILL = (ROOT / "skills" / "anchormem" / "SKILL.md").read_text("utf-8")
FRONT, BODY = SKILL.split("---\n", 2)[1:]
SUBCOMMANDS = ("status", "review", "scan", "export", "stats", "statusline on", "statusline off", "info")
# Keys of replies that the skill speaks of.
KEYS = {"ways", "command"}
CLIENT = ROOT / ".ci-npm" / "node_modules" / ".bin" / "claude"


def plugin(name: str) -> dict[str, object]:
    found = json.loads((ROOT / ".claude-plugin" / name).read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def front(key: str) -> str:
    found = re.search(rf"^{key}: (.*)$", FRONT, re.MULTILINE)
    assert found, key
    return found[1]


def test_it_is_short_and_has_a_proper_front_matter() -> None:
    assert len(SKILL.encode()) <= 8 * 1024
    assert SKILL.startswith("---\n")
    assert front("name") == "anchormem" == (ROOT / "skills" / "anchormem").name
    assert len(front("description")) <= 1_536
    keys = re.findall(r"^([\w-]+):", FRONT, re.MULTILINE)
    assert set(keys) <= {"name", "description", "argument-hint", "allowed-tools"}


def test_every_sub_command_has_its_part() -> None:
    titles = re.findall(r"^## (.*)$", BODY, re.MULTILINE)
    offered = [word.strip() for word in front("argument-hint").strip('"[]').split("|")]
    parts = {part.strip() for title in titles for part in title.split(",")}
    assert set(offered) <= parts
    assert {word.split()[0] for word in SUBCOMMANDS} <= {word.split()[0] for word in offered}


def test_only_reading_tools_are_allowed_beforehand() -> None:
    reading = {tool.name for tool in TOOLS if tool.read_only}
    for word in front("allowed-tools").split(", "):
        server, _, tool = word.removeprefix("mcp__").rpartition("__")
        assert server in {"anchormem", "plugin_anchormem_anchormem"}
        assert tool in reading


def test_every_name_in_it_exists() -> None:
    tools = {tool.name for tool in TOOLS}
    arguments = {param.name for tool in TOOLS for param in tool.params}
    fields = {field.name for tool in TOOLS for param in tool.params for field in param.fields}
    operations = {op.name for op in OPS}
    known = tools | arguments | fields | operations | KEYS | set(SUBCOMMANDS) | {NAME, "scan light"}
    named = re.findall(r"`([a-z_]+(?: [a-z]+)?)`", re.sub(r"`anchormem [^`]*`", "", BODY))
    assert set(named) <= known, set(named) - known
    assert tools <= set(named)


def test_every_operation_is_named_as_one() -> None:
    operations = {op.name for op in OPS}
    named = re.findall(r"\bop `(\w+)`", BODY)
    assert len(named) >= 8
    assert set(named) <= operations


@pytest.mark.parametrize("call", sorted(set(re.findall(r"`anchormem ([a-z][^`]*)`", BODY))))
def test_every_command_in_it_exists_with_its_options(call: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *options = call.split()
    assert command in COMMANDS
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out
    assert all(option in shown for option in options)


def test_the_file_that_silences_the_status_line_is_the_one_it_names() -> None:
    assert BODY.count(OFF) == 2


@pytest.mark.parametrize("line", re.findall(r"`((?:touch|rm -f) [^`]*)`", BODY))
def test_its_shell_lines_run(line: str, private_home: Path) -> None:
    (private_home / ".claude").mkdir()
    assert subprocess.run(["sh", "-c", line], check=False).returncode == 0
    assert (private_home / ".claude" / OFF).exists() == line.startswith("touch")


def test_the_plugin_is_of_this_version_and_starts_what_exists() -> None:
    manifest = plugin("plugin.json")
    assert (manifest["name"], manifest["version"]) == ("anchormem", __version__)
    servers = plugin("mcp.json")["mcpServers"]
    assert servers == {NAME: {"command": "anchormem", "args": ["serve"]}}
    for key in ("mcpServers", "hooks"):
        assert (ROOT / str(manifest[key])).is_file()
    commands = re.findall(r'"command": "anchormem (\w+)"', (ROOT / ".claude-plugin/hooks.json").read_text("utf-8"))
    assert commands == ["hook"]


@pytest.mark.skipif(not CLIENT.exists(), reason="the client is not installed: see .ci/run")
@pytest.mark.parametrize("what", [".", ".claude-plugin/plugin.json"])
def test_the_client_itself_accepts_marketplace_and_plugin(what: str) -> None:
    done = subprocess.run(
        [CLIENT, "plugin", "validate", "--strict", what], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_sub_command_that_the_readme_shows_exists() -> None:
    shown = re.findall(r"`/anchormem (\w+)", (ROOT / "README.md").read_text("utf-8"))
    assert shown
    assert set(shown) <= {word.split()[0] for word in SUBCOMMANDS}

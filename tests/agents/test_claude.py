"""Claude Code's own command line: used where it is, done without where it is absent, fails, hangs or lies."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.agents import claude
from anchormem.agents.table import CLAUDE
from anchormem.cli import main

Command = Callable[[str, str], Path]

# As much of `claude mcp` as the installer may rely on.
WORKING = """
echo "$PWD|$*" >> "$HOME/calls"
case "$2" in
add-json) printf '{"mcpServers": {"anchormem": %s}, "by": "claude"}' "$4" > "$HOME/.claude.json" ;;
remove) printf '{"by": "claude"}' > "$HOME/.claude.json" ;;
esac
"""


def entry(home: Path) -> object:
    found = json.loads((home / ".claude.json").read_text("utf-8"))
    return found.get("mcpServers", {}).get("anchormem")


def test_it_registers_and_takes_out_again(home: Path, command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    command("claude", WORKING)
    assert main(["install"]) == 0
    assert "by its own command line" in capsys.readouterr().out
    assert entry(home) == CLAUDE.entry()
    assert json.loads((home / ".claude.json").read_text("utf-8"))["by"] == "claude"
    assert main(["install"]) == 0
    assert main(["uninstall"]) == 0
    assert entry(home) is None
    calls = (home / "calls").read_text("utf-8").splitlines()
    assert [line.split("|")[1].split()[1] for line in calls] == ["add-json", "remove"]
    assert {line.split("|")[0] for line in calls} == {str(home)}, "never in a project, which it might ask about"


def test_an_entry_of_ours_that_is_out_of_date_is_replaced(home: Path, command: Command) -> None:
    command("claude", WORKING)
    old = {"mcpServers": {"anchormem": {"command": "/gone/anchormem", "args": ["serve"]}}}
    (home / ".claude.json").write_text(json.dumps(old), "utf-8")
    assert main(["install"]) == 0
    assert entry(home) == CLAUDE.entry()
    calls = (home / "calls").read_text("utf-8")
    assert calls.index("mcp remove") < calls.index("mcp add-json")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'no such command' >&2; exit 3", "failed (3): no such command"),
        ("exit 0", "reported success and wrote something else"),
        ("kill -9 $$", "failed (-9)"),
    ],
)
def test_when_it_cannot_the_file_is_edited(
    script: str, why: str, home: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    command("claude", script)
    assert main(["install"]) == 0
    said = capsys.readouterr().out
    assert why in said
    assert entry(home) == CLAUDE.entry()
    assert main(["uninstall"]) == 0
    assert not (home / ".claude.json").exists()


def test_one_that_hangs_is_not_waited_for(
    home: Path, command: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude, "SECONDS", 0.3)
    command("claude", "sleep 60 & sleep 60")
    assert main(["install"]) == 0
    assert "did not answer within 0.3 s" in capsys.readouterr().out
    assert entry(home) == CLAUDE.entry()


def test_one_that_hangs_leaves_no_process_behind(home: Path, command: Command) -> None:
    command("claude", 'echo $$ > "$HOME/pid"; sleep 60')
    assert "did not answer" in claude.run(("mcp", "list"), 0.3)
    pid = int((home / "pid").read_text("utf-8"))
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")


def test_one_that_is_not_on_the_path_is_found_where_its_installer_puts_it(home: Path, command: Command) -> None:
    assert claude.program() == ""
    (home / ".local" / "bin").mkdir(parents=True)
    command("claude", WORKING).rename(home / ".local" / "bin" / "claude")
    assert claude.program() == str(home / ".local" / "bin" / "claude")


def test_a_dry_run_tells_the_call_and_does_not_make_it(
    home: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    command("claude", WORKING)
    assert main(["install", "--dry-run"]) == 0
    assert "mcp add-json anchormem {" in capsys.readouterr().out
    assert not (home / "calls").exists()

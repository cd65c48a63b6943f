"""The doctor on what is registered: each check can be well and can fail."""

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anchormem.agents import checkup, running, skill, table
from anchormem.agents.install import Wish, install, settings_file
from anchormem.workspace.finding import Finding


def verdicts() -> dict[str, Finding]:
    return {finding.name: finding for finding in checkup.checks()}


def put(path: Path, found: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found), "utf-8")


def line(command: str) -> Finding:
    put(settings_file(), {"statusLine": {"type": "command", "command": command}})
    return verdicts()["status line"]


def test_without_any_agent_nothing_is_wrong() -> None:
    assert {finding.verdict for finding in verdicts().values()} <= {"info", "ok"}


def test_claude_without_us_is_a_warning_with_the_command_that_mends_it(home: Path) -> None:
    (home / ".claude").mkdir()
    for name in ("registration", "skill"):
        assert (verdicts()[name].verdict, verdicts()[name].fix) == ("warn", "anchormem install")


def test_all_is_well_after_an_installation() -> None:
    list(install(Wish(table.CLAUDE, hooks="edits", status_line=True)))
    list(install(Wish(table.agent("cursor"))))
    assert {finding.name for finding in verdicts().values() if finding.verdict != "ok"} <= {"servers"}


def test_a_target_that_is_gone_is_a_failure_and_another_program_a_warning(home: Path) -> None:
    state = home / ".claude.json"
    put(state, {"mcpServers": {"anchormem": {"command": "/gone/anchormem", "args": ["serve"]}}})
    assert verdicts()["registration"].verdict == "fail"
    other = home / "anchormem"
    other.write_text("#!/bin/sh\n", "utf-8")
    other.chmod(0o755)
    put(state, {"mcpServers": {"anchormem": {"command": str(other), "args": ["serve"]}}})
    assert "another anchormem" in verdicts()["registration"].message
    put(state, {"mcpServers": {"anchormem": {"command": "docker", "args": ["serve"]}}})
    assert "not ours" in verdicts()["registration"].message
    state.write_text('{"anchormem', "utf-8")
    assert verdicts()["registration"].verdict == "fail"


def test_a_link_to_this_program_is_this_program(home: Path) -> None:
    (home / "anchormem").symlink_to(Path(sys.executable).with_name("anchormem"))
    put(home / ".claude.json", {"mcpServers": {"anchormem": {"command": str(home / "anchormem"), "args": ["serve"]}}})
    assert verdicts()["registration"].verdict == "ok"


def test_another_client_is_looked_at_only_where_it_knows_us() -> None:
    assert verdicts()["other clients"].verdict == "info"
    put(
        table.agent("windsurf").file(), {"mcpServers": {"anchormem": {"command": "/gone/anchormem", "args": ["serve"]}}}
    )
    found = verdicts()["Windsurf"]
    assert (found.verdict, found.fix) == ("fail", "anchormem install --client windsurf")
    assert "other clients" not in verdicts()


@pytest.mark.parametrize("broken", [one for one in table.AGENTS if one is not table.CLAUDE], ids=lambda one: one.name)
@pytest.mark.parametrize("text", [b"{anchormem", b"anchormem \xff\xfe"], ids=["malformed", "no text"])
def test_a_broken_file_is_told_in_the_row_of_its_own_client_with_its_path(broken: table.Agent, text: bytes) -> None:
    list(install(Wish(table.CLAUDE)))
    well = next(one for one in table.AGENTS if one not in (table.CLAUDE, broken))
    list(install(Wish(well)))
    broken.file().parent.mkdir(parents=True, exist_ok=True)
    broken.file().write_bytes(text)
    found = verdicts()
    assert found[broken.title].verdict == "fail"
    assert found[broken.title].message.startswith(f"{broken.title}: {broken.file()} is not")
    for other, agent in (("registration", table.CLAUDE), (well.title, well)):
        assert found[other].verdict == "ok", found[other]
        assert str(agent.file()) in found[other].message
    assert {one.name for one in checkup.concerned(found.values(), table.CLAUDE)}.isdisjoint({broken.title, well.title})
    assert {one.name for one in checkup.concerned(found.values(), well)}.isdisjoint({broken.title, "registration"})


def test_broken_settings_are_told_where_they_are_read_and_fail_no_registration(home: Path) -> None:
    list(install(Wish(table.CLAUDE)))
    settings_file().write_text('{"hooks": anchormem', "utf-8")
    found = verdicts()
    assert [found[name].verdict for name in ("registration", "skill")] == ["ok", "ok"]
    for name in ("hooks", "status line"):
        assert (found[name].verdict, str(home) in found[name].message) == ("fail", True)


def test_the_plugin_is_enough_and_both_are_too_much(home: Path) -> None:
    put(settings_file(), {"enabledPlugins": {"other@x": True, "anchormem@somewhere": True}})
    assert [verdicts()[name].verdict for name in ("registration", "skill")] == ["ok", "ok"]
    put(home / ".claude.json", {"mcpServers": {"anchormem": table.CLAUDE.entry()}})
    assert verdicts()["registration"].verdict == "warn"
    put(settings_file(), {"enabledPlugins": {"anchormem@somewhere": False}})
    assert verdicts()["registration"].verdict == "ok"


def test_a_skill_of_another_version_or_edited_is_told(home: Path) -> None:
    (home / ".claude").mkdir()
    skill.installed()
    skill.place().write_text(skill.marked("older\n"), "utf-8")
    assert verdicts()["skill"].verdict == "warn"
    skill.place().write_text("mine\n", "utf-8")
    assert "edited" in verdicts()["skill"].message


def test_status_lines_are_told_apart(home: Path) -> None:
    script = home / "line.sh"
    script.write_text("#!/bin/sh\ncat >/dev/null\n/opt/anchormem statusline --root .\n", "utf-8")
    sql = home / "sql.sh"
    sql.write_text("sqlite3 ~/.local/share/anchormem/x/memory.db 'select count(*) from memories'\n", "utf-8")
    assert line(f"sh {shlex.quote(str(script))}").verdict == "ok"
    assert line("cat | anchormem statusline").verdict == "ok"
    assert line(f'sh "{sql}"').verdict == "warn"
    mine = line("echo hello")
    assert mine.verdict == "info"
    assert "statusline --root" in mine.fix
    assert line("/gone/anchormem statusline").verdict == "fail"


def test_a_hook_whose_program_is_gone_is_a_failure() -> None:
    hook = {"type": "command", "command": "/gone/anchormem hook"}
    put(settings_file(), {"hooks": {"SessionStart": [{"hooks": [hook]}]}})
    assert verdicts()["hooks"].verdict == "fail"


def test_a_server_that_was_started_before_the_program_was_installed_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "anchormem", "serve"], cwd=repository,
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        found = running.servers()
        if found is None:
            pytest.skip("no ps here")
        assert server.pid in {one.pid for one in found}
        monkeypatch.setattr(running, "installed_at", lambda: time.time() + 60)
        assert str(server.pid) in verdicts()["servers"].message
        assert verdicts()["servers"].verdict == "warn"
        assert server.stdin
        server.stdin.close()
    assert server.returncode is not None


@pytest.mark.parametrize(
    ("line", "pid"),
    [
        ("  7    02:05 /a b/bin/python /a b/bin/anchormem serve --root /x", 7),
        ("8 1-02:03:04 python3 -m anchormem serve", 8),
        ("9 00:01 C:\\x\\anchormem.exe serve", 9),
        ("10 00:01 grep my-anchormem serve", 0),
        ("11 00:01 vim anchormem serve.py", 0),
        ("12 00:01 anchormem hook", 0),
        ("nonsense", 0),
    ],
)
def test_servers_are_told_from_other_processes(line: str, pid: int) -> None:
    found = running._server(line)
    assert (found.pid if found else 0) == pid
    assert not found or pid != 8 or found.age == 93_784


def test_when_the_program_was_installed_is_known() -> None:
    assert 0 < running.installed_at() <= time.time()


@pytest.mark.skipif(os.name == "nt", reason="ps is a POSIX tool")
def test_a_system_without_ps_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert verdicts()["servers"].verdict == "info"

"""Installing and leaving: what is written into agents' configuration, and that the rest of it keeps its bytes."""

import json
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.agents import checkup, files, jsontext, skill, table
from anchormem.agents.program import words
from anchormem.cli import main

Told = Callable[..., str]

SETTINGS = """{
    "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
    "hooks": {
        "SessionStart": [
            {"hooks": [{"type": "command", "command": "echo  'anchormem hook'"}]}
        ],
        "Stop": [{"matcher": "", "hooks": [ {"type": "command", "command": "true"} ]}]
    },
    "theme":   "dark"
}
"""
STATE = '{"numStartups": 7,\n "mcpServers": {"other": {"command": "x", "args": []}},\n  "oauth": {"token": "é\\u00e9"}}'


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Runs a command and gives what it printed; `code`: how it must end."""

    def run(*arguments: str, code: int = 0) -> str:
        assert main(list(arguments)) == code, capsys.readouterr()
        return capsys.readouterr().out

    return run


def everything(home: Path) -> dict[str, str]:
    found = (path for path in home.rglob("*") if path.is_file() and "tools" not in path.parts)
    return {path.relative_to(home).as_posix(): path.read_text("utf-8") for path in found if "share" not in path.parts}


def settings(home: Path) -> Path:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    return path


def test_everything_is_written_found_again_and_taken_out(home: Path, told: Told) -> None:
    first = told("install", "--hooks=edits", "--statusline")
    assert "registered with Claude Code" in first
    verdicts = {finding.name: finding.verdict for finding in checkup.checks()}
    assert {verdicts[name] for name in ("registration", "skill", "hooks", "status line")} == {"ok"}
    entry = json.loads((home / ".claude.json").read_text("utf-8"))["mcpServers"]["anchormem"]
    assert entry == {"type": "stdio", "command": words()[0], "args": [*words()[1:], "serve"]}
    assert Path(entry["command"]).is_absolute()
    found = json.loads(settings(home).read_text("utf-8"))
    assert list(found["hooks"]) == ["SessionStart", "PreToolUse", "PostToolUse"]
    assert found["hooks"]["PreToolUse"][0]["matcher"] == "Edit|Write|MultiEdit"
    assert shlex.split(found["statusLine"]["command"]) == [*words(), "statusline"]
    written = everything(home)
    again = told("install", "--hooks=edits", "--statusline")
    assert "done" not in again
    assert everything(home) == written
    told("uninstall")
    assert everything(home) == {}
    assert "nothing of anchormem is left" in told("uninstall")


def test_leaving_one_agent_says_nothing_of_the_others(home: Path, told: Told) -> None:
    told("install", "--client", "cursor")
    assert told("uninstall", "--client", "zed") == "nothing of anchormem is left in the configuration of Zed\n"
    assert ".cursor/mcp.json" in everything(home)
    told("uninstall")
    assert everything(home) == {}


def test_hooks_and_status_line_asked_for_where_there_are_none_are_not_passed_over(home: Path, told: Told) -> None:
    said = told("install", "--client", "cursor", "--hooks", "--statusline")
    assert "Cursor has no hooks and no status line of ours" in said
    assert not settings(home).exists()
    assert "hooks" not in told("install", "--client", "cursor")


def test_who_wants_another_client_is_not_warned_that_claude_code_lacks_us(home: Path, told: Told) -> None:
    settings(home).write_text("{}", "utf-8")
    assert told("install", "--client", "cursor").splitlines() == [
        f"done  registered with Cursor in {home / '.cursor' / 'mcp.json'}"
    ]


def test_what_was_there_keeps_every_byte(home: Path, told: Told) -> None:
    settings(home).write_text(SETTINGS, "utf-8")
    (home / ".claude.json").write_text(STATE, "utf-8")
    before = everything(home)
    told("install", "--hooks", "--statusline")
    text = settings(home).read_text("utf-8")
    for line in SETTINGS.splitlines()[1:-2]:
        if line.strip(" {}[],"):
            assert line in text
    assert list(json.loads(text)) == ["permissions", "hooks", "theme", "statusLine"]
    told("uninstall")
    assert everything(home) == before


def test_a_dry_run_prints_the_exact_difference_and_writes_nothing(home: Path, told: Told) -> None:
    settings(home).write_text(SETTINGS, "utf-8")
    before = everything(home)
    said = told("install", "--hooks", "--statusline", "--dry-run")
    assert everything(home) == before
    assert not files.copies().exists()
    assert '+      "command": ' in said.replace("\t", " ")
    assert '\n      +    "theme":   "dark",' in said
    told("install", "--hooks", "--statusline")
    after = everything(home)
    said = told("uninstall", "--dry-run")
    assert everything(home) == after
    assert "SKILL.md would be removed" in said


# ── what a user has already ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_status_line_of_the_users_own_is_kept_with_the_line_that_adds_ours(home: Path, told: Told) -> None:
    own = '{"statusLine": {"type": "command", "command": "~/bin/line.sh"}}'
    settings(home).write_text(own, "utf-8")
    said = told("install", "--statusline")
    assert "kept  your own status line" in said
    assert "statusline --root" in said
    assert settings(home).read_text("utf-8") == own
    told("uninstall")
    assert settings(home).read_text("utf-8") == own


def test_an_edited_skill_is_kept_beside(told: Told) -> None:
    told("install")
    skill.place().write_text("mine\n", "utf-8")
    said = told("install")
    assert "your edited one is kept as" in said
    assert skill.state() == "ours"
    assert skill.place().with_name("SKILL.edited-1.md").read_text("utf-8") == "mine\n"
    told("uninstall")
    assert [path.name for path in skill.place().parent.iterdir()] == ["SKILL.edited-1.md"]


def test_an_untouched_skill_of_an_older_version_is_replaced(told: Told) -> None:
    told("install")
    skill.place().write_text(skill.marked("an older text\n"), "utf-8")
    assert skill.state() == "older"
    assert "kept" not in told("install")
    assert skill.state() == "ours"


def test_a_linked_skill_is_left_to_who_linked_it(home: Path, told: Told) -> None:
    (home / "mine").mkdir()
    (home / "mine" / "SKILL.md").write_text("mine\n", "utf-8")
    skill.place().parent.parent.mkdir(parents=True)
    skill.place().parent.symlink_to(home / "mine")
    told("install")
    told("uninstall")
    assert (home / "mine" / "SKILL.md").read_text("utf-8") == "mine\n"
    assert skill.place().exists()


def test_a_server_of_our_name_that_is_not_ours_is_kept(home: Path, told: Told) -> None:
    own = '{"mcpServers": {"anchormem": {"command": "docker", "args": ["run", "mine"]}}}'
    (home / ".claude.json").write_text(own, "utf-8")
    assert "is not ours" in told("install")
    told("uninstall")
    assert (home / ".claude.json").read_text("utf-8") == own


def test_hooks_that_only_speak_of_us_are_not_ours(home: Path, told: Told) -> None:
    others = ["echo anchormem hook", "sh -c 'anchormem hook'", "my-anchormem hook", "anchormem hooks", "'", 5, None]
    text = json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": one} for one in others]}]}})
    settings(home).write_text(text, "utf-8")
    told("install", "--hooks")
    told("uninstall")
    assert settings(home).read_text("utf-8") == text


def test_entries_are_found_after_the_program_moved(home: Path, told: Told) -> None:
    """By their marker, the words they start, however the path is written; and `install` brings them up to date."""
    old = ["/gone/bin/anchormem", '"/gone by/anchormem"', "C:/gone/anchormem.exe", "'/x y/python3' -m anchormem"]
    handlers = [{"type": "command", "command": f"{one} hook", "timeout": 9} for one in old]
    own = {"type": "command", "command": "true"}
    handlers.append({"type": "command", "command": "C:\\gone\\anchormem.exe", "args": ["hook"]})
    hooks = {"SessionStart": [{"hooks": [handlers[0], own]}, {"matcher": "x", "hooks": handlers[1:]}]}
    found = {"hooks": hooks, "statusLine": {"command": "/gone/anchormem statusline"}}
    settings(home).write_text(json.dumps(found, indent=2), "utf-8")
    entry = {"type": "stdio", "command": "/gone/anchormem", "args": ["serve"]}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"anchormem": entry}}), "utf-8")
    before = everything(home)
    told("install")
    now = json.loads(settings(home).read_text("utf-8"))
    assert shlex.split(now["hooks"]["SessionStart"][0]["hooks"][0]["command"]) == [*words(), "hook"]
    assert now["hooks"]["SessionStart"][0]["hooks"][0]["timeout"] == 9
    assert "gone" not in json.dumps(now)
    for name, text in before.items():
        (home / name).write_text(text, "utf-8")
    told("uninstall")
    assert json.loads(settings(home).read_text("utf-8")) == {"hooks": {"SessionStart": [{"hooks": [own]}]}}
    assert not (home / ".claude.json").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": [1]}', '{"hooks": {"SessionStart": {}}}', "\0", '{"a": 1,}'])
def test_malformed_settings_are_left_alone_with_a_message(text: str, home: Path, told: Told) -> None:
    settings(home).write_text(text, "utf-8")
    said = told("install", "--hooks", "--statusline", code=1)
    assert f"fail  {settings(home)} " in said
    assert "it was left alone" in said
    assert settings(home).read_text("utf-8") == text
    assert "registered with Claude Code" in said, "the other steps are done"


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"mcpServers": []}', '{"mcpServers": {"anchormem": 5}}', '{"mcpServers": 1}']
)
def test_a_malformed_state_is_left_alone(text: str, home: Path) -> None:
    (home / ".claude.json").write_text(text, "utf-8")
    main(["install"])
    assert (home / ".claude.json").read_text("utf-8") == text
    main(["uninstall"])
    assert (home / ".claude.json").read_text("utf-8") == text


def test_malformed_files_that_never_name_us_are_nobodys_business(home: Path, told: Told) -> None:
    settings(home).write_text("{", "utf-8")
    table.agent("gemini").file().parent.mkdir()
    table.agent("gemini").file().write_text("{", "utf-8")
    told("install")
    told("uninstall")
    assert [(one.name, one.verdict) for one in checkup.other_clients()] == [("other clients", "info")]
    assert everything(home) == {".claude/settings.json": "{", ".gemini/settings.json": "{"}


def test_another_folder_of_claude_is_respected(home: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "else where"))
    told("install", "--hooks")
    names = {"else where/.claude.json", "else where/settings.json", "else where/skills/anchormem/SKILL.md"}
    assert set(everything(home)) == names
    (home / "else where" / ".anchormem-statusline-off").touch()
    told("uninstall")
    assert everything(home) == {}


def test_a_data_directory_of_the_users_own_reaches_server_hooks_and_status_line(
    home: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", "~/my memory")
    told("install", "--hooks", "--statusline")
    entry = json.loads((home / ".claude.json").read_text("utf-8"))["mcpServers"]["anchormem"]
    assert entry["env"] == {"ANCHORMEM_DATA_DIR": str(home / "my memory")}
    line = json.loads(settings(home).read_text("utf-8"))["statusLine"]["command"]
    monkeypatch.delenv("ANCHORMEM_DATA_DIR")
    assert subprocess.run(["/bin/sh", "-c", line], input=b"{}", check=True).returncode == 0
    assert shlex.split(line)[0] == f"ANCHORMEM_DATA_DIR={home / 'my memory'}"
    assert {finding.name for finding in checkup.checks() if finding.verdict == "fail"} == set()
    told("uninstall")
    assert everything(home) == {}


# ── the other agents ────────────────────────────────────────────────────────────────────────────────────────────────

OTHERS = [agent for agent in table.AGENTS if agent is not table.CLAUDE]
EXAMPLES = {
    "toml": 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"  # theirs\n',
    "jsonc": '{\n  // theirs\n  "x": [1,2],\n  "%s": {\n    "other": {"command": "y"},\n  },\n}\n',
    "json": '{"x": [1,2],\n  "%s": {"other": {"command": "y"}}}\n',
}


def example(agent: table.Agent) -> str:
    kind = "toml" if agent.toml else "jsonc" if agent.comments else "json"
    return EXAMPLES[kind].replace("%s", agent.under[0])


@pytest.mark.parametrize("agent", OTHERS, ids=lambda agent: agent.name)
@pytest.mark.parametrize("found", ["a file", "no file"])
def test_each_client_gets_its_own_form_and_loses_it_again(
    agent: table.Agent, found: str, home: Path, told: Told
) -> None:
    file = agent.file()
    assert file.is_relative_to(home)
    if found == "a file":
        file.parent.mkdir(parents=True)
        file.write_text(example(agent), "utf-8")
    before = everything(home)
    told("install", "--client", agent.name)
    text = file.read_text("utf-8")
    meant = tomllib.loads(text) if agent.toml else jsontext.parsed(text, comments=agent.comments)
    assert table.value_at(meant, agent.path) == agent.entry()
    assert [str(word) for word in table.said_words(agent.entry())] == [*words(), "serve"]
    assert [(one.name, one.verdict) for one in checkup.other_clients()] == [(agent.title, "ok")]
    assert "knows the server already" in told("install", "--client", agent.name)
    told("uninstall")
    assert everything(home) == before
    assert not (home / ".claude").exists()


@pytest.mark.parametrize("agent", OTHERS, ids=lambda agent: agent.name)
def test_a_malformed_configuration_of_a_client_is_left_alone(agent: table.Agent, told: Told) -> None:
    agent.file().parent.mkdir(parents=True)
    agent.file().write_text("{[ broken", "utf-8")
    said = told("install", "--client", agent.name, code=1)
    assert "it was left alone" in said
    assert agent.file().read_text("utf-8") == "{[ broken"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { other = { command = "y" } }\n',
        'x = """\n[mcp_servers.anchormem]\n"""\n[mcp_servers.anchormem]\ncommand = "anchormem"\nargs = ["serve"]\n',
    ],
)
def test_toml_that_cannot_be_edited_safely_is_left_alone(text: str, told: Told) -> None:
    file = table.agent("codex").file()
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    said = told("install", "--client", "codex", code=1)
    assert "by hand" in said or "not valid" in said
    assert file.read_text("utf-8") == text


def test_the_longer_of_two_opencode_files_is_used_when_it_is_there(home: Path, told: Told) -> None:
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.jsonc").write_text("{} // theirs\n", "utf-8")
    told("install", "--client", "opencode")
    assert "anchormem" in (folder / "opencode.jsonc").read_text("utf-8")
    assert not (folder / "opencode.json").exists()


# ── leaving ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_memories_stay_unless_they_are_purged(
    home: Path, repository: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    data = home / ".local" / "share" / "anchormem"
    (data / "env" / "bin").mkdir(parents=True)  # where install.sh puts the program itself
    told("remember", "a rule of some length", "--kind", "fact")
    told("install")
    assert "anchormem uninstall --purge deletes them" in told("uninstall")
    assert "a rule" in told("recall", "rule")
    assert "would be deleted" in told("uninstall", "--purge", "--dry-run")
    assert "a rule" in told("recall", "rule")
    told("uninstall", "--purge")
    assert [path.name for path in data.iterdir()] == ["env"]
    assert "nothing of anchormem is left" in told("uninstall", "--purge")


def test_one_client_is_left_and_the_others_stay(home: Path, told: Told) -> None:
    told("install", "--client", "cursor")
    told("install", "--client", "zed")
    told("uninstall", "--client", "cursor")
    assert list(everything(home)) == [".config/zed/settings.json"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["install", "--client", "emacs"], "invalid choice: 'emacs'"),
        (["install", "--hook"], "unknown option '--hook', did you mean --hooks?"),
        (["install", "--hooks=all"], "invalid choice: 'all'"),
        (["uninstall", "--purg"], "did you mean --purge?"),
    ],
)
def test_a_wrong_call_writes_nothing(
    arguments: list[str], what: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert what in capsys.readouterr().err
    assert everything(home) == {}


def test_the_commands_written_are_ones_a_shell_runs(home: Path, told: Told, tmp_path: Path) -> None:
    told("install", "--hooks", "--statusline")
    found = json.loads(settings(home).read_text("utf-8"))
    for line in (found["statusLine"]["command"], found["hooks"]["SessionStart"][0]["hooks"][0]["command"]):
        done = subprocess.run(
            ["/bin/sh", "-c", line], cwd=tmp_path, env={"PATH": "", "HOME": str(home)}, input="{}",
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sys.executable

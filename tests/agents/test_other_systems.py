"""macOS and Windows, as far as they can be asked for here: where things go, and how commands are spelled there."""

import os
import shlex
import sys
from pathlib import Path, PureWindowsPath
from types import ModuleType, SimpleNamespace

import pytest

from anchormem.agents import install, program, settings, table

WINDOWS = {
    "claude": "home/.claude.json",
    "cursor": "home/.cursor/mcp.json",
    "codex": "home/.codex/config.toml",
    "vscode": "roaming/Code/User/mcp.json",
    "gemini": "home/.gemini/settings.json",
    "opencode": "home/.config/opencode/opencode.json",
    "windsurf": "home/.codeium/windsurf/mcp_config.json",
    "zed": "roaming/Zed/settings.json",
    "claude-desktop": "roaming/Claude/claude_desktop_config.json",
}
MAC = WINDOWS | {
    "vscode": "home/Library/Application Support/Code/User/mcp.json",
    "zed": "home/.config/zed/settings.json",
    "claude-desktop": "home/Library/Application Support/Claude/claude_desktop_config.json",
}
LINUX = WINDOWS | {
    "vscode": "home/.config/Code/User/mcp.json",
    "zed": "home/.config/zed/settings.json",
    "claude-desktop": "home/.config/Claude/claude_desktop_config.json",
}


def pretend(monkeypatch: pytest.MonkeyPatch, system: str, *modules: ModuleType) -> None:
    """In these modules alone, the system is `linux`, `darwin` or `win32`; paths stay those of this machine."""
    for module in modules:
        changed = {"os": {"name": "nt" if system == "win32" else "posix"}, "sys": {"platform": system}}
        for name, values in changed.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, SimpleNamespace(**{**vars(getattr(module, name)), **values}))


@pytest.fixture
def windows(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program, installed below a folder with a blank. What it is called is spelled as there."""
    command = home / "Program Files" / "anchormem.exe"
    command.parent.mkdir()
    command.touch()
    monkeypatch.setattr(sys, "executable", str(command.with_name("python.exe")))
    pretend(monkeypatch, "win32", program, settings, table)
    monkeypatch.setattr(program, "words", lambda: (r"C:\Program Files\anchormem.exe",))
    return command


@pytest.mark.parametrize(("system", "places"), [("linux", LINUX), ("darwin", MAC), ("win32", WINDOWS)])
@pytest.mark.parametrize("name", [agent.name for agent in table.AGENTS])
def test_the_configuration_of_each_client_is_where_it_is_on_that_system(
    name: str, system: str, places: dict[str, str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPDATA", str(home / "roaming"))
    pretend(monkeypatch, system, table)
    folder, _, rest = places[name].partition("/")
    assert table.agent(name).file() == (home if folder == "home" else home / folder) / rest


def test_without_the_variable_of_windows_its_usual_place_counts(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APPDATA", raising=False)
    pretend(monkeypatch, "win32", table)
    assert table.agent("vscode").file() == home / "AppData/Roaming/Code/User/mcp.json"


def test_on_windows_the_program_is_found_by_its_suffix(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "anchormem.exe").touch()
    monkeypatch.setattr(sys, "executable", str(home / "python.exe"))
    pretend(monkeypatch, "win32", program)
    assert program.words() == (str(home / "anchormem.exe"),)


@pytest.mark.usefixtures("windows")
def test_on_windows_a_hook_is_a_program_and_its_words_so_that_no_shell_reads_it() -> None:
    text = settings.with_hooks("{}", settings.AROUND_EDITS)
    handlers = [settings._groups(text, event)[0]["hooks"][0] for event in settings.AROUND_EDITS]  # type: ignore[index]
    assert {(one["command"], tuple(one["args"])) for one in handlers} == {(program.words()[0], ("hook",))}
    assert PureWindowsPath(program.words()[0]).is_absolute()
    assert set(settings.hooked(text)) == set(settings.AROUND_EDITS)
    assert settings.without_hooks(text).strip() == "{}"


@pytest.mark.usefixtures("windows")
def test_on_windows_a_line_is_one_that_cmd_and_the_sh_of_git_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", "C:/elsewhere")  # an assignment is read by neither
    line = settings.status_call()
    assert line == '"C:/Program Files/anchormem.exe" statusline'
    assert shlex.split(line) == ["C:/Program Files/anchormem.exe", "statusline"]
    text = settings.with_status_line("{}")
    assert settings.is_our_line(settings.status_line(text))
    assert settings.without_status_line(text).strip() == "{}"
    monkeypatch.setattr(program, "words", lambda: (r"C:\anchormem.exe",))
    assert settings.status_call() == "C:/anchormem.exe statusline", "PowerShell runs what stands in no quotes"


def test_a_path_with_a_blank_is_said_where_a_shell_cannot_start_it(
    windows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert windows.exists()
    told = [one for one in install.install(install.Wish(table.CLAUDE, status_line=True)) if "status line" in one.text]
    assert "PowerShell" in told[0].detail
    monkeypatch.setattr(program, "words", lambda: (r"C:\anchormem.exe",))
    assert settings.caveat() == ""
    pretend(monkeypatch, "linux", program, settings)
    assert settings.caveat() == ""


@pytest.mark.parametrize("word", [r"C:\Gone By\Anchormem.EXE", "C:/gone/anchormem.exe", "/opt/anchormem", "anchormem"])
def test_what_another_system_wrote_is_found_by_its_words(word: str) -> None:
    assert program.is_ours([word, "serve"], "serve")
    assert program.is_our_line(word, "hook", ["hook"])
    assert not program.is_ours([f"{word}x", "serve"], "serve")
    assert os.name == "nt" or program.is_our_line(f'"{word}" statusline', "statusline")

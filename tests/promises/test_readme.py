"""The README is true: its session is replayed, its names exist, its links lead somewhere."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem import languages
from anchormem.agents.table import AGENTS
from anchormem.cli import COMMANDS, main
from anchormem.tools import TOOLS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "README.md").read_text("utf-8")
SPELLED = {
    "Python": "python", "JavaScript": "javascript", "TypeScript": "typescript", "TSX": "tsx", "PHP": "php",
    "Rust": "rust", "Go": "go", "Java": "java", "C": "c", "C++": "cpp", "Ruby": "ruby", "C#": "csharp", "Bash": "bash",
    "Markdown": "markdown", "JSON": "json", "YAML": "yaml", "TOML": "toml",
}  # fmt: skip


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def masked(text: str) -> str:
    """Without what differs from run to run: ids, dates, times."""
    text = re.sub(r"\b[a-z][0-9a-z]{9}\b(?=  |$)", "ID", text, flags=re.MULTILINE)
    return re.sub(r"\d{4}-\d\d-\d\d(T[\d:]+Z)?", "DAY", text)


def test_the_session_shown_is_what_the_program_prints(repository: Path, git: Callable[..., str]) -> None:
    (repository / "jobs.py").write_text(block("python"), "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "jobs")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shown = re.split(r"^\$ (.*)\n", block("console"), flags=re.MULTILINE)[1:]
    assert len(shown) > 10
    for command, output in zip(shown[::2], shown[1::2], strict=True):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=repository, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert masked(done.stdout) == masked(output), command
        assert done.returncode == 0, done.stderr


def test_the_tour_is_the_session_shown() -> None:
    tour = PAGE.split("\n## A five-minute tour\n", 1)[1].split("\n## ", 1)[0]
    assert f"```console\n{block('console')}```" in tour


def test_the_lines_to_type_at_a_shell_are_these_and_notes_are_seeded_as_shown(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = [
        line for part in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in part.split("\n")
    ]
    seeding = [line for line in shown if line.startswith("anchormem seed ")]
    assert {*shown} - {""} == {"sh install.sh", "sh .ci/test", *seeding}
    (repository / "CLAUDE.md").write_text(
        "# Decisions\n\n- A batch holds 50 rows: the gateway refuses more.\n", "utf-8"
    )
    monkeypatch.chdir(repository)
    said = []
    for line in seeding:
        assert main(shlex.split(line)[1:]) == 0
        said.append(capsys.readouterr().out)
    assert ["would" in one for one in said] == [True, False], said


@pytest.mark.skipif(os.name == "nt", reason="the line is a shell's")
def test_who_leaves_as_it_says_leaves_only_memories(
    repository: Path, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = re.search(r"^To leave: `(anchormem uninstall)`, then `(rm -r [^`]*)`\.$", PAGE, re.MULTILINE)
    assert found
    program = private_home / ".local/share/anchormem/env/bin/anchormem"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m anchormem "$@"\n', "utf-8")
    program.chmod(0o755)
    link = private_home / ".local/bin/anchormem"
    link.parent.mkdir(parents=True)
    link.symlink_to(program)
    for name in ("ANCHORMEM_DATA_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{link.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
    for words in (["install", "--hooks", "--statusline"], ["index", "--root", str(repository)]):
        assert main(words) == 0
    for line in found.groups():
        subprocess.run(["sh", "-c", line], cwd=repository, check=True, stdout=subprocess.DEVNULL)
    assert not link.is_symlink()
    left = [path.relative_to(private_home).as_posix() for path in private_home.rglob("*") if path.is_file()]
    assert {name.rpartition("/")[2] for name in left if name.endswith(".db")} >= {"memory.db"}
    assert {name for name in left if not name.startswith(".local/share/anchormem/")} == {"gitconfig"}


def test_a_clone_is_installed_by_pip_as_it_says(tmp_path: Path) -> None:
    """Offline: with the builder of this environment, and without what comes from an index."""
    pytest.importorskip("hatchling", reason="the builder of the package comes with the tools of development")
    [line] = re.findall(r"`(pip install \.)`", PAGE)
    more = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(tmp_path / "site"))
    subprocess.run([sys.executable, "-m", *line.split(), *more], cwd=ROOT, check=True)
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    asked = "import anchormem; print(anchormem.__file__)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", asked], cwd=tmp_path, env=env, check=True, capture_output=True, text=True
    )
    assert Path(done.stdout.strip()).is_relative_to(tmp_path)
    assert (tmp_path / "site/anchormem/languages/python.scm").exists()
    assert list((tmp_path / "site").glob("anchormem/**/SKILL.md"))


def test_every_line_of_the_table_of_agents_runs(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository)
    table = PAGE.split("## Your agent", 1)[1].split("\n## ", 1)[0]
    lines = re.findall(r"^\| `anchormem (.*?)` \|", table, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        assert main(line.split()) == 0, line
        assert capsys.readouterr().out, line
    assert set(re.findall(r"`([a-z][a-z-]+)`(?:,| \|)", table)) == {agent.name for agent in AGENTS} - {"claude"}


def test_every_line_of_the_table_of_commands_runs(
    repository: Path,
    git: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (repository / "jobs.py").write_text(block("python"), "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "jobs")
    monkeypatch.chdir(repository)
    table = PAGE.split("On the command line", 1)[1].split("\n## ", 1)[0]
    lines = re.findall(r"^\| `anchormem (.*?)` \|", table, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        few = ["--seconds", "1"] if line == "prove" else []
        assert main([*shlex.split(line), *few]) == 0, line
        assert capsys.readouterr().out, line


def test_every_tool_has_its_row() -> None:
    table = PAGE.split("## The six tools", 1)[1].split("\n## ", 1)[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [tool.name for tool in TOOLS]


def test_every_command_shown_exists() -> None:
    shown = set(re.findall(r"(?:`|\$ |\w/)anchormem ([a-z]\w*)", PAGE))
    assert shown
    assert shown <= set(COMMANDS)


def test_every_language_is_named_and_every_named_one_is_there() -> None:
    sentence = PAGE.split("Languages with symbols:", 1)[1].split("Anything else", 1)[0]
    named = {SPELLED[word] for word in re.findall(r"[A-Z][\w+#]*", sentence) if word in SPELLED}
    assert named == set(languages.names())


def test_every_reason_in_the_table_of_fates_is_promised() -> None:
    table = PAGE.split("## What happens to a memory", 1)[1].split("\n\nAn anchor can", 1)[0]
    promised = (ROOT / "STABILITY.md").read_text("utf-8")
    reasons = re.findall(r"`(\w+_\w+)`", table)
    assert len(reasons) >= 10
    assert all(f"`{reason}`" in promised for reason in reasons)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", PAGE))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_two_scripts_it_names_are_there_and_run_by_a_shell() -> None:
    for script in re.findall(r"^sh (\S+)$", PAGE, re.MULTILINE):
        assert subprocess.run(["sh", "-n", ROOT / script], check=False).returncode == 0


def test_every_runtime_dependency_has_its_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    declared = re.search(r"^dependencies = \[(.*?)^\]", project, re.MULTILINE | re.DOTALL)
    assert declared
    reasons = PAGE.split("## What it stands on", 1)[1]
    for name in re.findall(r'"([a-z-]+)', declared[1]):
        assert f"`{name}`" in reasons

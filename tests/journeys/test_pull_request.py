"""A pull request that breaks a recorded decision, as CI and pre-commit see it: by git and the export alone."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from anchormem.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HOOK = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
CODE = "def send(rows, size=50):\n    return [rows[at : at + size] for at in range(0, len(rows), size)]\n"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def team(repository: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> Path:
    """A repository whose main branch shares one decision about `send`."""
    (repository / "jobs.py").write_text(CODE, "utf-8")
    (repository / "other.py").write_text("X = 1\n", "utf-8")
    where = ["--root", str(repository)]
    assert main(["remember", "a batch holds 50 rows", "--kind", "decision", "--anchor", "jobs.py::send", *where]) == 0
    assert main(["export", *where]) == 0
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "jobs")
    capsys.readouterr()
    return repository


def shell(line: str, where: Path, env: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", line],
        cwd=where,
        env={**os.environ, "PATH": path, **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def workflow(team: Path, tmp_path: Path, git: Callable[..., str]) -> Run:
    """The README's CI step on a fresh clone of what a branch would be after its merge."""
    (block,) = re.findall(r"^```yaml\n(- uses: .*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(block.strip().splitlines()) == 5
    (line,) = re.findall(r"^- run: (anchormem .*)$", block, re.MULTILINE)

    def run(branch: str, name: str) -> "subprocess.CompletedProcess[str]":
        clone = tmp_path / name
        git(tmp_path, "clone", "-q", str(team), str(clone))
        git(clone, "checkout", "-q", "--detach", "origin/main")
        git(clone, "merge", "-q", "--no-ff", "-m", "merge", f"origin/{branch}")
        return shell(line, clone, {"GITHUB_BASE_REF": "main", "ANCHORMEM_DATA_DIR": str(tmp_path / "runner")})

    return run


def test_the_step_of_the_readme_fails_where_a_decision_breaks_and_passes_where_it_is_renewed(
    team: Path, git: Callable[..., str], workflow: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    git(team, "checkout", "-qb", "innocent")
    (team / "other.py").write_text("X = 2\n", "utf-8")
    (team / "jobs.py").write_text(f'"""Jobs."""\n\n{CODE}', "utf-8")
    git(team, "commit", "-qam", "innocent")
    git(team, "checkout", "-qb", "breaking")
    (team / "jobs.py").write_text(f"\n{CODE.replace('50', '200')}", "utf-8")
    git(team, "commit", "-qam", "breaking")
    clean = workflow("innocent", "one")
    assert (clean.returncode, clean.stdout) == (
        0,
        "HEAD compared with where it left origin/main: 1 decision or verified fact, all hold\n",
    )
    broken = workflow("breaking", "two")
    assert broken.returncode == 1, broken.stderr
    assert re.search(
        r"^::error file=jobs\.py,line=2,title=stale decision [a-z]\w{9}::\w+_edited: a batch holds 50 rows$",
        broken.stdout,
        re.MULTILINE,
    )
    where = ["--root", str(team)]
    number = re.findall(r"stale decision (\w+)", broken.stdout)[0]
    assert main(["remember", "--update", number, "a batch holds 200 rows", *where]) == 0
    assert main(["export", *where]) == 0
    git(team, "commit", "-qam", "renewed")
    renewed = workflow("breaking", "three")
    assert renewed.returncode == 0, renewed.stdout + renewed.stderr
    capsys.readouterr()


@pytest.mark.parametrize("form", [["--format", "text"], ["--format", "json"], ["--json"], ["--format", "github"]])
def test_in_each_form_the_exit_code_says_whether_it_broke_and_the_words_say_what_and_why(
    form: list[str], team: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    (number,) = re.findall(r'"id":"(\w+)"', (team / ".anchormem/memory.jsonl").read_text("utf-8"))
    command = ["check", "--staged", *form, "--root", str(team)]
    assert main(command) == 0
    assert number not in capsys.readouterr().out
    (team / "jobs.py").write_text(CODE.replace("50", "200"), "utf-8")
    git(team, "add", "-A")
    assert main(command) == 1
    said, failure = capsys.readouterr()
    assert number in said
    assert "signature_edited" in said or "body_edited" in said
    assert failure == ""
    assert main([*command, "--base", "nowhere"]) == 2
    said, failure = capsys.readouterr()
    assert number not in said
    assert "nowhere" in said + failure


def test_the_step_of_the_readme_is_a_list_of_steps_that_fetches_what_it_compares_with() -> None:
    yaml = pytest.importorskip("yaml", reason="a reader of YAML comes with pre-commit: pip install pre-commit")
    (block,) = re.findall(r"^```yaml\n(- uses: .*?)^```$", README, re.MULTILINE | re.DOTALL)
    checkout, install, check = yaml.safe_load(block)
    assert checkout == {"uses": "actions/checkout@v4", "with": {"fetch-depth": 0}}
    assert install == {"run": "pip install anchormem"}
    assert check == {"run": 'anchormem check --base "origin/$GITHUB_BASE_REF" --format github'}


def test_the_hook_of_pre_commit_judges_what_is_staged(team: Path, git: Callable[..., str]) -> None:
    (entry,) = re.findall(r"^  entry: (.*)$", HOOK, re.MULTILINE)
    assert "- id: anchormem-check" in README
    assert re.findall(r"^- id: (.*)$", HOOK, re.MULTILINE) == ["anchormem-check"]
    hook = team / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m {entry}\n", "utf-8")
    hook.chmod(0o755)
    (team / "jobs.py").write_text(CODE.replace("50", "200"), "utf-8")
    (team / "other.py").write_text("X = 2\n", "utf-8")
    git(team, "add", "other.py")
    git(team, "commit", "-qm", "what is not staged does not count")
    git(team, "add", "jobs.py")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git(team, "commit", "-qm", "breaking")
    assert "a batch holds 50 rows" in refused.value.stdout + refused.value.stderr
    assert "anchormem verify" in refused.value.stdout + refused.value.stderr

"""`anchormem prove` by hand: what it prints, and its exit codes."""

import json
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.syntax.facts import facts_of


@pytest.fixture
def project(repository: Path) -> Path:
    (repository / "send.py").write_text("def send(rows, size=50):\n    return rows[:size]\n")
    return repository


def test_it_tells_languages_definitions_and_the_share(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "--root", str(project), "--seconds", "20"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("python      1 file, 1 definition: ")
    assert shown[-1].startswith("100 % of ")
    assert shown[-1].endswith(" edits right, 0 misses (seed 1)")


def test_a_program_gets_the_same_as_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "--root", str(project), "--seconds", "20", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["data"]
    assert data["languages"][0]["language"] == "python"
    assert data["share"] == 100


def test_a_miss_is_a_finding(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf = lambda source, language: facts_of(source.replace(b"q", b""), language)  # noqa: E731 — to one letter
    monkeypatch.setattr("anchormem.syntax.judge.facts_of", deaf)
    assert main(["prove", "--root", str(project), "--seconds", "20"]) == 1
    assert "missed  send.py:" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--seconds", "0"], ["--seed", "x"], ["send.py"]])
def test_a_wrong_call_is_a_usage_error(project: Path, words: list[str]) -> None:
    assert main(["prove", "--root", str(project), *words]) == 2


def test_a_repository_without_code_is_a_usage_error(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "--root", str(repository)]) == 2
    assert "nothing to prove" in capsys.readouterr().err

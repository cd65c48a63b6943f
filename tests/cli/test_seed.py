"""`anchormem seed` by hand: what is told, exit codes, and where the file is looked for."""

import json
from pathlib import Path

import pytest

from anchormem.cli import main


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "project" / "jobs.py").write_text("def send(rows):\n    return rows[:50]\n", "utf-8")
    (tmp_path / "project" / "CLAUDE.md").write_text(
        "# Decisions\n\n- `send` takes 50 rows\n- \x1b[31mred\x1b[0m text\n", "utf-8"
    )
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.mark.usefixtures("root")
def test_it_tells_what_it_stores_and_then_that_all_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["seed", "CLAUDE.md", "--dry-run"]) == 0
    dry = capsys.readouterr().out
    assert "2 notes in CLAUDE.md · 2 would be stored" in dry
    assert main(["seed", "CLAUDE.md"]) == 0
    wet = capsys.readouterr().out
    assert "decision\n  Decisions: `send` takes 50 rows\n  anchors: jobs.py::send\n" in wet
    assert "\x1b" not in wet
    assert main(["seed", "CLAUDE.md"]) == 0
    assert capsys.readouterr().out.startswith("2 notes in CLAUDE.md · 0 stored · 2 known\n")


def test_what_is_left_out_is_said_and_no_failure(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "CLAUDE.md").write_text("Accepted\n\n<p>a rule</p>\n\nProposed\n\na claim of mine\n", "utf-8")
    assert main(["seed", "CLAUDE.md"]) == 0
    said = capsys.readouterr().out
    assert "lines 1, 5  left out: one word is no claim\n" in said
    assert "line 3  left out: HTML\n" in said
    assert "1 note in CLAUDE.md · 1 stored · 3 left out" in said


def test_a_refused_note_is_a_finding(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "CLAUDE.md").write_text("the password = 'hunter2hunter2'\n", "utf-8")
    assert main(["seed", "CLAUDE.md"]) == 1
    said = capsys.readouterr()
    assert "line 1  refused: looks like a secret, rule password\n" in said.out
    assert "hunter2" not in said.out + said.err


def test_the_file_is_looked_for_from_here_and_then_from_the_root(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root.parent)
    assert main(["seed", "CLAUDE.md", "--root", "project", "--kind", "fact", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["data"]
    assert [one["kind"] for one in data["stored"]] == ["fact", "fact"]
    assert main(["seed", "nothing.md", "--root", "project"]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert main(["seed", "CLAUDE.md", "--kind", "gossip"]) == 2


@pytest.mark.parametrize(
    ("path", "why"), [("jobs.py", "is python and no notes"), (".git/config", "is inside .git"), ("a.yml", "is yaml")]
)
def test_what_is_no_prose_is_refused_and_nothing_of_it_stored(
    root: Path, capsys: pytest.CaptureFixture[str], path: str, why: str
) -> None:
    (root / ".git").mkdir()
    (root / path).write_text("- a: `send` takes 50 rows\n", "utf-8")
    assert main(["seed", path]) == 2
    assert why in capsys.readouterr().err
    assert main(["admin", "list"]) == 0
    assert "nothing" in capsys.readouterr().out


@pytest.mark.usefixtures("root")
def test_a_queue_asked_for_a_memory_that_is_not_there_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["seed", "CLAUDE.md"]) == 0
    capsys.readouterr()
    assert main(["verify", "nope"]) != 0
    assert "nope" in capsys.readouterr().err

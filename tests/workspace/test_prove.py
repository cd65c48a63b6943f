"""`prove`: edits of the user's own code in memory, in the time given, and each miss by its place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anchormem.errors import UsageError
from anchormem.model import FileFacts
from anchormem.syntax import facts
from anchormem.workspace.prove import prove

PYTHON = "def send(rows, size=50):\n    # in batches\n    return [rows[at : at + size] for at in rows if size]\n"
GO = "package a\n\nfunc send(size int) int {\n\treturn size + 50\n}\n"

Git = Callable[..., str]


@pytest.fixture
def project(repository: Path) -> Path:
    (repository / "send.py").write_text(PYTHON)
    (repository / "send.go").write_text(GO)
    (repository / "notes.md").write_text("# Notes\n")
    return repository


def data_of(root: Path, **args: object) -> dict[str, Any]:
    reply = prove(root, {"seconds": 20, **args})
    assert isinstance(reply.data, dict)
    return reply.data


def test_every_edit_of_sound_code_is_right_and_counted_by_language(project: Path) -> None:
    told = data_of(project)
    assert [row["language"] for row in told["languages"]] == ["go", "python"]
    assert all(row["definitions"] == 1 and row["edits"] == row["noticed"] > 10 for row in told["languages"])
    assert (told["share"], told["missed"]) == (100, 0)
    assert sum(row["comments"] for row in told["languages"]) == sum(row["passed"] for row in told["languages"]) > 0


def test_the_same_seed_tries_the_same_edits(project: Path) -> None:
    assert data_of(project, seed=3) == data_of(project, seed=3)


def test_a_digest_that_forgets_a_token_is_told_with_its_place(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = facts.facts_of

    def deaf(source: bytes, language: str | None) -> FileFacts:
        """Takes every 50 for the same number, as a recipe would that leaves out a kind of leaf."""
        return honest(source.replace(b"51", b"50").replace(b"57", b"50").replace(b"53", b"50"), language)

    monkeypatch.setattr("anchormem.syntax.judge.facts_of", deaf)
    told = data_of(project)
    assert told["missed"] > 0
    assert told["share"] < 100
    places = {(miss["path"], miss["line"], miss["expected"]) for miss in told["misses"]}
    assert places <= {("send.py", 1, "should have changed"), ("send.go", 4, "should have changed")}


def test_nothing_is_written(project: Path, private_home: Path, git: Git) -> None:
    git(project, "add", "-A")
    data_of(project)
    assert git(project, "diff", "--name-only") == ""
    assert not (private_home / "data").exists()


def test_code_that_does_not_parse_is_counted_and_stops_nothing(project: Path) -> None:
    (project / "half.py").write_text("def f(:\n")
    assert data_of(project)["unparsed"] == 1


def test_a_repository_without_definitions_is_refused(repository: Path) -> None:
    (repository / "notes.md").write_text("# Notes\n")
    with pytest.raises(UsageError, match="nothing to prove"):
        data_of(repository)

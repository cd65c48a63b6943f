"""Whether agents ask at all: sessions are counted with their recalls, those with none among them."""

import json
from pathlib import Path

import pytest

from anchormem.cli import main
from journeys.conftest import Desk
from server.wire import Json, Pipes

Capture = pytest.CaptureFixture[str]


def typed(capsys: Capture, root: Path, *words: str) -> str:
    capsys.readouterr()
    assert main([*words, "--root", str(root)]) == 0
    return capsys.readouterr().out


def counted(capsys: Capture, root: Path) -> Json:
    data = json.loads(typed(capsys, root, "stats", "--json"))["data"]
    return {name: data.get(name) for name in ("recalls", "sessions", "sessions_without_recall", "recalls_per_session")}


def test_sessions_are_counted_with_their_recalls_and_those_that_asked_nothing_too(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    (repository / "jobs.py").write_text("SIZE = 50\n", "utf-8")
    assert counted(capsys, repository)["sessions"] is None
    with Pipes(repository) as idle, Pipes(repository) as busy:
        for pipes in (idle, busy):
            pipes.shake_hands()
        desk = Desk(repository, busy)
        for question in ("how large is a batch", "how large is a batch", "why 50"):
            desk.answer("recall", task=question)
        failed, reply = idle.call("map", target="jobs.py")
        assert not failed, reply
        here = desk.answer("admin", op="ledger")
        assert isinstance(here, dict)
        assert here["session"]["recalls"] == 3
    assert counted(capsys, repository) == {
        "recalls": 3,
        "sessions": 2,
        "sessions_without_recall": 1,
        "recalls_per_session": {"0": 1, "2-4": 1},
    }
    assert "sessions: 2\nsessions without recall: 1\nrecalls per session:\n  0: 1\n  2-4: 1\n" in typed(
        capsys, repository, "stats"
    )
    typed(capsys, repository, "recall", "why 50")
    after = counted(capsys, repository)
    assert (after["recalls"], after["sessions"]) == (4, 2), "a person's recall belongs to no session"

"""Whether agents ask at all: sessions are counted with their recalls, those with none among them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from journeys.conftest import Desk
from server.wire import Json, Pipes


def stats(root: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", "stats", *words], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout


def counted(root: Path) -> Json:
    data = json.loads(stats(root, "--json"))["data"]
    return {name: data.get(name) for name in ("recalls", "sessions", "sessions_without_recall", "recalls_per_session")}


def test_sessions_are_counted_with_their_recalls_and_those_that_asked_nothing_too(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    (repository / "jobs.py").write_text("SIZE = 50\n", "utf-8")
    assert counted(repository)["sessions"] is None
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
    assert counted(repository) == {
        "recalls": 3,
        "sessions": 2,
        "sessions_without_recall": 1,
        "recalls_per_session": {"0": 1, "2-4": 1},
    }
    assert "sessions: 2\nsessions without recall: 1\nrecalls per session:\n  0: 1\n  2-4: 1\n" in stats(repository)
    subprocess.run([sys.executable, "-m", "anchormem", "recall", "why 50"], cwd=repository, check=True)
    assert (counted(repository)["recalls"], counted(repository)["sessions"]) == (4, 2)

"""Which project a server works on, and that a wrong one costs a call and nothing else."""

import json
import time
from pathlib import Path

import pytest

from anchormem.cli import main
from conftest import type_git
from server.wire import Json, Pipes


def status(pipes: Pipes) -> Json:
    is_error, answer = pipes.call("admin", op="status")
    assert not is_error, answer
    data = answer["data"]
    assert isinstance(data, dict)
    return data


def other(tmp_path: Path, git: type_git) -> Path:
    root = tmp_path / "other"
    (root / "deep").mkdir(parents=True)
    git(root, "init", "-q")
    return root


def test_the_flag_wins_over_the_variable_and_the_working_directory(
    repository: Path, tmp_path: Path, git: type_git
) -> None:
    root = other(tmp_path, git)
    with Pipes(repository, "--root", str(root), env={"CLAUDE_PROJECT_DIR": str(repository)}) as pipes:
        pipes.shake_hands()
        assert status(pipes)["root"] == str(root)


def test_the_variable_wins_over_a_working_directory_that_would_be_refused(
    private_home: Path, tmp_path: Path, git: type_git
) -> None:
    root = other(tmp_path, git)
    with Pipes(private_home, env={"CLAUDE_PROJECT_DIR": str(root / "deep")}) as pipes:
        pipes.shake_hands()
        assert status(pipes)["root"] == str(root)


def test_the_clients_roots_win_over_the_working_directory_and_are_asked_for_again_when_they_change(
    repository: Path, tmp_path: Path, git: type_git
) -> None:
    root = other(tmp_path, git)
    with Pipes(tmp_path) as pipes:
        pipes.shake_hands(capabilities={"roots": {"listChanged": True}})
        for answer in (repository, root):
            question = pipes.receive()
            assert question["method"] == "roots/list"
            pipes.send({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": [{"uri": answer.as_uri()}]}})
            assert status(pipes)["root"] == str(answer)
            pipes.notify("notifications/roots/list_changed")


def test_a_client_that_never_answers_about_its_roots_costs_a_second(repository: Path) -> None:
    with Pipes(repository) as pipes:
        pipes.shake_hands(capabilities={"roots": {}})
        began = time.monotonic()
        assert status(pipes)["root"] == str(repository)
        assert time.monotonic() - began < 5.0


@pytest.mark.parametrize("place", ["home", "/"])
def test_the_home_directory_is_refused_at_each_call_and_nothing_is_made(private_home: Path, place: str) -> None:
    before = sorted(private_home.rglob("*"))
    with Pipes(private_home if place == "home" else Path("/")) as pipes:
        pipes.shake_hands()
        for _ in range(2):
            is_error, answer = pipes.call("remember", kind="fact", body="x")
            assert is_error
            assert isinstance(answer["error"], dict)
            assert answer["error"]["code"] == "bad_root"
    assert sorted(private_home.rglob("*")) == before


def test_a_server_in_a_subdirectory_shares_the_store(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "deep").mkdir()
    (repository / "a.py").write_text("def f():\n    return 1\n", "utf-8")
    with Pipes(repository / "deep") as pipes:
        pipes.shake_hands()
        is_error, answer = pipes.call("remember", kind="fact", body="f gives one", anchors="a.py::f")
        assert not is_error, answer
    monkeypatch.chdir(repository)
    assert main(["recall", "what does f give", "--json"]) == 0
    assert [item["body"] for item in json.loads(capsys.readouterr().out)["data"]] == ["f gives one"]

"""No command but `update` opens a socket to any network: all others run where that is denied."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from anchormem.cli import COMMANDS
from server.wire import Pipes

# Every Python that starts with this on its path, workers included, is refused the internet and leaves a note of it.
DENIED = """
import socket, sys

def look(event, args):
    wanted = event == "socket.__new__" and args[1] in (socket.AF_INET, socket.AF_INET6)
    if wanted or event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.connect"):
        with open(NOTE, "a") as note:
            note.write(f"{sys.argv} {event}\\n")
        raise OSError("no network here")

sys.addaudithook(look)
"""
CALLS = {
    "recall": ["how many rows"],
    "remember": ["send takes 50 rows", "--kind", "fact", "--anchor", "jobs.py::send"],
    "map": ["jobs.py"],
    "affected": [],
    "verify": ["--list"],
    "admin": ["list"],
    "status": [],
    "index": ["--full"],
    "seed": ["NOTES.md"],
    "check": ["--staged"],
    "prove": ["--seconds", "1"],
    "export": [],
    "import": [],
    "merge-driver": ["a", "b", "c"],
    "stats": [],
    "doctor": [],
    "demo": [],
    "install": ["--hooks", "--statusline"],
    "uninstall": [],
}
PROCESSES = ("hook", "statusline")  # each ends its process itself
ALL = """
import contextlib, io, json, sys
from anchormem.cli import main
codes = {}
for command, words in json.load(open(sys.argv[1])).items():
    with contextlib.redirect_stdout(io.StringIO()):
        codes[command] = main([command, *words])
print(json.dumps(codes))
"""


@pytest.fixture
def denied(tmp_path: Path) -> Mapping[str, str]:
    """An environment without a network. Its last entry is where attempts are noted."""
    (tmp_path / "denied").mkdir()
    note = tmp_path / "note"
    (tmp_path / "denied" / "sitecustomize.py").write_text(f"NOTE = {str(note)!r}\n{DENIED}", "utf-8")
    return {"PYTHONPATH": str(tmp_path / "denied"), "NOTE": str(note)}


def python(*words: str, cwd: Path, env: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env={**os.environ, **env},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_other_command_runs_without_a_network(
    repository: Path, tmp_path: Path, git: Callable[..., str], denied: Mapping[str, str]
) -> None:
    assert python("-c", "import socket; socket.socket()", cwd=tmp_path, env=denied).returncode == 1
    assert Path(denied["NOTE"]).read_text()
    Path(denied["NOTE"]).unlink()
    (repository / "jobs.py").write_text("def send(rows):\n    return rows[:50]\n", "utf-8")
    (repository / "NOTES.md").write_text("- `send` is slow\n", "utf-8")
    for name in "abc":
        (repository / name).write_text('{"anchormem":1}\n', "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "jobs")
    assert set(CALLS) == set(COMMANDS) - {"update", "serve", *PROCESSES}
    (tmp_path / "calls.json").write_text(json.dumps(CALLS), "utf-8")
    done = python("-c", ALL, str(tmp_path / "calls.json"), cwd=repository, env=denied)
    assert done.returncode == 0, done.stderr
    codes = json.loads(done.stdout)
    assert {command for command, code in codes.items() if code} <= {"doctor", "install", "prove"}, (codes, done.stderr)
    for command in PROCESSES:
        assert python("-m", "anchormem", command, cwd=repository, env=denied).returncode == 0
    with Pipes(repository, env=denied) as pipes:
        pipes.shake_hands()
        failed, _ = pipes.call("recall", task="send")
        assert not failed
    assert not Path(denied["NOTE"]).exists()

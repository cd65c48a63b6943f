"""The real Claude Code client from npm and a scripted model: registration, tools, its own edits, what a model sees."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from journeys.client import Seat, needs_client, use
from journeys.scripted_model import Model, scripted

pytestmark = needs_client

CODE = "def batches(rows):\n    limit = 50\n    return [rows[i : i + limit] for i in range(0, len(rows), limit)]\n"
Claude = Callable[..., str]


@pytest.fixture
def project(repository: Path, git: Callable[..., str]) -> Path:
    (repository / "jobs.py").write_text(CODE, "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "jobs")
    return repository


@pytest.fixture
def claude(project: Path, private_home: Path) -> Claude:
    """Runs the client in a home of its own, where anchormem is registered for the user."""

    run = Seat(private_home, project).claude

    entry = {
        "type": "stdio",
        "command": sys.executable,
        "args": ["-m", "anchormem", "serve"],
        "env": {"ANCHORMEM_DATA_DIR": str(private_home / "data")},
    }
    run("mcp", "add-json", "anchormem", json.dumps(entry), "--scope", "user")
    return run


def session(claude: Claude, model: Model) -> None:
    claude(
        "-p", "look after the batches", "--output-format", "json", "--permission-mode", "acceptEdits",
        "--allowedTools", "mcp__anchormem__recall,mcp__anchormem__remember,Read,Edit", address=model.address,
    )  # fmt: skip


def test_the_client_connects(claude: Claude) -> None:
    assert "Connected" in claude("mcp", "list")


def test_a_memory_goes_stale_when_the_client_edits_the_file_and_the_model_sees_why(
    claude: Claude, project: Path
) -> None:
    file = str(project / "jobs.py")
    anchor = {"file": "jobs.py", "symbol": "batches"}
    body = "batches hold 50 rows: the gateway refuses more"
    turns = [
        use(1, "mcp__anchormem__recall", task="how many rows does a batch hold"),
        use(2, "mcp__anchormem__remember", kind="decision", body=body, anchors=[anchor]),
        use(3, "mcp__anchormem__recall", task="how many rows does a batch hold"),
        use(4, "Read", file_path=file),
        use(5, "Edit", file_path=file, old_string="limit = 50", new_string="limit = 200"),
        use(6, "mcp__anchormem__recall", task="how many rows does a batch hold"),
    ]
    with scripted(turns) as model:
        session(claude, model)
        results = model.results()
    first, stored, fresh, stale = (json.loads(results[at]) for at in (0, 1, 2, 5))
    assert "limit = 200" in (project / "jobs.py").read_text("utf-8")
    assert first["data"] == []
    assert stored["data"]["anchors"] == ["jobs.py::batches"]
    assert [item["body"] for item in fresh["data"]] == [body]
    assert "status" not in fresh["data"][0]
    assert stale["data"][0]["status"] == "stale"
    assert "stale:body_edited" in stale["data"][0]["flags"]
    assert stale["data"][0]["changed"] == "50 → 200"
    assert stale["meta"]["staleness"]["stale"] == 1


def test_the_model_is_told_when_to_use_the_memory(claude: Claude) -> None:
    with scripted([]) as model:
        session(claude, model)
        told = json.dumps(model.requests[0])
    assert "recall before reading" in told
    assert "mcp__anchormem__recall" in told

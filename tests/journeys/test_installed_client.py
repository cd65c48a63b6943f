"""What `anchormem install` writes, as the real Claude Code client takes it: server, hooks, skill, plugin."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from journeys.client import CLIENT, Seat, needs_client, use
from journeys.scripted_model import scripted

pytestmark = needs_client

ROOT = Path(__file__).parents[2]
BODY = "batches hold 50 rows: the gateway refuses more"
CODE = "def batches(rows):\n    limit = 50\n    return [rows[i : i + limit] for i in range(0, len(rows), limit)]\n"
TOOLS = ("recall", "remember", "admin", "verify_queue")


@pytest.fixture
def seat(tmp_path: Path, git: Callable[..., str]) -> Seat:
    """A user whose home has a blank and an umlaut, with the client on PATH, and a project with one decision."""
    home = tmp_path / "hömé x"
    project = home / "a project"
    project.mkdir(parents=True)
    (project / "jobs.py").write_text(CODE, "utf-8")
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "jobs")
    seat = Seat(home, project, (Path(sys.executable).parent, CLIENT.parent))
    seat.run("anchormem", "remember", BODY, "--kind", "decision", "--anchor", "jobs.py::batches")
    return seat


def told(requests: object) -> str:
    """Everything the model was told, as text."""
    return json.dumps(requests, ensure_ascii=False)


def test_an_installed_server_connects_its_hooks_fire_and_all_of_it_is_taken_out_again(seat: Seat) -> None:
    said = seat.run("anchormem", "install", "--hooks=edits", "--statusline")
    assert "registered with Claude Code, by its own command line" in said
    assert "Connected" in seat.claude("mcp", "list")
    file = str(seat.project / "jobs.py")
    turns = [use(1, "Read", file_path=file), use(2, "Edit", file_path=file, old_string="50", new_string="200")]
    with scripted(turns) as model:
        seat.prompt("look after the batches", model.address, allowed=("Read", "Edit"))
        first, *_, last = map(told, model.requests)
    assert "limit = 200" in (seat.project / "jobs.py").read_text("utf-8")
    assert "anchormem has 1 memory of this repository: 1 active, 0 stale; recall before reading code." in first
    assert "- anchormem: Memory of this code base" in first, "the skill is offered"
    assert "mcp__anchormem__recall" in first
    assert "What anchormem knows about jobs.py:" in last
    assert "This edit of jobs.py made 1 memory stale:" in last
    assert "(body_edited, 50 → 200)" in last
    assert seat.run("anchormem", "uninstall").startswith("done  no longer registered with Claude Code\n")
    assert "anchormem" not in seat.claude("mcp", "list")
    assert not (seat.home / ".claude" / "settings.json").exists()


def test_the_skill_leads_through_index_recall_queue_and_a_scan_with_approval(seat: Seat) -> None:
    seat.run("anchormem", "install")
    (seat.project / "jobs.py").write_text(CODE.replace("50", "200"), "utf-8")
    allowed = [f"mcp__anchormem__{name}" for name in TOOLS] + ["Bash(git log:*)"]
    begin = [
        use(1, "mcp__anchormem__admin", op="index"),
        use(2, "mcp__anchormem__recall", task="how many rows does a batch hold"),
        use(3, "mcp__anchormem__verify_queue", limit=5),
    ]
    with scripted(begin) as model:
        seat.prompt("/anchormem", model.address, allowed=allowed)
        index, recalled, queue = map(json.loads, model.results())
        first = told(model.requests[0])
    assert "## No word: begin memory-first" in first
    assert index["data"]["files"] == 1
    assert recalled["data"][0]["changed"] == "50 → 200"
    assert "confirm" in queue["data"][0]["ways"]
    scan = [
        use(1, "Bash", command="git log -n 200", description="history"),
        use(2, "mcp__anchormem__recall", task="jobs"),
    ]
    with scripted(scan) as model:
        seat.prompt("/anchormem scan light", model.address, allowed=allowed)
        assert "anchormem: scan light" in told(model.requests[0]), "its words reach the skill"
        assert "jobs" in model.results()[0]
    assert json.loads(seat.run("anchormem", "status", "--json"))["data"]["memories"]["total"] == 1, (
        "nothing before approval"
    )
    found = {"kind": "decision", "body": "jobs are split where the gateway wants them split", "origin": "commit:1"}
    approved = [use(3, "mcp__anchormem__remember", **found, source="mined")]
    with scripted(approved) as model:
        seat.prompt("all", model.address, "--continue", allowed=allowed)
        assert "anchormem: scan light" in told(model.requests[0]), "the same conversation"
    [stored] = json.loads(seat.run("anchormem", "admin", "list", "--source", "mined", "--json"))["data"]
    assert stored["body"] == found["body"]


def test_the_plugin_brings_the_same_without_an_installation(seat: Seat) -> None:
    with scripted([]) as model:
        seat.prompt("/anchormem:anchormem status", model.address, "--plugin-dir", str(ROOT))
        first = told(model.requests[0])
    assert "mcp__plugin_anchormem_anchormem__recall" in first
    assert "anchormem has 1 memory of this repository" in first
    assert "## review" in first
    assert "# anchormem: status" in first

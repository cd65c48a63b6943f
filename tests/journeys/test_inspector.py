"""The MCP Inspector's command line from npm: a client that nobody here wrote, in both eras of the protocol."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

INSPECTOR = (
    Path(__file__).parents[2] / ".ci-npm/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
)
pytestmark = pytest.mark.skipif(
    not INSPECTOR.exists(),
    reason="the inspector is not installed: npm install --prefix .ci-npm @modelcontextprotocol/inspector@2.12.0",
)
REFUSED = 5  # how the inspector ends when a tool answers isError


@pytest.fixture
def inspect(repository: Path, private_home: Path) -> Callable[..., tuple[int, dict[str, object]]]:
    (repository / "jobs.py").write_text("LIMIT = 50\n", "utf-8")

    def run(*arguments: str) -> tuple[int, dict[str, object]]:
        done = subprocess.run(
            ["node", INSPECTOR, "--cli", "-q", "--format", "json", *arguments,
             "-e", f"ANCHORMEM_DATA_DIR={private_home / 'data'}",
             "--", sys.executable, "-m", "anchormem", "serve", "--root", str(repository)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return done.returncode, json.loads(done.stdout or "{}")

    return run


def test_the_schemas_of_all_tools_are_portable(inspect: Callable[..., tuple[int, dict[str, object]]]) -> None:
    code, listed = inspect("--strict", "--method", "tools/list")
    assert code == 0
    tools = listed.get("tools") or listed["result"]["tools"]  # type: ignore[index] # JSON of either shape
    assert isinstance(tools, list)
    assert [tool["name"] for tool in tools] == ["recall", "remember", "map", "affected", "verify_queue", "admin"]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_tools_answer_in_both_eras(inspect: Callable[..., tuple[int, dict[str, object]]], era: str) -> None:
    stored = json.dumps({"kind": "fact", "body": "the limit is 50", "anchors": ["jobs.py::LIMIT"]})
    code, answer = inspect(
        "--protocol-era", era, "--method", "tools/call", "--tool-name", "remember", "--tool-args-json", stored
    )
    assert code == 0
    asked = json.dumps({"task": "what is the limit"})
    code, answer = inspect(
        "--protocol-era", era, "--method", "tools/call", "--tool-name", "recall", "--tool-args-json", asked
    )
    assert code == 0
    assert "the limit is 50" in json.dumps(answer)


def test_a_misspelt_argument_is_an_error_of_the_tool(inspect: Callable[..., tuple[int, dict[str, object]]]) -> None:
    code, answer = inspect(
        "--method", "tools/call", "--tool-name", "recall", "--tool-args-json", json.dumps({"taks": "x"})
    )
    assert code == REFUSED
    assert "unknown_argument" in json.dumps(answer)

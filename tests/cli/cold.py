"""Hook and status line as the processes they are, and a project with memories for them to look at."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from anchormem.cli import main
from anchormem.store.db import Store, open_store
from anchormem.workspace.session import close, open_workspace

CODE = (
    "def send(rows, size=50):\n    for start in range(0, len(rows), size):\n        yield rows[start : start + size]\n"
)


@dataclass(frozen=True, slots=True)
class Said:
    out: str
    err: str
    code: int
    ms: float


def run(
    *words: str, event: object = None, raw: bytes = b"", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Said:
    """One cold process. `event`: what an agent says on standard input; `raw`: or these bytes."""
    given = json.dumps(event).encode() if event is not None else raw
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", *words],
        input=given,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
        timeout=120,
    )
    took = (time.monotonic() - began) * 1000
    return Said(done.stdout.decode(), done.stderr.decode(), done.returncode, took)


def start(root: Path, **more: object) -> Mapping[str, object]:
    return {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup", "cwd": str(root), **more}


def edit(name: str, root: Path, path: str, session: str = "s1") -> Mapping[str, object]:
    return {
        "hook_event_name": name,
        "session_id": session,
        "cwd": str(root),
        "tool_name": "Edit",
        "tool_input": {"file_path": str(root / path), "old_string": "50", "new_string": "200"},
        "tool_response": {"originalFile": "x" * 10_000},
    }


def context(said: Said) -> str:
    """What the model is told."""
    return str(json.loads(said.out)["hookSpecificOutput"]["additionalContext"]) if said.out else ""


def known(repository: Path, git: Callable[..., str], *bodies: str) -> Path:
    """A committed project with these decisions about `jobs.py::send`, and an index."""
    (repository / "jobs.py").write_text(CODE, "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "jobs")
    for body in bodies or ("a batch holds 50 rows: the gateway refuses more",):
        words = ["remember", body, "--kind", "decision", "--anchor", "jobs.py::send", "--root", str(repository)]
        assert main(words) == 0
    return repository


def store_of(root: Path) -> Store:
    """The store of a project, open for a test's own rows."""
    ws = open_workspace(root)
    close(ws)
    return open_store(ws.directory, ws.checkout)

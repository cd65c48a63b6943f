"""A small project that all cases of notes speak of."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormem.workspace.session import Workspace, close, open_workspace
from anchormem.workspace.sweep import sweep

CODE = {
    "jobs/queue.py": """\
MAX_BATCH = 50


class Queue:
    def __init__(self):
        self.rows = []

    def push(self, row):
        self.rows.append(row)

    def drain(self):
        return self.rows[:MAX_BATCH]
""",
    "jobs/mailer.py": """\
from jobs.queue import Queue


class Mailer:
    def copy(self, letter):
        return dict(letter)


def send_batch(rows, driver=None):
    for row in rows:
        Mailer().copy(row)
""",
    "ledger.py": "def to_cents(money):\n    return int(round(money * 100))\n",
    "tests/test_ledger.py": "from ledger import to_cents\n\n\ndef test_a_million():\n    assert to_cents(1) == 100\n",
    "web/src/api.ts": """\
export function validateAnswer(answer: unknown): boolean {
  return Array.isArray(answer);
}

export function sendBatch(rows: string[]): Promise<Response> {
  return fetch("/letters", { method: "POST", body: JSON.stringify(rows) });
}
""",
    "web/src/page.ts": "export const next = (step: number): number => step + 1;\n",
    "scripts/ship.sh": "#!/bin/sh\nexec true\n",
    "docs/DESIGN.md": "# Design\n\nLetters wait, then leave.\n",
    "README.md": "# Sender\n\nSends letters.\n",
}


def write(root: Path, path: str, data: bytes | str) -> Path:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data.encode() if isinstance(data, str) else data)
    return root / path


def opened(root: Path) -> Workspace:
    for path, text in CODE.items():
        write(root, path, text)
    return open_workspace(root)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Outside of git, which costs a process for each question."""
    (tmp_path / "project").mkdir()
    one = opened(tmp_path / "project")
    yield one
    close(one)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """One indexed project, outside of git, for all the tests that only ask or whose memories keep apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        one = opened(tmp_path_factory.mktemp("shared"))
    write(one.root.path, ".env", "X=1\n")
    write(one.root.path, ".gitignore", ".env\n")
    sweep(one)
    yield one
    close(one)


@pytest.fixture
def elsewhere(repository: Path) -> Iterator[Workspace]:
    """The same project in a git repository, with a store of its own."""
    one = opened(repository)
    yield one
    close(one)

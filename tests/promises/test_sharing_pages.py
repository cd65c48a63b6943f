"""What the README and STABILITY say of sharing: every command runs, every key is written, and no other."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.model import Memory
from anchormem.workspace import exported
from store.samples import full_memory

Git = Callable[..., str]
ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "README.md").read_text("utf-8").split("## Sharing with a team", 1)[-1].split("\n## ", 1)[0]
SECTION = (ROOT / "STABILITY.md").read_text("utf-8").split("## The shared export\n", 1)[-1].split("\n## ", 1)[0]
LIMPET = {
    "id": "01J8ZQ0000AAAAAAAAAAAAAAA1", "kind": "fact", "body": "from limpet", "source": "explicit",
    "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "links": [], "anchors": [],
}  # fmt: skip


def test_every_line_of_the_table_of_sharing_runs(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository)
    (repository / ".limpet").mkdir()
    (repository / ".limpet/memory.jsonl").write_text(json.dumps(LIMPET) + "\n", "utf-8")
    assert main(["remember", "batches hold 50 rows", "--kind", "fact"]) == 0
    assert main(["remember", "a thought of mine", "--kind", "fact", "--private"]) == 0
    lines = re.findall(r"^\| `anchormem (.*?)` \|", TABLE, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        assert main(line.split()) == 0, line
        assert capsys.readouterr().out, line
    assert "anchormem merge-driver" in git(repository, "config", "merge.anchormem.driver")
    undone = re.search(r"`git (config --remove-section \S+)`", TABLE)
    assert undone
    git(repository, *undone[1].split())
    assert "anchormem" not in (repository / ".git/config").read_text("utf-8")
    assert b"a thought of mine" not in (repository / exported.PATH).read_bytes()
    assert b"from limpet" in (repository / "notes/team.jsonl").read_bytes()


def keys(row: str) -> set[str]:
    found = re.search(rf"^\| {row} \| (.*) \|$", SECTION, re.MULTILINE)
    assert found, row
    return set(re.findall(r"`(\w+)`", found[1]))


def objects(memory: Memory) -> Iterator[tuple[str, dict[str, object]]]:
    said = json.loads(exported.line(memory))
    yield "a memory", said
    yield "`evidence`", said["evidence"]
    yield from (("a link", one) for one in said["links"])
    yield "an anchor", said["anchors"][0]


def test_every_key_of_the_shared_export_is_promised_and_every_promise_is_kept() -> None:
    memory = replace(full_memory(), superseded_by="y000000001")
    for row, said in objects(memory):
        assert keys(row) == set(said), row
    assert keys("a forgotten one") == set(json.loads(exported.line(replace(memory, forgotten_at=9))))
    assert f"`{exported.HEADER}`" in SECTION
    assert f"`{exported.PATH}`" in SECTION


def test_nothing_of_a_machine_stands_in_a_line() -> None:
    text = exported.line(full_memory())
    for local in ("human", "claude-code", "session-1", '"by"', "client", "private", "imported", "approved", "anchored"):
        assert local not in text, local

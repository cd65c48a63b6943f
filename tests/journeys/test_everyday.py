"""A day with notes that were kept already: seeded, recalled, told at a session's start and on the status line."""

import pytest

from anchormem.cli import main
from cli.cold import run
from journeys.conftest import Desk

NOTES = """# Project

## Decisions

- A batch holds 50 rows, since the gateway refuses more: see `send` in
  `jobs.py`, and
    - never retry a refused one.

## Gotchas

The clock of the gateway is an hour late in summer.
"""
CODE = (
    "def send(rows, size=50):\n    for start in range(0, len(rows), size):\n        yield rows[start : start + size]\n"
)


def seeded(desk: Desk, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["seed", "CLAUDE.md", "--root", str(desk.root), *words]) == 0
    return capsys.readouterr().out


def test_notes_that_were_kept_go_stale_with_the_code_they_are_about_and_every_place_tells_it(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.write("jobs.py", CODE)
    desk.write("CLAUDE.md", NOTES)
    desk.commit()
    event = {"hook_event_name": "SessionStart", "cwd": str(desk.root), "session_id": "s", "source": "startup"}
    where = {"workspace": {"project_dir": str(desk.root)}}
    assert run("hook", event=event).out == "", "nothing is known yet"

    assert "2 would be stored" in seeded(desk, capsys, "--dry-run")
    assert "2 stored" in seeded(desk, capsys)
    assert "0 stored · 2 known" in seeded(desk, capsys)
    (batch,) = desk.items(task="how many rows does a batch hold", kinds=["decision"])
    assert batch["anchors"] == ["jobs.py::send"]
    assert "Decisions: A batch holds 50 rows" in str(batch["body"])
    assert "never retry a refused one" in str(batch["body"])
    assert "2 memories of this repository: 2 active, 0 stale" in run("hook", event=event).out
    assert run("statusline", event=where).out.startswith("⚓ 2")
    assert "stale" not in run("statusline", event=where).out

    desk.write("jobs.py", CODE.replace("50", "200"))
    (batch,) = desk.items(task="how many rows does a batch hold", kinds=["decision"])
    assert (batch["status"], batch["changed"]) == ("stale", "50 → 200")
    assert run("statusline", event=where).out.startswith("⚓ 2 (1 stale)")
    assert "1 active, 1 stale" in run("hook", event=event).out

    desk.write("CLAUDE.md", NOTES.replace("holds 50 rows", "holds 200 rows"))
    assert "1 stored · 1 known" in seeded(desk, capsys)
    new, old = desk.items(task="how many rows does a batch hold", kinds=["decision"])
    assert "holds 200 rows" in str(new["body"]), "what holds comes first, and neither hides the other"
    assert f"contradicted-by:{old['id']}" in str(new["flags"])

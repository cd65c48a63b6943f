"""`statusline`, a cold process that an agent starts again and again: light, read-only, never failing."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.cli.statusline import short
from anchormem.store import ledger
from cli.cold import CODE, edit, run, store_of

LIGHT = {
    "anchormem", "anchormem.cli", "anchormem.cli.event", "anchormem.cli.glimpse", "anchormem.errors",
    "anchormem.project", "anchormem.project.place", "anchormem.store", "anchormem.store.glance",
}  # fmt: skip
HEAVY = {
    "argparse", "asyncio", "dataclasses", "datetime", "enum", "inspect", "json", "mcp", "pathlib", "pathspec",
    "platformdirs", "pydantic", "re", "sqlite3", "subprocess", "tempfile", "threading", "tree_sitter", "typing",
}  # fmt: skip


# What the look after an edit needs for code that is lost, for many files, after an import, or never.
ASKED_FOR = {
    "subprocess", "anchormem.project.git", "anchormem.project.listing", "anchormem.reason.rank",
    "anchormem.syntax.excerpt", "anchormem.syntax.macros", "anchormem.text.terms", "anchormem.workspace.glimpse",
    "anchormem.workspace.past", "anchormem.workspace.recollection", "anchormem.workspace.shared",
    "anchormem.workspace.successors", "anchormem.workspace.sweep",
}  # fmt: skip
MADE = """
import re, sys
import anchormem.cli.aftermath
modules = [module for name, module in sys.modules.items() if name.startswith("anchormem")]
values = [(module.__name__, value) for module in modules for value in vars(module).values()]
classes = [value for name, value in values if isinstance(value, type) and value.__module__ == name]
print(sum("__dataclass_fields__" in vars(each) for each in classes))
print(sum(isinstance(value, re.Pattern) for _, value in values))
"""


def loaded(*words: str, given: str = "", silent: bool = False, cwd: Path) -> set[str]:
    """The modules a real process imported, as its interpreter tells."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "anchormem", *words],
        input=given, cwd=cwd, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert bool(done.stdout) is not silent
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_the_status_line_imports_next_to_nothing(project: Path) -> None:
    modules = loaded("statusline", "--root", str(project), cwd=project)
    assert {name for name in modules if name.startswith("anchormem")} == {*LIGHT, "anchormem.cli.statusline"}
    assert modules.isdisjoint(HEAVY)


@pytest.mark.parametrize(("name", "more"), [("SessionStart", set()), ("PreToolUse", {"anchormem.cli.told"})])
def test_a_hook_imports_next_to_nothing(name: str, more: set[str], project: Path) -> None:
    event = json.dumps({**edit(name, project, "jobs.py"), "cwd": str(project)})
    modules = loaded("hook", given=event, cwd=project)
    assert {name for name in modules if name.startswith("anchormem")} == {*LIGHT, "anchormem.cli.hook", *more}
    assert modules.isdisjoint(HEAVY)


def test_after_an_edit_of_a_file_without_memories_nothing_is_parsed(project: Path) -> None:
    event = json.dumps(edit("PostToolUse", project, "other.py"))
    modules = loaded("hook", given=event, silent=True, cwd=project)
    assert {name for name in modules if name.startswith("anchormem")} == {*LIGHT, "anchormem.cli.hook"}


def test_an_edit_of_one_file_loads_neither_history_nor_sweeps_nor_imports(project: Path) -> None:
    (project / "jobs.py").write_text(CODE.replace("50", "200"), "utf-8")
    modules = loaded("hook", given=json.dumps(edit("PostToolUse", project, "jobs.py")), cwd=project)
    assert "anchormem.workspace.sight" in modules
    assert modules.isdisjoint(ASKED_FOR)


def test_what_an_edit_loads_is_quickly_made() -> None:
    """A frozen dataclass takes half a millisecond to make, most patterns a third: a row that nothing replaces is a
    NamedTuple there, and what few languages or texts need is compiled for them.
    """
    done = subprocess.run([sys.executable, "-c", MADE], capture_output=True, text=True, check=True)
    dataclasses, patterns = map(int, done.stdout.split())
    assert dataclasses <= 42
    assert patterns <= 50


def test_the_line_counts_memories_the_stale_ones_and_what_was_saved(project: Path) -> None:
    assert run("statusline", "--root", str(project)).out == "⚓ 1\n"
    (project / "jobs.py").write_text(CODE.replace("50", "200"), "utf-8")
    assert main(["recall", "how large may a batch be", "--root", str(project)]) == 0
    said = run("statusline", "--root", str(project))
    assert said.out.startswith("⚓ 1 (1 stale)")


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (999, "999"), (1_234, "1.2k"), (32_400, "32k"), (999_999, "999k"), (1_500_000, "1.5M")],
)
def test_a_number_is_rounded_to_what_a_glance_can_take(number: int, shown: str) -> None:
    assert short(number) == shown


def test_what_was_saved_is_told(project: Path) -> None:
    with store_of(project) as store:
        ledger.add(store, served=1, saved=32_400, reads_avoided=1, question=b"q", session="s", now=5)
    assert run("statusline", "--root", str(project)).out == "⚓ 1 · ↑32k saved\n"


@pytest.mark.parametrize(
    "event",
    [
        lambda root: {"cwd": "/nowhere", "workspace": {"project_dir": str(root), "current_dir": "/"}},
        lambda root: {"cwd": "/", "workspace": {"project_dir": None, "current_dir": str(root)}},
        lambda root: {"cwd": str(root / "deep" / "er"), "workspace": 7},
    ],
)
def test_the_project_is_read_from_the_event(event: Callable[[Path], object], project: Path, tmp_path: Path) -> None:
    assert run("statusline", event=event(project), cwd=tmp_path).out == "⚓ 1\n"


def test_without_a_store_there_is_no_line(tmp_path: Path, private_home: Path) -> None:
    for words in (("statusline",), ("statusline", "--root", str(tmp_path)), ("statusline", "--root", "/no/such")):
        said = run(*words, cwd=tmp_path)
        assert (said.out, said.err, said.code) == ("", "", 0)
    assert not (private_home / "data").exists()


def test_a_file_in_the_agents_directory_silences_the_line(project: Path, private_home: Path) -> None:
    for place, env in (
        (private_home / ".claude", {}),
        (private_home / "other", {"CLAUDE_CONFIG_DIR": str(private_home / "other")}),
    ):
        place.mkdir(exist_ok=True)
        assert run("statusline", "--root", str(project), env=env).out
        (place / ".anchormem-statusline-off").touch()
        assert run("statusline", "--root", str(project), env=env).out == ""


def test_an_unknown_flag_is_told_and_is_no_failure(tmp_path: Path) -> None:
    for name in ("statusline", "hook"):
        said = run(name, "--rot", "x", cwd=tmp_path)
        assert (said.out, said.code) == ("", 0)
        assert "unknown option '--rot'" in said.err
    assert "did you mean --root?" in run("statusline", "--rot", "x", cwd=tmp_path).err

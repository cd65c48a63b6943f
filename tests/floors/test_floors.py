"""The house stands: imports go down only, and each absence that the map promises is one."""

import ast
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from floors.absences import ABSENCES, IMPURE, PURE, Absence

PROJECT = Path(__file__).parents[2]
SOURCE = PROJECT / "src" / "anchormem"
LONGEST_FILE = 320
LONGEST_TEST_FILE = 400  # one subject with all its cases is easier to read whole
LONGEST_FUNCTION = 60
# Functions that would be harder to read in parts.
WHOLE = {
    "syntax/recipe.py:compile_recipe": "a table with one line for each header key",
    "syntax/walk.py:run": "the hot loop: a call per node would double its time",
}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def lint(directory: Path) -> "subprocess.CompletedProcess[str]":
    linter = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [linter, "--no-cache"], cwd=directory, capture_output=True, text=True, check=False, env={"PYTHONPATH": "src"}
    )


def test_imports_go_down_only() -> None:
    done = lint(PROJECT)
    assert done.returncode == 0, done.stdout


def test_an_import_upwards_would_be_seen(tmp_path: Path) -> None:
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rooms = [room for layer in contracts[0]["layers"] for room in layer.replace(" ", "").split("|")]
    for room in ("anchormem", *rooms):
        package = tmp_path / "src" / room.replace(".", "/")
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("", "utf-8")
    (tmp_path / "pyproject.toml").write_bytes((PROJECT / "pyproject.toml").read_bytes())
    assert lint(tmp_path).returncode == 0
    (tmp_path / "src/anchormem/store/__init__.py").write_text("import anchormem.project\n", "utf-8")
    assert lint(tmp_path).returncode == 1


@pytest.mark.parametrize("absence", ABSENCES, ids=lambda absence: absence.subject)
def test_it_is_absent_where_it_must_be(absence: Absence) -> None:
    strangers = [
        f"{name_of(path)}:{line}"
        for path in modules()
        if not name_of(path).startswith(absence.may)
        for line in absence.finds(tree_of(path))
    ]
    assert strangers == []


@pytest.mark.parametrize("absence", ABSENCES, ids=lambda absence: absence.subject)
def test_its_presence_would_be_seen(absence: Absence) -> None:
    assert list(absence.finds(ast.parse(absence.planted)))
    assert not list(absence.finds(ast.parse(absence.innocent)))


def test_the_thinking_rooms_touch_nothing() -> None:
    strangers = [
        f"{name_of(path)}:{line}"
        for path in modules()
        if name_of(path).startswith(PURE)
        for line in IMPURE(tree_of(path))
    ]
    assert strangers == []
    assert list(IMPURE(ast.parse("from os import stat"))) == [1]


def test_files_stay_short_enough_to_hold_one_noun() -> None:
    files = [*modules(), *sorted((PROJECT / "tests").rglob("*.py"))]
    lengths = {path.relative_to(PROJECT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in files}
    limits = {name: LONGEST_TEST_FILE if name.startswith("tests/") else LONGEST_FILE for name in lengths}
    assert {name: length for name, length in lengths.items() if length > limits[name]} == {}


def functions() -> Iterator[tuple[str, int]]:
    for path in modules():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{name_of(path)}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_stay_short_enough_to_hold_one_verb() -> None:
    lengths = dict(functions())
    assert {name for name, length in lengths.items() if length > LONGEST_FUNCTION} <= set(WHOLE)
    assert statistics.median(lengths.values()) < 15


def test_every_module_says_what_it_is() -> None:
    assert [name_of(path) for path in modules() if not ast.get_docstring(tree_of(path))] == []

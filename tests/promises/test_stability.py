"""STABILITY.md and the code, in both directions: nothing promised is missing, nothing public goes unpromised."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from anchormem import errors, model
from anchormem.agents.table import AGENTS
from anchormem.cli import COMMANDS
from anchormem.reason.envelope import Envelope, meta
from anchormem.tools import TOOLS
from anchormem.workspace.admin import OPS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "STABILITY.md").read_text("utf-8")
SOURCE = ROOT / "src" / "anchormem"


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def words(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def row(title: str, first_cell: str) -> list[str]:
    """The backticked words of a row's second cell."""
    for line in section(title).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == first_cell:
            return words(cells[1])
    raise AssertionError(f"STABILITY.md has no row {first_cell!r} under {title!r}")


def tree(kind: type[errors.AnchormemError]) -> Iterator[type[errors.AnchormemError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from tree(child)


def test_every_tool_and_argument_is_promised_and_every_promise_is_kept() -> None:
    promised = {tool.name: row("Tools", f"`{tool.name}`") for tool in TOOLS}
    assert promised == {tool.name: [param.name for param in tool.params] for tool in TOOLS}
    first_cells = re.findall(r"^\| `(\w+)` \|", section("Tools"), re.MULTILINE)
    assert first_cells == [tool.name for tool in TOOLS]


def test_every_admin_operation_is_promised_and_every_promise_is_kept() -> None:
    assert set(words(section("Admin operations"))) == {op.name for op in OPS}


def test_every_command_is_promised_and_every_promise_is_kept() -> None:
    assert set(words(section("Commands"))) - {"--help", "--json"} == set(COMMANDS)


def test_the_changelog_names_every_command() -> None:
    line = re.search(r"^- Commands: (.*?)\.$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert line
    assert set(re.split(r",\s+", line[1])) == set(COMMANDS)


def test_every_agent_is_promised_and_every_promise_is_kept() -> None:
    named = {word for word in words(section("Agents")) if " " not in word and not word.startswith("--")}
    assert named - {"anchormem", "session", "edits"} == {agent.name for agent in AGENTS}


def test_every_error_code_is_promised_and_every_promise_is_kept() -> None:
    assert set(words(section("Error codes"))) == {kind.code for kind in tree(errors.AnchormemError)}


@pytest.mark.parametrize(
    ("cell", "literal"),
    [
        ("kinds of memory", model.MemoryKind),
        ("sources", model.Source),
        ("aspects of an anchor", model.Aspect),
        ("relations", model.Relation),
        ("fates", model.FateName),
        ("statuses", model.Status),
    ],
)
def test_closed_words_are_those_of_the_model(cell: str, literal: object) -> None:
    assert row("Words", cell) == list(get_args(literal))


def all_source() -> str:
    return "\n".join(file.read_text("utf-8") for file in sorted(SOURCE.rglob("*.py")))


@pytest.mark.parametrize("cell", ["reasons of stale", "reason of invalidated", "reasons of unknown"])
def test_every_promised_reason_is_one_the_code_gives(cell: str) -> None:
    text = all_source()
    missing = [word for word in row("Words", cell) if f'"{word}"' not in text]
    assert not missing


FULL = Envelope(
    indexed_at=1,
    dirty=1,
    dirty_files=("a",),
    failed_files=("b",),
    failed=2,
    unchecked=1,
    scan_failed="why",
    matched=2,
    returned=1,
    omitted_reason="budget",
    omitted=("c",),
    stale=1,
    contradicted=1,
    invalidated=1,
    unknown=1,
    warnings=("w",),
)


def test_the_envelope_has_the_promised_keys_and_no_others() -> None:
    written = meta(FULL)
    assert set(row("The reply", "`meta`")) == set(written)
    for part in ("freshness", "completeness", "staleness"):
        keys = written[part]
        assert isinstance(keys, dict)
        assert set(row("The reply", f"`{part}`")) == set(keys)


@pytest.mark.parametrize("cell", ["an item of `recall`", "an anchor, with `ids`"])
def test_every_promised_key_of_an_item_is_one_the_code_writes(cell: str) -> None:
    text = all_source()
    missing = [word for word in row("The reply", cell) if not re.search(rf'"{word}"|\b{word}=', text)]
    assert not missing


def test_every_promised_variable_and_file_is_read_somewhere() -> None:
    text = all_source()
    assert not [
        word
        for word in re.findall(r"^\| `([^`]+)` \|", section("Environment and files"), re.MULTILINE)
        if word not in text
    ]


def test_no_variable_is_read_that_is_not_promised() -> None:
    read = set(re.findall(r"\b(?:ANCHORMEM|CLAUDE)_[A-Z_]*[A-Z]\b", all_source()))
    assert read <= set(words(section("Environment and files")))

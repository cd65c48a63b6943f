"""The main rows of the table in every language of the first wave: all in one repository, one refresh a step."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from anchormem import languages
from anchormem.model import Fate
from workspace.fates.conftest import Project

LEDGERS = Path(__file__).parent / "ledgers"


@dataclass(frozen=True)
class Sample:
    """`name`: the anchored symbol, `old` and `new` its name before and after a rename."""

    file: str
    name: str
    old: str = "settle"
    new: str = "balance"
    brace: str = "{"  # what a half-typed file has one too many of

    @property
    def path(self) -> str:
        return f"src/{self.file}"

    @property
    def source(self) -> str:
        return (LEDGERS / self.file).read_text("utf-8")


SAMPLES = {
    "javascript": Sample("ledger.js", "Ledger.settle"),
    "typescript": Sample("ledger.ts", "Ledger.settle"),
    "tsx": Sample("Ledger.tsx", "settle"),
    "php": Sample("Ledger.php", "Ledger.settle"),
    "rust": Sample("ledger.rs", "Ledger.settle"),
    "go": Sample("ledger.go", "settle"),
    "java": Sample("Ledger.java", "Ledger.settle"),
    "c": Sample("ledger.c", "settle"),
    "cpp": Sample("ledger.cpp", "money.settle"),
    "ruby": Sample("ledger.rb", "Ledger.settle", brace="("),
    "csharp": Sample("Ledger.cs", "Ledger.Settle", old="Settle", new="Balance"),
    "bash": Sample("ledger.sh", "settle", brace="("),
}
THERE = {language: sample for language, sample in SAMPLES.items() if language in languages.names()}


@pytest.fixture
def ledgers(project: Project) -> tuple[Project, dict[str, str]]:
    for sample in THERE.values():
        project.write(sample.path, sample.source)
    project.commit()
    project.sweep()
    return project, {language: project.remember(f"{one.path}::{one.name}") for language, one in THERE.items()}


def fates(project: Project, held: dict[str, str]) -> dict[str, Fate]:
    project.call()
    return {language: project.stored(memory)[0] for language, memory in held.items()}


def names(told: dict[str, Fate]) -> dict[str, str]:
    return {language: f"{fate.name} {fate.reason}".strip() for language, fate in told.items()}


def every(word: str) -> dict[str, str]:
    return dict.fromkeys(THERE, word)


def test_every_first_language_is_there() -> None:
    assert set(SAMPLES) <= set(languages.names())


def test_a_rename_is_followed_in_every_language(ledgers: tuple[Project, dict[str, str]]) -> None:
    project, held = ledgers
    for one in THERE.values():
        project.replace(one.path, one.old, one.new)
    assert names(fates(project, held)) == every("followed")


def test_a_move_is_followed_in_every_language(ledgers: tuple[Project, dict[str, str]]) -> None:
    project, held = ledgers
    for one in THERE.values():
        project.move(one.path, "moved/" + one.path)
    told = fates(project, held)
    assert names(told) == every("followed")
    assert {language: str(fate.at) for language, fate in told.items()} == {
        language: f"moved/{one.path}::{one.name}" for language, one in THERE.items()
    }


def test_an_edit_is_stale_and_named_in_every_language_and_heals(ledgers: tuple[Project, dict[str, str]]) -> None:
    project, held = ledgers
    for one in THERE.values():
        project.replace(one.path, "50", "60")
    told = fates(project, held)
    assert names(told) == every("stale body_edited")
    assert {language: fate.change.summary for language, fate in told.items()} == every("50 → 60")
    for one in THERE.values():
        project.write(one.path, one.source)
    assert names(fates(project, held)) == every("fresh")


def test_a_deletion_is_gone_in_every_language(ledgers: tuple[Project, dict[str, str]]) -> None:
    project, held = ledgers
    for one in THERE.values():
        project.delete(one.path)
    project.commit()
    assert names(fates(project, held)) == every("gone anchor_deleted")


def test_a_half_typed_definition_is_unknown_in_every_language(ledgers: tuple[Project, dict[str, str]]) -> None:
    project, held = ledgers
    for one in THERE.values():
        project.replace(one.path, "50", f"50 {one.brace}")
    told = names(fates(project, held))
    assert told == every("unknown parse_error")

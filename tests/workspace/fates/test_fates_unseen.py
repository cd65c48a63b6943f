"""What git did while nobody looked: committed, renamed and edited between two calls."""

import pytest

from anchormem.model import Fate, FileFacts
from anchormem.syntax.facts import facts_of
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE, TALLY


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


def test_a_file_renamed_and_edited_in_one_commit_after_code_that_no_call_saw_committed_names_its_successor(
    project: Project,
) -> None:
    project.write("src/queue.py", QUEUE)
    memory = project.remember("src/queue.py::drain")
    project.commit()
    project.git("mv", "src/queue.py", "src/backlog.py")
    project.replace("src/backlog.py", "pop(0)", "pop()")
    project.commit()
    fate = project.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("src/backlog.py::drain",))


def test_the_same_by_what_git_says_of_the_rename_alone(project: Project) -> None:
    project.write("src/tally.py", TALLY)
    memory = project.remember("src/tally.py::tally")
    project.commit()
    (project.root / "lib").mkdir()
    project.git("mv", "src/tally.py", "lib/count.py")
    project.replace("lib/count.py", "+ 1", "+ 2")
    project.commit()
    fate = project.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("lib/count.py::tally",))


def test_code_committed_on_a_branch_that_was_left_before_any_call_is_on_another_branch(project: Project) -> None:
    project.write("src/queue.py", QUEUE)
    project.commit()
    project.git("checkout", "-qb", "feature")
    project.write("src/tally.py", TALLY)
    memory = project.remember("src/tally.py::tally")
    there = project.commit()
    project.git("checkout", "-q", "main")
    fate = project.fate(memory)
    assert (told(fate), fate.detail) == (("unknown", "other_branch"), there)
    project.git("checkout", "-q", "feature")
    assert told(project.fate(memory)) == ("fresh", "")


def test_old_files_are_parsed_once_in_a_sitting_however_often_head_moves(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str | None] = []

    def counted(source: bytes, language: str | None) -> FileFacts:
        parsed.append(language)
        return facts_of(source, language)

    project.write("src/tally.py", TALLY)
    memory = project.remember("src/tally.py::tally")
    project.commit()
    project.delete("src/tally.py")
    project.commit()
    monkeypatch.setattr("anchormem.workspace.past.facts_of", counted)
    for number in range(3):
        project.write("src/other.py", f"OTHER = {number}\n")
        project.commit()
        project.fate(memory)
    assert len(parsed) <= 1
    assert told(project.fate(memory)) == ("gone", "anchor_deleted")

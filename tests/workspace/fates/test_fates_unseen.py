"""What git did while nobody looked: committed, renamed and edited between two calls."""

from anchormem.model import Fate
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

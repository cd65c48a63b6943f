"""A file that moves as it is takes along even what would be no evidence by itself: a constant, a one-liner."""

from anchormem.model import Fate, Slot
from workspace.fates.conftest import Project
from workspace.fates.samples import TALLY

SETTINGS = "LIMIT = 50\n\n\ndef name(self):\n    return self.name\n\n\ndef rows(a, b):\n    return a[:LIMIT] + b\n"
ANCHORS = ("settings.py::LIMIT", "settings.py::name")


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


def settled(project: Project) -> Project:
    project.write("settings.py", SETTINGS)
    project.write("other.py", "def name(self):\n    return self.name\n\n\nLIMIT = 50\n")
    project.commit()
    project.sweep()
    return project


def test_a_moved_file_takes_its_small_definitions_along_whatever_looks_like_them_elsewhere(project: Project) -> None:
    memory = settled(project).remember(*ANCHORS)
    project.move("settings.py", "lib/settings.py")
    assert [fate.at for fate in project.fates(memory)] == [
        Slot("lib/settings.py", "LIMIT"),
        Slot("lib/settings.py", "name"),
    ]
    project.move("lib/settings.py", "settings.py")
    assert [told(fate) for fate in project.fates(memory)] == [("fresh", "")] * 2


def test_a_moved_file_that_was_edited_as_well_is_no_evidence(project: Project) -> None:
    memory = settled(project).remember(*ANCHORS)
    project.move("settings.py", "lib/settings.py")
    project.replace("lib/settings.py", "a[:LIMIT] + b", "b + a[:LIMIT]")
    assert [told(fate) for fate in project.fates(memory)] == [("stale", "low_entropy")] * 2


def test_a_copy_that_stays_when_the_file_goes_is_no_move(project: Project) -> None:
    project.write("copy.py", SETTINGS)
    memory = settled(project).remember(*ANCHORS)
    project.delete("settings.py")
    assert [fate.name for fate in project.fates(memory)] == ["stale"] * 2


def test_two_new_files_of_the_same_text_are_two_candidates(project: Project) -> None:
    memory = settled(project).remember(*ANCHORS)
    project.move("settings.py", "a/settings.py")
    project.write("b/settings.py", SETTINGS)
    assert [fate.name for fate in project.fates(memory)] == ["stale"] * 2


def test_a_moved_trifle_of_a_file_is_no_evidence(project: Project) -> None:
    project.write("one.py", "LIMIT = 50\n")
    project.commit()
    memory = project.remember("one.py::LIMIT")
    project.move("one.py", "lib/one.py")
    assert told(project.fate(memory)) == ("stale", "low_entropy")


def test_a_copy_that_was_followed_keeps_the_memory_until_it_goes_though_the_original_is_back_and_edited(
    project: Project,
) -> None:
    project.write("a.py", TALLY)
    project.commit()
    project.sweep()
    memory = project.remember("a.py::tally")
    project.move("a.py", "b.py")
    assert project.fate(memory).name == "followed"
    for text in (TALLY, TALLY.replace("+ 1", "+ 3")):
        project.write("a.py", text)
        assert (project.fate(memory).name, project.fate(memory).at) == ("followed", Slot("b.py", "tally"))
    project.delete("b.py")
    fate = project.fate(memory)
    assert (fate.name, fate.reason, fate.at) == ("stale", "body_edited", Slot("a.py", "tally"))

"""The fates of file anchors, and of keys and sections, each right after ONE refresh."""

import os

import pytest

import modes
from anchormem.model import Fate, Slot
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE

NOTES = "# Notes\n\nThe queue is drained at night, never by day, because the reports need it whole until then.\n"


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


@pytest.fixture
def notes(project: Project) -> Project:
    project.write("docs/notes.txt", NOTES)
    project.write("src/queue.py", QUEUE)
    project.commit()
    project.sweep()
    return project


def test_a_file_of_equal_content_is_fresh(notes: Project) -> None:
    memory = notes.remember("docs/notes.txt")
    notes.write("docs/notes.txt", NOTES.rstrip("\n"))
    assert told(notes.fate(memory)) == ("fresh", "")


def test_a_reformatted_file_is_fresh(notes: Project) -> None:
    memory = notes.remember("src/queue.py")
    notes.replace("src/queue.py", "append(number * 2)", "append(number*2)  # twice")
    assert told(notes.fate(memory)) == ("fresh", "")


def test_an_edited_file_is_stale_and_heals(notes: Project) -> None:
    memory = notes.remember("docs/notes.txt")
    notes.replace("docs/notes.txt", "night", "noon")
    assert told(notes.fate(memory)) == ("stale", "file_edited")
    notes.write("docs/notes.txt", NOTES)
    assert told(notes.fate(memory)) == ("fresh", "")


def test_a_moved_file_is_followed(notes: Project) -> None:
    memory = notes.remember("docs/notes.txt")
    notes.move("docs/notes.txt", "old/night.txt")
    fate = notes.fate(memory)
    assert (told(fate), fate.at) == (("followed", ""), Slot("old/night.txt"))


def test_a_file_found_twice_is_ambiguous(notes: Project) -> None:
    memory = notes.remember("docs/notes.txt")
    notes.delete("docs/notes.txt")
    notes.write("a.txt", NOTES)
    notes.write("b.txt", NOTES)
    fate = notes.fate(memory)
    assert (told(fate), set(fate.candidates)) == (("stale", "ambiguous_anchor"), {"a.txt", "b.txt"})


def test_a_tiny_file_is_never_followed(project: Project) -> None:
    project.write("version.txt", "1.2.3\n")
    project.commit()
    memory = project.remember("version.txt")
    project.move("version.txt", "VERSION")
    fate = project.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "low_entropy"), ("VERSION",))


def test_a_renamed_and_edited_file_names_its_successor(notes: Project) -> None:
    long = NOTES + "\n".join(f"Rule {number}: whatever is taken is counted {number} times." for number in range(20))
    notes.write("docs/rules.txt", long)
    notes.commit()
    memory = notes.remember("docs/rules.txt")
    notes.move("docs/rules.txt", "docs/laws.txt")
    notes.replace("docs/laws.txt", "Rule 3:", "Law 3:")
    fate = notes.fate(memory)
    assert (told(fate), fate.candidates) == (("stale", "moved_and_edited"), ("docs/laws.txt",))


def test_a_deleted_file_is_gone_and_heals(notes: Project) -> None:
    memory = notes.remember("docs/notes.txt")
    notes.delete("docs/notes.txt")
    notes.commit()
    assert told(notes.fate(memory)) == ("gone", "anchor_deleted")
    notes.write("docs/notes.txt", NOTES)
    assert told(notes.fate(memory)) == ("fresh", "")


def test_a_file_of_bytes_is_anchored_by_its_bytes(notes: Project) -> None:
    blob = bytes(range(256)) * 8
    (notes.root / "logo.bin").write_bytes(blob)
    notes.commit()
    memory = notes.remember("logo.bin")
    assert told(notes.fate(memory)) == ("fresh", "")
    (notes.root / "logo.bin").write_bytes(blob + b"\0")
    assert told(notes.fate(memory)) == ("stale", "file_edited")


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
@modes.obeyed
def test_an_unreadable_file_is_unknown_and_heals(notes: Project) -> None:
    memory = notes.remember("src/queue.py::drain")
    (notes.root / "src/queue.py").chmod(0)
    assert told(notes.fate(memory)) == ("unknown", "unreadable")
    (notes.root / "src/queue.py").chmod(0o644)
    assert told(notes.fate(memory)) == ("fresh", "")


def test_a_file_grown_beyond_the_limit_is_unknown(notes: Project) -> None:
    memory = notes.remember("docs/notes.txt")
    notes.write("docs/notes.txt", "x" * (8 * 1024 * 1024 + 1))
    assert told(notes.fate(memory)) == ("unknown", "unreadable")


def test_a_module_grown_beyond_parsing_is_unknown_for_its_symbols(notes: Project) -> None:
    memory = notes.remember("src/queue.py::drain")
    notes.write("src/queue.py", QUEUE + "# " + "x" * (600 * 1024))
    assert told(notes.fate(memory)) == ("unknown", "unreadable")


def test_a_file_with_an_odd_name_is_anchored_like_any_other(notes: Project) -> None:
    name = "odd/na me ä\t(1).py"
    notes.write(name, QUEUE)
    memory = notes.remember({"file": name, "symbol": "Queue"})
    assert notes.fate(memory).name == "fresh"
    notes.replace(name, "number * 2", "number * 3")
    assert told(notes.fate(memory)) == ("stale", "body_edited")

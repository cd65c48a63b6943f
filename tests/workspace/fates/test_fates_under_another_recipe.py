"""An anchor keeps the hash it was written with; when the recipe changes, proof decides, never a guess."""

from dataclasses import replace

import pytest

from anchormem.model import Anchor, Fate
from anchormem.store import fates, memories
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE

OLD = {"epoch": "0.old", "body": b"\1" * 16, "signature": b"\2" * 16, "doc": b"\3" * 16}


def told(fate: Fate) -> tuple[str, str]:
    return fate.name, fate.reason


def rewritten(project: Project, memory: str, **changed: object) -> str:
    """As if the memory had been written by an older program: other hashes, the same text."""
    held = memories.one(project.ws.store, memory)
    old = tuple(_as_of_old(anchor, changed) for anchor in held.anchors)
    memories.replace(project.ws.store, replace(held, anchors=old), "update", project.ws.now())
    with project.ws.store.deriving():
        fates.drop_orphans(project.ws.store)
    return memory


def _as_of_old(anchor: Anchor, changed: dict[str, object]) -> Anchor:
    return replace(anchor, id=0, **{**OLD, **changed})  # type: ignore[arg-type]  # fields by name


@pytest.fixture
def queue(project: Project) -> Project:
    project.write("src/queue.py", QUEUE)
    project.commit()
    project.sweep()
    return project


def test_equal_text_is_fresh_under_any_recipe(queue: Project) -> None:
    memory = rewritten(queue, queue.remember("src/queue.py::drain"))
    fate = queue.fate(memory)
    assert (told(fate), fate.doc_changed) == (("fresh", ""), False)


def test_the_kept_text_tells_a_reformatted_body_from_an_edited_one(queue: Project) -> None:
    memory = rewritten(queue, queue.remember("src/queue.py::drain"))
    queue.replace("src/queue.py", "taken = []", "taken  =  [ ]  # none yet")
    assert told(queue.fate(memory)) == ("fresh", "")
    queue.replace("src/queue.py", "pop(0)", "pop()")
    assert told(queue.fate(memory)) == ("stale", "body_edited")


def test_without_the_text_an_inequality_proves_nothing(queue: Project) -> None:
    memory = rewritten(queue, queue.remember("src/queue.py::drain"), text=None)
    queue.replace("src/queue.py", "pop(0)", "pop()")
    assert told(queue.fate(memory)) == ("unknown", "epoch")
    queue.write("src/queue.py", QUEUE)
    assert told(queue.fate(memory)) == ("fresh", "")


def test_a_proof_under_the_new_recipe_is_kept_and_followed_by(queue: Project) -> None:
    memory = rewritten(queue, queue.remember("src/queue.py::drain"))
    assert queue.fate(memory).name == "fresh"
    queue.replace("src/queue.py", "def drain", "def emptied")
    fate = queue.fate(memory)
    assert (fate.name, str(fate.at)) == ("followed", "src/queue.py::emptied")


def test_the_memory_itself_keeps_the_hash_it_was_written_with(queue: Project) -> None:
    memory = rewritten(queue, queue.remember("src/queue.py::drain"))
    queue.call()
    (anchor,) = memories.one(queue.ws.store, memory).anchors
    assert (anchor.epoch, anchor.body) == ("0.old", OLD["body"])

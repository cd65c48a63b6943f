"""An anchor keeps the hash it was written with; when the recipe changes, proof decides, never a guess."""

import textwrap
from dataclasses import replace

import pytest

from anchormem.model import Anchor, Fate
from anchormem.store import fates, memories
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE

OLD = {"epoch": "0.old", "body": b"\1" * 16, "signature": b"\2" * 16, "doc": b"\3" * 16}
LEDGER = """class Ledger {
public:
    int open(int rows) { return rows > 50 ? rows * 2 : rows - 1; }
    int settle(int rows) { return rows > 60 ? rows * 3 : rows - 2; }
};
"""
ROWS = "const first = 10, second = (rows) => rows.filter((row) => row.due < 50).map((row) => row.id);\n"
PACKAGE = '{"scripts": {"build": "make all", "test": "pytest"}}\n'


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


# ── what the kept text does not hold ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "text", "name", "change"),
    [
        ("ledger.cpp", LEDGER, "Ledger.settle", ("    int settle", "private:\n    int settle")),
        ("ledger.cpp", LEDGER, "Ledger.settle", ("public", "protected")),
        ("rows.js", ROWS, "second", ("const", "let")),
    ],
)
def test_a_label_or_a_shared_keyword_changed_together_with_the_recipe_is_never_taken_for_unchanged(
    project: Project, path: str, text: str, name: str, change: tuple[str, str]
) -> None:
    old, new = change
    project.write(path, text)
    project.commit()
    project.sweep()
    memory = rewritten(project, project.remember(f"{path}::{name}"))
    project.write(path, text.replace(old, new))
    assert told(project.fate(memory)) == ("unknown", "epoch")
    project.write(path, text.replace(old, new).replace("60", "61").replace("50", "51"))
    assert project.fate(memory).name in ("stale", "unknown")
    project.write(path, text)
    assert told(project.fate(memory)) == ("fresh", "")


@pytest.mark.parametrize(
    ("path", "text", "name", "change"),
    [
        ("ledger.cpp", LEDGER, "Ledger.settle", ("60 ?", "60    ?")),
        ("rows.js", ROWS, "second", ("(row) =>", "row =>")),
        ("package.json", PACKAGE, "scripts.build", (': "make', ':    "make')),
    ],
)
def test_a_reformatted_body_is_fresh_with_a_label_a_shared_keyword_or_as_a_key(
    project: Project, path: str, text: str, name: str, change: tuple[str, str]
) -> None:
    old, new = change
    project.write(path, text)
    project.commit()
    project.sweep()
    memory = rewritten(project, project.remember(f"{path}::{name}"))
    project.write(path, text.replace(old, new))
    assert told(project.fate(memory)) == ("fresh", "")


def test_text_kept_at_another_margin_is_read_at_todays(queue: Project) -> None:
    """A function that moved into a class before the recipe changed."""
    memory = queue.remember("src/queue.py::drain")
    at = QUEUE.index("def drain")
    inside = "class Lines:\n    kept = 1\n\n" + textwrap.indent(QUEUE[at:], "    ")
    queue.write("src/queue.py", QUEUE[:at])
    queue.write("src/lines.py", inside)
    assert queue.fate(memory).name == "followed"
    rewritten(queue, memory)
    assert told(queue.fate(memory)) == ("followed", "")
    queue.write("src/lines.py", inside.replace("pop(0)", "pop()"))
    assert told(queue.fate(memory)) == ("stale", "body_edited")


# ── what is followed by, and quotes ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("aspect", ["body", "signature", "exists"])
def test_code_moved_together_with_the_recipe_is_unknown_never_stale_or_dead(queue: Project, aspect: str) -> None:
    """The body it was last seen with is a digest of the old recipe: finding none like it proves nothing."""
    memory = queue.remember({"file": "src/queue.py", "symbol": "drain", "aspect": aspect})
    rewritten(queue, memory)
    (anchor,) = memories.one(queue.ws.store, memory).anchors
    with queue.ws.store.deriving():
        row = fates.FateRow(anchor.id, 0, Fate("fresh"), proven=anchor.slot, seen_body=b"\1" * 16)
        fates.put_many(queue.ws.store, [row])
    queue.move("src/queue.py", "src/lines.py")
    queue.commit()
    assert told(queue.fate(memory)) == ("unknown", "epoch")
    queue.move("src/lines.py", "src/queue.py")
    assert told(queue.fate(memory)) == ("fresh", "")


def test_a_quote_is_looked_for_as_it_was_given_when_tokens_are_spelled_otherwise(queue: Project) -> None:
    given = {"file": "src/queue.py", "symbol": "drain", "quote": "len(taken) < batch"}
    memory = rewritten(queue, queue.remember(given), quote_tokens=("len", "of", "old"))
    assert told(queue.fate(memory)) == ("fresh", "")
    queue.replace("src/queue.py", "< batch", "<= batch")
    assert told(queue.fate(memory)) == ("stale", "quote_gone")

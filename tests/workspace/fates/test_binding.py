"""From what a caller names to anchors, or a refusal that says what would work."""

import pytest

from anchormem.errors import AmbiguousSymbol, AnchormemError, BadPath, NotFound, Refused, SecretFound, UsageError
from anchormem.store import memories
from anchormem.workspace.binding import Given, bind, paths_of, printed, rebind
from workspace.fates.conftest import Project
from workspace.fates.samples import QUEUE, TALLY


@pytest.fixture
def queue(project: Project) -> Project:
    project.write("src/queue.py", QUEUE)
    project.write(
        "src/both.py", "class Parser:\n    def parse(self):\n        return 1\n\n\ndef parse():\n    return 2\n"
    )
    project.commit()
    project.sweep()
    return project


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("src/queue.py", "src/queue.py"),
        ("src/queue.py::drain", "src/queue.py::drain"),
        ({"file": "src/queue.py", "symbol": "seed"}, "src/queue.py::Queue.seed"),
        ({"file": "src/queue.py", "symbol": "src/queue.py::Queue.seed"}, "src/queue.py::Queue.seed"),
        ({"file": "src/queue.py::Queue.seed"}, "src/queue.py::Queue.seed"),
        ({"file": "./src//queue.py", "symbol": "Queue"}, "src/queue.py::Queue"),
        ({"file": "src/queue.py", "symbol": "drain", "aspect": "signature"}, "src/queue.py::drain [signature]"),
        ({"file": "src/queue.py", "symbol": "drain", "quote": "pop(0)"}, 'src/queue.py::drain "pop(0)"'),
        ({"file": "src/queue.py", "quote": "LIMIT = 50"}, 'src/queue.py "LIMIT = 50"'),
        ("src/both.py::parse", "src/both.py::parse"),
        ("src/queue.py::seed", "src/queue.py::Queue.seed"),
    ],
)
def test_every_form_names_one_thing(queue: Project, given: Given, shown: str) -> None:
    (anchor,) = bind(queue.ws, [given])
    assert printed(anchor) == shown


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("src/nothing.py", NotFound, "src/nothing.py"),
        ("src/queue.py::dran", NotFound, "drain"),
        ({"file": "src/both.py", "symbol": "parse"}, AmbiguousSymbol, "src/both.py::Parser.parse"),
        ("/etc/passwd", BadPath, ""),
        ("../out.py", BadPath, ""),
        ({"symbol": "drain"}, UsageError, "file"),
        ({"file": "src/queue.py", "aspect": "signature"}, UsageError, "symbol"),
        ({"file": "src/queue.py", "symbol": "drain", "aspect": "soul"}, UsageError, "signature"),
        ({"file": "src/queue.py", "symbol": "drain", "aspect": "exists", "quote": "pop"}, Refused, "both"),
        ({"file": "src/queue.py", "symbol": "drain", "quote": "# nothing"}, Refused, ""),
        ({"file": "src/queue.py", "symbol": "drain", "quote": "op(0"}, Refused, ""),
        ({"file": "src/queue.py", "symbol": ["drain"]}, UsageError, "text"),
    ],
)
def test_what_cannot_be_anchored_is_refused_with_what_would_work(
    queue: Project, given: Given, error: type[AnchormemError], words: str
) -> None:
    with pytest.raises(error) as refused:
        bind(queue.ws, [given])
    assert words in f"{refused.value.message} {refused.value.hint}"


def test_ignored_files_cannot_be_anchored(queue: Project) -> None:
    queue.write(".gitignore", ".env\n")
    queue.write(".env", "A=1\n")
    with pytest.raises(BadPath):
        bind(queue.ws, [".env"])


def test_a_file_without_grammar_is_offered_as_a_file(queue: Project) -> None:
    queue.write("main.zig", "pub fn main() void {}\n")
    with pytest.raises(Refused) as refused:
        bind(queue.ws, ["main.zig::main"])
    assert "anchor the file itself" in refused.value.hint
    assert printed(bind(queue.ws, ["main.zig"])[0]) == "main.zig"


def test_a_secret_in_an_anchor_is_refused_and_never_shown(queue: Project) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(SecretFound) as refused:
        bind(queue.ws, [{"file": "src/queue.py", "symbol": "drain", "quote": secret}])
    assert secret not in f"{refused.value.message} {refused.value.hint}"


def test_secret_shaped_and_overlong_code_is_anchored_without_its_text(queue: Project) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    queue.write("src/keys.py", f'TOKEN = "{secret}"\n\nTABLE = [{"1, " * 40_000}]\n')
    token, table = bind(queue.ws, ["src/keys.py::TOKEN", "src/keys.py::TABLE"])
    assert (token.text, table.text) == (None, None)
    assert token.body is not None


def test_an_anchor_knows_its_commit_and_whether_the_file_was_dirty(queue: Project) -> None:
    (clean,) = bind(queue.ws, ["src/queue.py::drain"])
    queue.replace("src/queue.py", "LIMIT = 50", "LIMIT = 51")
    (dirty,) = bind(queue.ws, ["src/queue.py::drain"])
    assert clean.commit == queue.git("rev-parse", "HEAD")
    assert (clean.dirty, dirty.dirty) == (False, True)


def test_twins_are_noted_when_an_anchor_is_written(queue: Project) -> None:
    queue.write("one.py", TALLY)
    queue.write("two.py", TALLY)
    queue.sweep()
    (anchor,) = bind(queue.ws, ["one.py::tally"])
    assert [str(twin) for twin in anchor.twins] == ["two.py::tally"]


def test_rebinding_takes_todays_code_where_it_is_now(queue: Project) -> None:
    memory = queue.remember(
        "src/queue.py::drain", {"file": "src/queue.py", "symbol": "Queue.seed", "aspect": "signature"}
    )
    queue.replace("src/queue.py", "pop(0)", "pop()")
    queue.move("src/queue.py", "src/line.py")
    queue.replace("src/line.py", "pop()", "pop(0)")
    queue.call()
    before = memories.one(queue.ws.store, memory).anchors
    assert [printed(anchor) for anchor in rebind(queue.ws, before)] == [
        "src/line.py::drain",
        "src/line.py::Queue.seed [signature]",
    ]


def test_what_is_lost_or_ambiguous_cannot_be_rebound(queue: Project) -> None:
    memory = queue.remember("src/queue.py::drain")
    body = QUEUE[QUEUE.index("def drain") :]
    queue.replace("src/queue.py", body, "")
    queue.write("one.py", body)
    queue.write("two.py", body)
    queue.call()
    with pytest.raises(Refused) as refused:
        rebind(queue.ws, memories.one(queue.ws.store, memory).anchors)
    assert "one.py::drain" in refused.value.hint


def test_paths_are_read_from_every_form() -> None:
    given: list[Given] = ["a.py", "b.py::f", {"file": "c.py", "symbol": "g"}, {"symbol": "h"}, "a.py"]
    assert paths_of(given) == ("a.py", "b.py", "c.py")

"""Names that mean nothing here: remember and map tell the same, and what was probably meant."""

from collections.abc import Callable

import pytest

from anchormem.errors import AnchormemError
from anchormem.workspace.nearest import JSON
from workspace.answers.desk import Desk


def told(ask: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(AnchormemError) as refused:
        ask()
    return refused.value.message, refused.value.hint


MISTYPED = (
    ("lib/qeue.py", "no such file: lib/qeue.py", "did you mean lib/queue.py, lib/use.py?"),
    ("lob/queue.py", "no such file: lob/queue.py", "did you mean lib/queue.py?"),
    ("queue.py", "no such file: queue.py", "did you mean lib/queue.py?"),
    ("lib/qeue.py::seed", "no such file: lib/qeue.py", "did you mean lib/queue.py::seed, lib/use.py::seed?"),
    ("lib/queue.py:seed", "no such file: lib/queue.py:seed", "did you mean lib/queue.py::seed?"),
    ("lib/queue.py#seed", "no such file: lib/queue.py#seed", "did you mean lib/queue.py::seed?"),
    ("lib/queue.py:12", "no such file: lib/queue.py:12", "did you mean lib/queue.py?"),
    ("{file: lib/queue.py}", "no such file: {file: lib/queue.py}", f"as JSON it would be {JSON}"),
    ("far/away/x.py", "no such file: far/away/x.py", "its folder does not exist either"),
)


@pytest.mark.parametrize("form", ["remember", "map"])
def test_a_mistyped_file_is_answered_with_what_is_called_nearly_so(desk: Desk, form: str) -> None:
    for given, what, hint in MISTYPED:
        said = told(lambda: desk.map(given) if form == "map" else desk.know("x", given))  # noqa: B023 — called at once
        assert said == (what, hint), given


def test_a_symbol_in_the_place_of_a_file_is_answered_with_where_it_is(desk: Desk) -> None:
    assert told(lambda: desk.know("x", "batch")) == (
        "no such file: batch",
        "did you mean lib/queue.py::ScanQueue.batch?",
    )


def test_a_mistyped_symbol_is_answered_with_symbols_and_not_with_files(desk: Desk) -> None:
    what, hint = told(lambda: desk.map("ScanQueue.bath"))
    assert what == "nothing indexed is called 'ScanQueue.bath'"
    assert hint.startswith("closest: ScanQueue.batch, ")
    assert ".py" not in hint


def test_a_file_with_colons_in_its_name_and_its_folder_get_hints_that_can_both_be_followed(desk: Desk) -> None:
    desk.write("a::b.py", "x = 1\n")
    for ask in (lambda: desk.map("a::b.py"), lambda: desk.know("x", "a::b.py")):
        what, hint = told(ask)
        assert what == "a file whose name holds :: cannot be named: a::b.py"
        assert "rename the file" in hint
        assert "folder" not in hint
    for folder in (".", "lib"):
        what, hint = told(lambda: desk.know("x", folder))  # noqa: B023 — called at once
        assert what == f"{folder} is a folder and cannot be anchored"
        assert hint == "name a file in it; what holds for all of it needs no anchor"


# fmt: off
UNPARSED = (
    ("big.py", b"x = 1\n" * 100_000, "it has 585 KB, and files over 512 KB are not parsed", "split it"),
    ("bin.py", b"x\0y", "it is binary", ""),
    ("latin.py", b"name = '\xe9\xff'\n", "it is not UTF-8 and names no encoding", "save it as UTF-8"),
    ("deep.json", b"[" * 60_000, "the grammar gives up on it", "split it"),
    ("page.foo", b"x\n", "there is no grammar for .foo files", '"extensions": {".foo"'),
    ("Reading", b"x\n", "there is no grammar for Reading files", ""),
)
# fmt: on


@pytest.mark.parametrize(("name", "content", "why", "remedy"), UNPARSED)
def test_a_file_without_symbols_says_which_of_the_reasons_it_is_and_what_to_do(
    desk: Desk, name: str, content: bytes, why: str, remedy: str
) -> None:
    (desk.root / name).write_bytes(content)
    what, hint = told(lambda: desk.know("x", f"{name}::seed"))
    assert what.startswith(f"{name} has no symbols: {why}")
    assert hint.startswith(f"anchor the file itself: {name}")
    assert remedy in hint
    what, hint = told(lambda: desk.map(f"{name}::seed"))
    assert what.startswith(f"{name} has no symbols: {why}")
    assert remedy in hint
    assert str(desk.map(name)["note"]).startswith(f"no symbols: {why}")
    assert remedy in str(desk.map(name)["note"])


def test_a_file_that_is_not_even_read_says_why(desk: Desk) -> None:
    with (desk.root / "huge.py").open("wb") as file:
        file.truncate(9 << 20)
    what, _ = told(lambda: desk.map("huge.py"))
    assert what == "huge.py cannot be mapped: it is over 8 MB, and such files are not indexed"

"""Which file an import means, by its spelling, in each language's own way."""

import pytest

from anchormem.model import Import
from anchormem.workspace import neighbours
from workspace.answers.desk import Desk

MEANS: list[tuple[str, Import, str, str, bool]] = [
    ("a Python module", Import("lib.queue", ("ScanQueue",), 1), "app/main.py", "lib/queue.py", True),
    ("a Python module below src", Import("pkg.queue", (), 1), "src/pkg/main.py", "src/pkg/queue.py", True),
    ("a Python package", Import("pkg", (), 1), "main.py", "pkg/__init__.py", True),
    ("a module out of a package", Import("pkg", ("queue",), 1), "main.py", "pkg/queue.py", True),
    ("a relative Python import", Import(".queue", ("x",), 1), "pkg/main.py", "pkg/queue.py", True),
    ("one package up", Import("..queue", (), 1), "pkg/inner/main.py", "pkg/queue.py", True),
    ("another queue is not meant", Import(".queue", (), 1), "pkg/main.py", "other/queue.py", False),
    ("a script beside", Import("./shape", ("Shape",), 1), "web/circle.ts", "web/shape.ts", True),
    ("a script with its suffix", Import("../shape.js", (), 1), "web/a/circle.ts", "web/shape.js", True),
    ("a folder with an index", Import("./shapes", (), 1), "web/a.tsx", "web/shapes/index.tsx", True),
    ("a Rust module", Import("crate::shape", ("Area",), 1), "src/lib.rs", "src/shape.rs", True),
    ("a Rust module in a folder", Import("crate::shape", (), 1), "src/lib.rs", "src/shape/mod.rs", True),
    ("a Java class", Import("com.f", ("Base",), 1), "com/f/User.java", "com/f/Base.java", True),
    ("a PHP class", Import("App\\Models\\User", (), 1), "src/App/Http.php", "src/App/Models/User.php", True),
    ("a C header", Import("util/list.h", (), 1), "src/main.c", "include/util/list.h", True),
    ("another header of that name", Import("list.hpp", (), 1), "src/main.cpp", "src/list.h", False),
    ("a relative path out of the root", Import("../../x", (), 1), "a/b.ts", "x.ts", False),
]


@pytest.mark.parametrize(("what", "one", "at", "path", "expected"), MEANS, ids=[row[0] for row in MEANS])
def test_an_import_means_the_file_its_language_would_find(
    what: str, one: Import, at: str, path: str, *, expected: bool
) -> None:
    assert neighbours.means(one, at, path) is expected, what


def test_neighbours_are_found_in_both_directions(desk: Desk) -> None:
    assert neighbours.of(desk.ws, ["lib/queue.py"]) == {"lib/use.py"}
    assert neighbours.of(desk.ws, ["lib/use.py"]) == {"lib/queue.py"}
    assert neighbours.of(desk.ws, ["lib/use.py", "lib/queue.py", "nowhere.py"]) == set()

"""Map: files, symbols, folders, kin, and names that mean nothing."""

from dataclasses import replace

import pytest

from anchormem.errors import BadPath, NotFound
from anchormem.reason.envelope import compact
from anchormem.workspace import stamps
from anchormem.workspace.map import map_target
from workspace.answers.desk import Desk, part, rows

SEED = {"file": "lib/queue.py", "symbol": "seed"}


def names(rows: object) -> list[str]:
    assert isinstance(rows, list)
    return [str(row["name"]) for row in rows]


def test_a_file_shows_its_symbols_imports_and_memories(desk: Desk) -> None:
    name = desk.know("main drains the queue once", {"file": "lib/use.py", "symbol": "main"})
    shown = desk.map("lib/use.py")
    assert (shown["file"], shown["language"], shown["lines"]) == ("lib/use.py", "python", 6)
    assert names(shown["symbols"]) == ["main"]
    assert shown["imports"] == [{"module": "lib.queue", "names": ["ScanQueue"]}]
    assert [item["id"] for item in rows(shown, "memories")] == [name]


def test_a_file_without_symbols_still_shows_its_memories(desk: Desk) -> None:
    desk.write("data/table.csv", "a,b\n1,2\n")
    name = desk.know("the table is made by hand", "data/table.csv")
    shown = desk.map("data/table.csv")
    assert "symbols" not in shown
    assert [item["id"] for item in rows(shown, "memories")] == [name]
    assert "no symbols" in str(shown["note"])


def test_the_detail_grows_from_outline_to_body(desk: Desk) -> None:
    outline = rows(desk.map("lib/use.py"), "symbols")
    signature = rows(desk.map("lib/use.py", detail="signature"), "symbols")
    body = rows(desk.map("lib/use.py", detail="body"), "symbols")
    assert outline == [{"name": "main", "kind": "function", "lines": "4-6"}]
    assert signature[0]["signature"] == "def main(paths)"
    assert "return queue.seed(paths)" in str(body[0]["text"])


def test_a_caller_is_listed_once_however_often_and_by_whatever_ways_it_calls(desk: Desk) -> None:
    desk.write(
        "lib/ways.py",
        "def aim():\n    return ring()\n\n\ndef left():\n    return aim()\n\n\n"
        "def right():\n    return aim() + aim()\n\n\n"
        "def both():\n    return left() + right() + left()\n\n\ndef near():\n    return aim() + left()\n\n\n"
        "def ring():\n    return left()\n",
    )
    kin = part(desk.map("lib/ways.py::aim"), "lineage")
    assert [(str(row["at"]).partition("::")[2], row["depth"]) for row in rows(kin, "callers")] == [
        ("left", 1),
        ("right", 1),
        ("near", 1),
        ("both", 2),
        ("ring", 2),
    ]


@pytest.mark.parametrize("target", ["lib/queue.py::ScanQueue.seed", "ScanQueue.seed", "seed", "seed()"])
def test_a_symbol_is_found_by_any_of_its_names_with_its_callers(desk: Desk, target: str) -> None:
    name = desk.know("seed takes the first paths", SEED)
    desk.know("batch cuts slices", {"file": "lib/queue.py", "symbol": "batch"})
    shown = desk.map(target)
    assert shown["symbol"] == "lib/queue.py::ScanQueue.seed"
    assert shown["signature"] == "def seed(self, paths, limit=200)"
    assert [item["id"] for item in rows(shown, "memories")] == [name]
    assert shown["lineage"] == {
        "callers": [{"at": "lib/use.py::main", "rel": "calls", "is": "unique", "depth": 1, "line": 6}]
    }
    assert "without types" in str(shown["limits"])


def test_a_class_shows_ancestors_descendants_and_the_memories_on_its_members(desk: Desk) -> None:
    name = desk.know("seed takes the first paths", SEED)
    desk.write("lib/deep.py", "from lib.queue import ScanQueue\n\n\nclass DeepQueue(ScanQueue):\n    depth = 3\n")
    desk.admin("index")
    shown = desk.map("ScanQueue")
    lineage = shown["lineage"]
    assert isinstance(lineage, dict)
    assert lineage["ancestors"] == [
        {"at": "lib/queue.py::Base", "rel": "extends", "is": "unique", "depth": 1, "line": 12}
    ]
    assert lineage["descendants"] == [
        {"at": "lib/deep.py::DeepQueue", "rel": "extends", "is": "unique", "depth": 1, "line": 4}
    ]
    assert [item["id"] for item in rows(shown, "memories")] == [name]


def test_lineage_goes_deep_and_says_what_it_cannot_tell(desk: Desk) -> None:
    desk.write("lib/a.py", "from somewhere import Foreign\n\n\nclass A(Foreign):\n    x = 1\n")
    desk.write("lib/b.py", "from lib.a import A\n\n\nclass B(A):\n    y = 1\n")
    desk.write("lib/c.py", "from lib.b import B\n\n\nclass C(B):\n    z = 1\n")
    desk.admin("index")
    lineage = desk.map("lib/c.py::C")["lineage"]
    assert isinstance(lineage, dict)
    assert [(row["at"], row["is"], row["depth"]) for row in lineage["ancestors"]] == [
        ("lib/b.py::B", "unique", 1),
        ("lib/a.py::A", "unique", 2),
        ("Foreign", "unresolved", 3),
    ]


def test_a_call_that_may_mean_several_is_ambiguous(desk: Desk) -> None:
    desk.write("lib/one.py", "class One:\n    def settle(self):\n        return sum([1, 2, 3])\n")
    desk.write("lib/two.py", "class Two:\n    def settle(self):\n        return max([1, 2, 3])\n")
    desk.write("lib/pay.py", "def pay(account):\n    return account.settle()\n")
    desk.admin("index")
    lineage = desk.map("One.settle")["lineage"]
    assert isinstance(lineage, dict)
    assert [(row["at"], row["is"]) for row in lineage["callers"]] == [("lib/pay.py::pay", "ambiguous")]


def test_a_call_means_nothing_that_its_language_cannot_call(desk: Desk) -> None:
    desk.write("lib/view.py", "class View:\n    def draw(self):\n        return sum([1, 2, 3])\n")
    desk.write("lib/leaf.py", "from lib.view import View\n\n\nclass Leaf(View):\n    y = 1\n")
    desk.write("web/app.js", "class Page extends View {\n  open(items) {\n    return new View(items).draw();\n  }\n}\n")
    desk.admin("index")
    lineage = desk.map("lib/view.py::View")["lineage"]
    assert isinstance(lineage, dict)
    assert [row["at"] for row in lineage["descendants"]] == ["lib/leaf.py::Leaf"]
    assert "callers" not in lineage
    page = desk.map("Page")["lineage"]
    assert isinstance(page, dict)
    assert [(row["at"], row["is"]) for row in page["ancestors"]] == [("View", "unresolved")]
    desk.write("web/view.ts", "export class View {\n  draw(): number {\n    return [1, 2, 3].length;\n  }\n}\n")
    desk.admin("index")
    lineage = desk.map("web/view.ts::View")["lineage"]
    assert isinstance(lineage, dict)
    assert [(row["at"], row["is"]) for row in lineage["callers"]] == [("web/app.js::Page.open", "unique")]


def test_a_name_of_several_symbols_lists_them_and_chooses_none(desk: Desk) -> None:
    desk.write("lib/more.py", "def seed(paths):\n    return sorted(paths)\n")
    desk.admin("index")
    shown = desk.map("seed")
    matches = shown["matches"]
    assert isinstance(matches, list)
    assert {row["symbol"] for row in matches} == {"lib/queue.py::ScanQueue.seed", "lib/more.py::seed"}
    assert "lineage" not in shown


def test_a_folder_shows_files_and_folders_with_counts(desk: Desk) -> None:
    desk.know("seed takes the first paths", SEED)
    desk.write("lib/deep/inner.py", "X = 1\n")
    desk.admin("index")
    shown = desk.map("lib/")
    assert shown["files"] == [
        {"file": "lib/queue.py", "symbols": 7, "memories": 1},
        {"file": "lib/use.py", "symbols": 1},
    ]
    assert shown["folders"] == [{"folder": "lib/deep", "files": 1}]
    assert desk.map(".")["files_below"] == 4


def test_a_file_that_was_never_indexed_is_mapped_as_it_is_now(desk: Desk) -> None:
    desk.write("lib/new.py", "def fresh_one():\n    return 1\n")
    assert names(desk.map("lib/new.py")["symbols"]) == ["fresh_one"]
    assert desk.map("fresh_one")["symbol"] == "lib/new.py::fresh_one"


def test_a_folder_younger_than_the_index_is_mapped_with_its_files(desk: Desk) -> None:
    desk.map(".")
    desk.write("young/new.py", "X = 1\n")
    assert desk.map("young")["files"] == [{"file": "young/new.py", "symbols": 1}]


@pytest.mark.parametrize(("indexed_at", "under_way"), [(0, False), (1, True)])
def test_an_unknown_name_while_the_index_is_not_whole_is_no_verdict(
    desk: Desk, indexed_at: int, monkeypatch: pytest.MonkeyPatch, *, under_way: bool
) -> None:
    desk.know("seed takes the first paths", SEED)
    monkeypatch.setattr("anchormem.workspace.map._finish", lambda _: False)
    before = stamps.read(desk.ws.store)
    with desk.ws.store.deriving():
        stamps.write(desk.ws.store, before, replace(before, indexed_at=indexed_at, open=under_way))
    with pytest.raises(NotFound) as caught:
        desk.map("whatever_this_is")
    assert "so far" in caught.value.message
    assert "not complete" in caught.value.hint


def test_a_deleted_symbol_leaves_no_ghost(desk: Desk) -> None:
    desk.edit("lib/use.py", "def main(paths):\n    queue = ScanQueue()\n    return queue.seed(paths)\n", "")
    assert "symbols" not in desk.map("lib/use.py")
    with pytest.raises(NotFound):
        desk.map("main")


def test_nothing_indexed_is_an_error_with_near_names(desk: Desk) -> None:
    with pytest.raises(NotFound) as caught:
        desk.map("ScanQueu")
    assert "ScanQueue" in caught.value.hint
    with pytest.raises(NotFound) as caught:
        desk.map("lib/queue.py::sead")
    assert "seed" in caught.value.hint
    with pytest.raises(NotFound):
        desk.map("lib/nowhere.py")
    for outside in ("/etc/passwd", "../x", ".git/config"):
        with pytest.raises(BadPath):
            desk.map(outside)


def test_keys_of_configuration_files_are_found_on_demand(desk: Desk) -> None:
    desk.write("package.json", '{"scripts": {"build": "tsc -p .", "test": "jest"}}\n')
    shown = desk.map("package.json::scripts.build", detail="body")
    assert shown["symbol"] == "package.json::scripts.build"
    assert "tsc" in str(shown["text"])


@pytest.mark.parametrize("target", ["lib/queue.py", "ScanQueue", "."])
def test_the_reply_stays_within_its_budget(desk: Desk, target: str) -> None:
    for number in range(60):
        desk.write(
            f"lib/many{number}.py", f"from lib.queue import ScanQueue\n\n\nclass Q{number}(ScanQueue):\n    pass\n"
        )
    desk.know("a long memory " * 300, SEED)
    desk.admin("index")
    reply = map_target(desk.ws, {"target": target, "budget_tokens": 400})
    assert len(compact({"data": reply.data, "meta": reply.meta}).encode()) <= 1600


KIN: list[tuple[str, dict[str, str], str, tuple[str, str, str]]] = [
    (
        "a Rust trait",
        {
            "src/lib.rs": "use crate::shape::Area;\npub struct Circle { r: f64 }\n"
            "impl Area for Circle { fn area(&self) -> f64 { self.r * self.r } }\n",
            "src/shape.rs": "pub trait Area { fn area(&self) -> f64; }\n",
        },
        "src/lib.rs::Circle",
        ("src/shape.rs::Area", "impl_trait", "unique"),
    ),
    (
        "a Go embedding",
        {"a.go": "package a\n\ntype Base struct { ID int }\n\ntype User struct {\n\tBase\n\tName string\n}\n"},
        "a.go::User",
        ("a.go::Base", "embeds", "unique"),
    ),
    (
        "a TypeScript class",
        {
            "shape.ts": "export interface Shape { area(): number }\n",
            "circle.ts": "import { Shape } from './shape';\nexport class Circle implements Shape { area() {} }\n",
        },
        "Circle",
        ("shape.ts::Shape", "implements", "unique"),
    ),
    (
        "a Java class",
        {
            "com/f/Base.java": "package com.f;\npublic class Base { int id() { return 1; } }\n",
            "com/f/User.java": "package com.f;\nimport com.f.Base;\npublic class User extends Base { }\n",
        },
        "User",
        ("com/f/Base.java::Base", "extends", "unique"),
    ),
    (
        "a C# class, whose one syntax serves classes and interfaces",
        {"A.cs": "interface I { int M(); }\nclass A : I { public int M() { return 1; } }\n"},
        "A.cs::A",
        ("A.cs::I", "implements", "unique"),
    ),
]


@pytest.mark.parametrize(("what", "files", "target", "expected"), KIN, ids=[row[0] for row in KIN])
def test_kin_are_found_in_every_language(
    desk: Desk, what: str, files: dict[str, str], target: str, expected: tuple[str, str, str]
) -> None:
    for path, text in files.items():
        desk.write(path, text)
    desk.admin("index")
    (kin,) = rows(part(desk.map(target), "lineage"), "ancestors")
    assert (kin["at"], kin["rel"], kin["is"]) == expected, what
    (back,) = rows(part(desk.map(expected[0]), "lineage"), "descendants")
    assert (back["rel"], back["is"]) == expected[1:]


def test_code_that_looks_like_a_secret_is_not_shown(desk: Desk) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    desk.write("lib/keys.py", f'API_TOKEN = "{token}"\n\n\ndef ask():\n    return fetch(API_TOKEN)\n')
    name = desk.know("ask takes the token from a constant", {"file": "lib/keys.py", "symbol": "API_TOKEN"})
    desk.edit("lib/keys.py", token[-4:], "zzZZ")
    for answer in (desk.map("lib/keys.py", detail="body"), desk.map("API_TOKEN"), desk.whole(name), desk.queue()):
        assert token[:20] not in compact(answer)

"""Another recipe, and another version of the grammars, in real processes over one store: no memory grows stale of it,
and an edit made meanwhile is seen all the same."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import anchormem
from journeys.conftest import Desk
from server.wire import Pipes

PYTHON = '''LIMIT = 50


class Queue:
    def seed(self, paths, limit=200):
        """Takes the first paths."""
        chosen = [path for path in paths if len(path) < limit]
        return self.batch(chosen)


def drain(queue, batch):
    taken = []
    while queue.items and len(taken) < batch:
        taken.append(queue.items.pop(0))
    return taken
'''
CPP = """class Ledger {
public:
    int open(int rows) { return rows > 50 ? rows * 2 : rows - 1; }
    int settle(int rows) { return rows > 60 ? rows * 3 : rows - 2; }
};
"""
JAVASCRIPT = "export const first = 10, second = (rows) => rows.filter((row) => row.due < 50).map((row) => row.id);\n"
FILES = {
    "src/queue.py": PYTHON,
    "ledger.cpp": CPP,
    "rows.js": JAVASCRIPT,
    "package.json": '{"scripts": {"build": "make all && make install", "test": "pytest"}}\n',
    "notes.md": "# Start\n\nRun make start and wait until the port is open for everybody.\n\n# Stop\n\nKill it.\n",
}
ANCHORS: dict[str, object] = {
    "body": "src/queue.py::drain",
    "constant": "src/queue.py::LIMIT",
    "method": "src/queue.py::Queue.seed",
    "class": "src/queue.py::Queue",
    "signature": {"file": "src/queue.py", "symbol": "drain", "aspect": "signature"},
    "exists": {"file": "src/queue.py", "symbol": "drain", "aspect": "exists"},
    "quote": {"file": "src/queue.py", "symbol": "drain", "quote": "len(taken) < batch"},
    "quote of a file": {"file": "src/queue.py", "quote": "LIMIT = 50"},
    "file": "src/queue.py",
    "labelled": "ledger.cpp::Ledger.settle",
    "sharing": "rows.js::second",
    "key": "package.json::scripts.build",
    "section": "notes.md::Start",
}


class Programs:
    """One repository and store, met by programs of different epochs, one at a time."""

    def __init__(self, root: Path, copies: Path) -> None:
        self.root = root
        self.copies = copies

    @contextmanager
    def running(self, path: Path | None = None) -> Iterator[Desk]:
        env = {"PYTHONPATH": str(path)} if path else {}
        with Pipes(self.root, env=env) as pipes:
            pipes.shake_hands()
            yield Desk(self.root, pipes)

    def other_recipe(self) -> Path:
        """This program with other digests, another spelling of tokens, and a recipe of its own number."""
        made = self.copies / "recipe"
        shutil.copytree(Path(anchormem.__file__).parent, made / "anchormem", ignore=shutil.ignore_patterns("*.pyc"))
        change(made / "anchormem/languages/registry.py", r"^RECIPE = (\d+)", "RECIPE = 9\\g<1>")
        change(
            made / "anchormem/syntax/fingerprint.py", r'xxh3_128\(b"(body|signature|shared)"\)', r'xxh3_128(b"new \1")'
        )
        change(made / "anchormem/syntax/quotes.py", r"return token\.own or ", "return token.own or '~' + ")
        return made

    def other_grammars(self) -> Path:
        """As after an upgrade of the language pack in place."""
        made = self.copies / "grammars"
        told = made / "tree_sitter_language_pack-0.99.0.dist-info"
        told.mkdir(parents=True)
        (told / "METADATA").write_text("Metadata-Version: 2.1\nName: tree-sitter-language-pack\nVersion: 0.99.0\n")
        return made


def change(path: Path, pattern: str, by: str) -> None:
    text, count = re.subn(pattern, by, path.read_text("utf-8"), flags=re.MULTILINE)
    assert count, (path, pattern)
    path.write_text(text, "utf-8")


@pytest.fixture
def programs(repository: Path, tmp_path: Path) -> Programs:
    return Programs(repository, tmp_path / "copies")


def remembered(desk: Desk) -> dict[str, str]:
    for path, text in FILES.items():
        desk.write(path, text)
    desk.commit()
    held = {name: desk.remember(anchor) for name, anchor in ANCHORS.items()}
    assert fates(desk, held) == dict.fromkeys(ANCHORS, "fresh")
    return held


def fates(desk: Desk, held: dict[str, str]) -> dict[str, str]:
    data = desk.answer("admin", op="get", ids=list(held.values()))
    assert isinstance(data, list)
    told = {memory["id"]: memory["anchors"][0] for memory in data}
    words = {name: (told[memory]["fate"], told[memory].get("reason", "")) for name, memory in held.items()}
    return {name: f"{fate}:{reason}" if reason else str(fate) for name, (fate, reason) in words.items()}


def epochs(desk: Desk, held: dict[str, str]) -> dict[str, object]:
    data = desk.answer("admin", op="get", ids=list(held.values()))
    assert isinstance(data, list)
    return {memory["id"]: memory["anchors"][0]["why"].get("epoch") for memory in data}


def test_an_upgrade_alone_leaves_every_memory_active_there_and_back(programs: Programs) -> None:
    with programs.running() as desk:
        held = remembered(desk)
        before = epochs(desk, held)
    for program in (programs.other_recipe(), None, programs.other_grammars()):
        with programs.running(program) as desk:
            assert fates(desk, held) == dict.fromkeys(ANCHORS, "fresh")
            desk.answer("admin", op="index")
            assert fates(desk, held) == dict.fromkeys(ANCHORS, "fresh")
            assert epochs(desk, held) == before  # re-stamps never reach the memory


EDITS: dict[str, tuple[str, str, str, str]] = {
    "body": ("src/queue.py", "pop(0)", "pop(1)", "stale:body_edited"),
    "constant": ("src/queue.py", "LIMIT = 50", "LIMIT = 51", "stale:body_edited"),
    "signature": ("src/queue.py", "drain(queue, batch)", "drain(queue, batch=1)", "stale:signature_edited"),
    "quote": ("src/queue.py", "len(taken) < batch", "len(taken) <= batch", "stale:quote_gone"),
    "method": ("src/queue.py", "< limit", "<= limit", "stale:body_edited"),
    "sharing": ("rows.js", "due < 50", "due < 51", "stale:body_edited"),
    "key": ("package.json", "make all", "make some", "stale:body_edited"),
    "section": ("notes.md", "make start", "make begin", "stale:body_edited"),
}


def test_an_edit_made_during_an_upgrade_is_noticed_and_named(programs: Programs) -> None:
    with programs.running() as desk:
        held = remembered(desk)
    for path, old, new, _ in EDITS.values():
        desk.write(path, (desk.root / path).read_text().replace(old, new))
    upgraded = programs.other_recipe()
    with programs.running(upgraded) as desk:
        told = fates(desk, held)
        assert {name: told[name] for name in EDITS} == {name: fate for name, (*_, fate) in EDITS.items()}
        assert desk.recalled(held["constant"])["changed"] == "50 → 51"
    for path, text in FILES.items():
        desk.write(path, text)
    with programs.running(upgraded) as desk:
        assert fates(desk, held) == dict.fromkeys(ANCHORS, "fresh")

"""A real project under a real store, and one word for each thing a person or git does to it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anchormem.model import Fate, Memory, Place, Slot, Standing
from anchormem.reason.standing import standing
from anchormem.store import facts, fates, memories
from anchormem.workspace.binding import Given, bind, paths_of
from anchormem.workspace.freshness import Freshness, refresh
from anchormem.workspace.ids import new_id
from anchormem.workspace.session import close, open_workspace
from anchormem.workspace.sweep import sweep

Git = Callable[..., str]


class Project:
    """One checkout. `remember` writes a memory, `fate` is what the very next call says of its only anchor."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root = root
        self._git = git
        self.ws = open_workspace(root)
        self.last = Freshness()

    def git(self, *arguments: str) -> str:
        return self._git(self.root, *arguments)

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert old in text
        self.write(path, text.replace(old, new))

    def delete(self, path: str) -> None:
        (self.root / path).unlink()

    def move(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    def commit(self, message: str = "change") -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def places(self, path: str, name: str) -> list[Place]:
        """Symbols of that qualified name in a file, in source order."""
        refresh(self.ws, [path])
        found = facts.symbols_of(self.ws.store, path)
        return [Place(Slot(path, one.qualified, one.disambiguator), one) for one in found if one.qualified == name]

    def sweep(self) -> None:
        assert sweep(self.ws).outcome == "complete"

    def remember(self, *anchors: Given, body: str = "what was learnt") -> str:
        """As the use case does it: look, bind, store, resolve."""
        refresh(self.ws, paths_of(anchors))
        now = self.ws.now()
        memory = Memory(new_id(), "fact", body, "explicit", 0.8, now, now, anchors=bind(self.ws, anchors))
        memories.insert(self.ws.store, memory)
        refresh(self.ws)
        return memory.id

    def call(self) -> Freshness:
        """What every call does first."""
        self.last = refresh(self.ws)
        return self.last

    def fate(self, memory: str) -> Fate:
        return self.fates(memory)[0]

    def fates(self, memory: str) -> list[Fate]:
        self.call()
        return self.stored(memory)

    def stored(self, memory: str) -> list[Fate]:
        """Without looking again."""
        held = memories.one(self.ws.store, memory)
        rows = fates.get(self.ws.store, (anchor.id for anchor in held.anchors))
        return [rows[anchor.id].fate for anchor in held.anchors]

    def standing(self, memory: str) -> Standing:
        self.call()
        held = memories.one(self.ws.store, memory)
        rows = fates.get(self.ws.store, (anchor.id for anchor in held.anchors))
        return standing(held, {anchor: row.fate for anchor, row in rows.items()})


@pytest.fixture
def open_project(git: Git) -> Iterator[Callable[[Path], Project]]:
    """Opens checkouts and closes them all."""
    opened: list[Project] = []

    def make(root: Path) -> Project:
        opened.append(Project(root, git))
        return opened[-1]

    yield make
    for project in opened:
        close(project.ws)


@pytest.fixture
def project(repository: Path, open_project: Callable[[Path], Project]) -> Project:
    """A git repository with nothing in it yet."""
    return open_project(repository)

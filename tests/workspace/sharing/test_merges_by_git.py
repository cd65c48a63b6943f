"""Random histories of two clones, merged by git itself with our driver: in both directions the same, and nothing lost.

Every round leaves two merges that cross each other, so that git merges what both come from first, by the driver too.
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.store import listing, memories
from anchormem.workspace import exported, merging
from anchormem.workspace.session import Workspace, open_workspace
from anchormem.workspace.transfer import export, import_shared
from workspace.sharing.histories import NOW, Side
from workspace.sharing.test_histories import known

Git = Callable[..., str]
ROUNDS, ACTS = 2, 60


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone whose memories travel by commits; now and then one of them becomes private, or public again."""

    seed: int  # first, so that a failure shows it
    ws: Workspace
    side: Side
    git_: Git

    def git(self, *words: str) -> str:
        return self.git_(self.ws.root.path, *words)

    def close(self) -> None:
        self.ws.store.close()

    def live(self) -> None:
        with self.ws.store.writing():  # one commit for all of it
            for _ in range(self.side.dice.randrange(ACTS)):
                self._hide() if self.side.dice.random() < 0.05 else self.side.act()

    def _hide(self) -> None:
        """Never a note that both sides seeded: here its origin would stay with the private one."""
        for one in [each for each in self.side.alive() if not each.origin][:1]:
            now = self.side.now()
            memories.replace(self.ws.store, replace(one, private=not one.private, updated_at=now), "update", now)

    def share(self) -> str:
        """Exports and commits; the commit."""
        export(self.ws, {})
        self.git("add", "-A")
        self.git("commit", "-qm", "learnt", "--allow-empty")
        return self.git("rev-parse", "HEAD")

    def merge(self, commit: str) -> bytes:
        """What git makes of both exports; it fails where anything is in conflict."""
        self.git("merge", "-q", "--no-edit", "--no-ff", commit)
        assert len(self.git("rev-list", "--parents", "-1", "HEAD").split()) == 3
        return (self.ws.root.path / exported.PATH).read_bytes()

    def contents(self, hidden: set[str]) -> dict[str, bytes]:
        return {one.id: merging.content(one) for one in listing.everything(self.ws.store) if one.id not in hidden}

    def hidden(self) -> set[str]:
        """What is private, and what that says of others: they are superseded by it here alone."""
        private = [one for one in listing.everything(self.ws.store) if one.private]
        return {one.id for one in private} | {link.target for one in private for link in one.links}


@pytest.fixture
def team(repository: Path, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Clone, Clone]]:
    """Two clones, each with a store of its own, and the driver set up in both by the command for it."""
    seed = 1 if "CI" in os.environ else random.randrange(1 << 32)
    (repository / "README").write_text("a team\n", "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "first")
    with ExitStack() as stack:

        def one(name: str, dice: random.Random) -> Clone:
            root = tmp_path / f"{name}'s clone"
            git(tmp_path, "clone", "-q", str(repository), str(root))
            monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / f"data of {name}"))
            assert main(["export", "--setup-git", "--root", str(root)]) == 0
            ws = open_workspace(root)
            clock = NOW - 1_000_000 + dice.choice((0, 0, 3, 60_000))
            return stack.enter_context(closing(Clone(seed, ws, Side(ws.root, ws.store, dice, clock), git)))

        yield one("ann", random.Random(seed)), one("ben", random.Random(seed + 1))


def test_git_makes_the_same_of_two_histories_in_both_directions(team: tuple[Clone, Clone]) -> None:
    both = ann, ben = team
    for _ in range(ROUNDS):
        for one in both:
            one.live()
        before = [known(one.side) for one in both]
        commits = [one.share() for one in both]
        for one, other in ((ann, ben), (ben, ann)):
            one.git("fetch", "-q", str(other.ws.root.path), "main")
        merged = ann.merge(commits[1]), ben.merge(commits[0])
        assert merged[0] == merged[1]
        assert b"<<<<<<<" not in merged[0]
        assert not [line for line in exported.opened(merged[0]).lines if line.memory is None]
        for one in both:
            import_shared(one.ws, {})
        hidden = ann.hidden() | ben.hidden()
        assert ann.contents(hidden) == ben.contents(hidden)
        for one, texts in zip(both, before, strict=True):
            assert known(one.side) >= texts
            one.share()

"""Two stores of one team, and random lives of their memories: what people do, each with a clock of their own."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from anchormem.errors import AnchormemError
from anchormem.model import Anchor, Link, Memory, Slot
from anchormem.project.root import Root
from anchormem.store import anchors, links, listing, memories
from anchormem.store.db import Store, open_store
from anchormem.workspace import exported, ids, merging
from anchormem.workspace.arrival import Arrival, take_in
from anchormem.workspace.exported import Line
from store.samples import anchor

Act = Callable[[], None]
NOW = 1_790_000_000_000


@dataclass(slots=True)
class Side:
    """One machine: its store, and a clock that may be wrong and may stand still."""

    root: Root
    store: Store
    dice: random.Random
    clock: int
    made: list[str] = field(default_factory=list)

    def now(self) -> int:
        self.clock += self.dice.choice((0, 0, 1, 7, 5_000))
        return self.clock

    def lines(self) -> list[Line]:
        """As an export writes them."""
        public = [one for one in listing.everything(self.store) if not one.private]
        return list(exported.opened(exported.whole(map(exported.line, public))).lines)

    def text(self) -> bytes:
        return exported.whole(line.text for line in self.lines())

    def contents(self) -> list[bytes]:
        """All that is shared, but for places proved: of a memory that comes back they take one exchange more."""
        return [merging.content(line.memory) for line in self.lines() if line.memory]

    def take(self, lines: list[Line]) -> Arrival:
        return take_in(self.store, self.root, lines, NOW)

    def alive(self) -> list[Memory]:
        return [one for one in listing.everything(self.store) if not one.forgotten_at]

    # ── what people do ──────────────────────────────────────────────────────────────────────────────────────────────

    def act(self) -> None:
        acts: list[Act] = [
            self.remember, self.remember, self.edit, self.edit, self.supersede, self.forget, self.restore, self.archive,
            self.unlink, self.contradict, self.prove, self.same_notes,
        ]  # fmt: skip
        try:
            self.dice.choice(acts)()
        except AnchormemError:
            return  # refused, as it would be to a person

    def remember(self) -> None:
        now = self.now()
        place = f"src/f{self.dice.randrange(3)}.py"
        held = anchor(place, f"name{self.dice.randrange(3)}", self.dice.randrange(3))
        name = ids.derived(f"{self.root.path.name}{len(self.made)}")
        self.made.append(name)
        memory = Memory(name, "fact", f"learnt {name} {now}", "explicit", 0.8, now, now, anchors=(held,))
        memories.insert(self.store, memory)

    def same_notes(self) -> None:
        """The same note seeded on both machines, under ids of their own."""
        now = self.now()
        name = ids.derived(f"{self.root.path.name}seeded{len(self.made)}")
        self.made.append(name)
        origin = f"seed:notes.md#{self.dice.randrange(2)}"
        memories.insert(self.store, Memory(name, "fact", f"noted {now}", "mined", 0.5, now, now, origin=origin))

    def edit(self) -> None:
        one, now = self._one(), self.now()
        held: tuple[Anchor, ...] = one.anchors
        if self.dice.random() < 0.3:
            held = (anchor("src/other.py", "moved", self.dice.random()),)
        after = replace(one, body=f"{one.body[:30]} · {now}", updated_at=now, anchors=held)
        memories.replace(self.store, after, "update", now)

    def supersede(self) -> None:
        links.supersede(self.store, self._one().id, self._one().id, self.now())

    def contradict(self) -> None:
        links.link(self.store, self._one().id, self._one().id, "contradicts", self.now())

    def unlink(self) -> None:
        one = self._one()
        link = self.dice.choice(one.links or (Link(one.id, "supports"),))
        links.unlink(self.store, one.id, link.target, link.rel, self.now())

    def forget(self) -> None:
        memories.forget(self.store, self._one().id, self.now())

    def restore(self) -> None:
        gone = [one.id for one in listing.everything(self.store) if one.forgotten_at]
        memories.unforget(self.store, self.dice.choice(gone or [""]), self.now())

    def archive(self) -> None:
        memories.set_archived(self.store, self._one().id, self.now(), archived=self.dice.random() < 0.5)

    def prove(self) -> None:
        """What a scan may do: one more place of a hash."""
        for held in self._one().anchors:
            anchors.add_slot(self.store, held.id, Slot(f"src/moved{self.dice.randrange(3)}.py", "moved"))

    def _one(self) -> Memory:
        known = self.alive() or [Memory("", "fact", "", "explicit", 0, 0, 0)]
        return self.dice.choice(known)


def side(folder: Path, dice: random.Random) -> Side:
    """A machine with an empty store."""
    folder.mkdir(parents=True)
    clock = NOW - 1_000_000 + dice.choice((0, 0, 3, 60_000))
    return Side(Root(folder), open_store(folder / "store", "checkout"), dice, clock)


def merged(one: Side, other: Side) -> list[Line]:
    """What git's driver makes of both exports."""
    return list(merging.union(one.lines(), other.lines()).lines)

"""Random work on a repository, judged after every step by reading every file anew: no wrong active, no wrong follow."""

import os
import random
from collections.abc import Callable, Iterator

import pytest

from anchormem.model import Anchor, Slot
from anchormem.store import memories
from anchormem.syntax.facts import facts_of
from workspace.fates.conftest import Project

FOLDERS = ("src", "lib", "lib/deep")
STEPS = 30


def function(name: str, number: int) -> str:
    return (
        f"def {name}(rows, column):\n    totals = {{}}\n    for row in rows:\n        key = row[column]\n"
        f"        totals[key] = totals.get(key, 0) + {number}\n    return sorted(totals.items())\n"
    )


class Worker:
    """Does what people do, one thing at a time. Files hold functions, one after the other."""

    def __init__(self, project: Project, seed: int) -> None:
        self.project = project
        self.dice = random.Random(seed)
        self.fresh_names = (f"name{number}" for number in range(10_000))

    def start(self) -> None:
        for number in range(6):
            body = "\n\n".join(function(next(self.fresh_names), 10 * number + one) for one in range(3))
            self.project.write(f"{self.dice.choice(FOLDERS)}/file{number}.py", body)
        self.project.write("src/twins.py", function("left", 7) + "\n\n" + function("right", 7))
        self.project.commit()
        self.project.sweep()

    def files(self) -> list[str]:
        root = self.project.root
        return sorted(str(path.relative_to(root)) for path in root.rglob("*.py"))

    def parts(self, path: str) -> list[str]:
        return [part for part in self.project.read(path).split("\n\n\n") if part.strip()]

    def put(self, path: str, parts: list[str]) -> None:
        self.project.write(path, "\n\n\n".join(part.strip("\n") + "\n" for part in parts))

    def pick(self) -> tuple[str, list[str], int]:
        path = self.dice.choice(self.files())
        parts = self.parts(path) or [function(next(self.fresh_names), 99)]
        return path, parts, self.dice.randrange(len(parts))

    def edit(self) -> None:
        path, parts, at = self.pick()
        parts[at] = parts[at].replace(", 0) + ", f", {self.dice.randrange(2)}) + ")
        self.put(path, parts)

    def edit_slyly(self) -> None:
        """The same size, the same time of change."""
        path, parts, at = self.pick()
        stamp = (self.project.root / path).stat()
        parts[at] = parts[at].replace("row in rows", "raw in rows") if self.dice.random() < 0.5 else parts[at]
        self.put(path, parts)
        os.utime(self.project.root / path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def comment(self) -> None:
        path, parts, at = self.pick()
        parts[at] = parts[at].replace("totals = {}", "totals = {}  # none yet")
        self.put(path, parts)

    def rename(self) -> None:
        path, parts, at = self.pick()
        head = parts[at].split("(", 1)[0]
        parts[at] = parts[at].replace(head, f"def {next(self.fresh_names)}", 1)
        self.put(path, parts)

    def move_function(self) -> None:
        path, parts, at = self.pick()
        taken = parts.pop(at)
        self.put(path, parts)
        other = self.dice.choice(self.files())
        self.put(other, [*self.parts(other), taken])

    def copy_function(self) -> None:
        _, parts, at = self.pick()
        other = self.dice.choice(self.files())
        self.put(other, [*self.parts(other), parts[at]])

    def delete_function(self) -> None:
        path, parts, at = self.pick()
        parts.pop(at)
        self.put(path, parts)

    def move_file(self) -> None:
        path = self.dice.choice(self.files())
        self.project.move(path, f"{self.dice.choice(FOLDERS)}/moved{self.dice.randrange(10_000)}.py")

    def break_off(self) -> None:
        path, parts, at = self.pick()
        parts[at] = parts[at].replace("return sorted(", "return sorted((", 1)
        self.put(path, parts)

    def mend(self) -> None:
        for path in self.files():
            self.put(path, [part.replace("sorted((", "sorted(") for part in self.parts(path)])

    def commit(self) -> None:
        self.project.git("add", "-A")
        self.project.git("commit", "-q", "--allow-empty", "-m", "work")

    def go_back(self) -> None:
        self.commit()
        commits = self.project.git("rev-list", "--all").split()
        self.project.git("checkout", "-q", self.dice.choice(commits))

    def sweep(self) -> None:
        self.project.sweep()

    def step(self) -> str:
        acts: list[Callable[[], None]] = [
            self.edit,
            self.edit,
            self.edit_slyly,
            self.comment,
            self.rename,
            self.rename,
            self.move_function,
            self.copy_function,
            self.delete_function,
            self.move_file,
            self.break_off,
            self.mend,
            self.commit,
            self.go_back,
            self.sweep,
        ]
        act = self.dice.choice(acts)
        act()
        return act.__name__


def bodies(project: Project) -> Iterator[tuple[Slot, bytes]]:
    """Every symbol of every file, read and parsed here and now."""
    for path in project.root.rglob("*.py"):
        relative = path.relative_to(project.root).as_posix()
        for symbol in facts_of(path.read_bytes(), "python").symbols:
            yield Slot(relative, symbol.qualified, symbol.disambiguator), symbol.body


def judge(project: Project, anchors: list[tuple[str, Anchor]], trail: list[str]) -> None:
    project.call()
    now = dict(bodies(project))
    for memory, anchor in anchors:
        (fate,) = project.stored(memory)
        said = f"{anchor.slot}: {fate} after {trail}"
        well = fate.name in ("fresh", "followed")
        holders = [slot for slot, body in now.items() if body == anchor.body]
        if well:
            assert fate.at in holders, f"wrong active: {said}"
        if anchor.slot in holders:
            assert well, f"missed at home: {said}"
        if fate.name == "gone":
            assert not holders, f"wrongly dead: {said}, is at {holders}"
        known = memories.one(project.ws.store, memory).anchors[0].slots
        if fate.name == "followed" and fate.at is not None and len(set(holders) - set(known)) > 0:
            assert set(holders) & set(known), f"wrong follow: {said}, is at {holders}"


@pytest.mark.parametrize("seed", [1, 2])
def test_no_step_of_random_work_makes_a_fate_wrong(project: Project, seed: int) -> None:
    worker, trail = Worker(project, seed), ["start"]
    worker.start()
    held = [slot for slot, _ in bodies(project)]
    anchors = [
        (memory, memories.one(project.ws.store, memory).anchors[0]) for memory in map(project.remember, map(str, held))
    ]
    for _ in range(STEPS):
        trail.append(worker.step())
        judge(project, anchors, trail)

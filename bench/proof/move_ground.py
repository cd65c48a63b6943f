"""Ground for the proof of moves: samples in every language, and a git repository they stand in.

`samples/<language>.txt` holds the code: `suffix`, `holder` (what every symbol of the file is qualified with) and
`members` of its class, then sections. TYPE, NAME, BOX and NUMBER are filled in.
"""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
LANGUAGES = tuple(sorted(path.stem for path in SAMPLES.glob("*.txt")))
GIT = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")
BLOCK = 20  # numbers of its own for every scene: equal bodies would be twins


@dataclass(frozen=True, slots=True)
class Sample:
    """The code of one language."""

    language: str
    suffix: str
    holder: str
    members: tuple[str, ...]
    parts: Mapping[str, str]

    def part(self, section: str, words: Mapping[str, str]) -> str:
        return re.sub(r"\b(?:NAME|TYPE|BOX|NUMBER|MEMBERS)\b", lambda word: words[word[0]], self.parts[section])


@cache
def sample(language: str) -> Sample:
    head, *sections = re.split(r"^=== ", (SAMPLES / f"{language}.txt").read_text("utf-8"), flags=re.MULTILINE)
    row = {key: rest for key, _, rest in (line.partition(" ") for line in head.splitlines())}
    parts = dict(section.split("\n", 1) for section in sections)
    return Sample(language, row["suffix"], row["holder"], tuple(row["members"].split()), parts)


class Tree:
    """A git work tree."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *GIT, *arguments],
            cwd=self.root,
            check=check,
            capture_output=True,
            text=True,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_EDITOR": "true"},
        )
        return done.stdout

    def commit(self, message: str = "work") -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")

    def delete(self, path: str) -> None:
        (self.root / path).unlink()

    def move(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)


def new_tree(root: Path) -> Tree:
    root.mkdir(parents=True)
    tree = Tree(root)
    tree.git("init", "-q", "-b", "main")
    return tree


@dataclass(slots=True)
class Scene:
    """One situation in one language: files of its own, what is anchored, and where that is now.

    `anchors`, `now`: by role. `changed`: what the reply must say about the edit of a role, where it must say something.
    """

    tree: Tree
    sample: Sample
    folder: str
    number: int
    anchors: dict[str, Mapping[str, str]] = field(default_factory=dict)
    now: dict[str, str] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)

    # ── places ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}{self.sample.suffix}"

    def at(self, name: str, symbol: str = "") -> str:
        """The full form of a symbol in one of the scene's files."""
        holder = f"{self.sample.holder}." if self.sample.holder else ""
        return f"{self.path(name)}::{holder}{symbol}" if symbol else self.path(name)

    def anchor(self, role: str, name: str, symbol: str = "", **more: str) -> None:
        path, _, qualified = self.at(name, symbol).partition("::")
        self.anchors[role] = {"file": path, **({"symbol": f"{path}::{qualified}"} if qualified else {}), **more}
        self.now[role] = self.at(name, symbol)

    # ── code ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def function(self, name: str = "settle", number: int = 0) -> str:
        return self._part("function", number, NAME=name)

    def tiny(self, name: str) -> str:
        return self._part("tiny", 0, NAME=name)

    def type(self, name: str) -> str:
        return self._part("class", 0, TYPE=name)

    def method(self, name: str, box: str) -> str:
        return self._part("method", 0, NAME=name, BOX=box)

    def box(self, name: str, *members: str) -> str:
        return self._part("box", 0, TYPE=name, MEMBERS="\n".join(members))

    def _part(self, section: str, number: int, **words: str) -> str:
        return self.sample.part(section, {"NUMBER": str(self.number + number), **words})

    # ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def write(self, name: str, *parts: str) -> None:
        whole = [self.sample.parts.get("head", ""), "\n".join(parts), self.sample.parts.get("foot", "")]
        self.tree.write(self.path(name), "\n".join(part for part in whole if part))

    def replace(self, name: str, old: str, new: str) -> None:
        text = self.tree.read(self.path(name))
        assert old in text, (old, text)
        self.tree.write(self.path(name), text.replace(old, new))

    def rename(self, name: str, old: str, new: str) -> None:
        """Another name, everywhere in the file."""
        text = self.tree.read(self.path(name))
        self.tree.write(self.path(name), re.sub(rf"\b{old}\b", new, text))

    def delete(self, name: str) -> None:
        self.tree.delete(self.path(name))

    def move(self, old: str, new: str) -> None:
        self.tree.move(self.path(old), self.path(new))

"""Runs one real formatter over copies of real files and asks of every definition it rewrote whether its hash survived.

Knows no formatter by name, and no rule of ours about what is layout: a definition is tried when the formatter changed
its text, and it survived when body and signature are what they were. What did not survive must be an exception that
somebody named, and every run of tokens that differs must be of its kind.
"""

import random
import shlex
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from anchormem.model import FileFacts, Symbol
from anchormem.syntax.facts import facts_of
from anchormem.syntax.folding import fold
from anchormem.syntax.tokens import symbol_tokens

LARGEST = 400_000  # bytes of one file; over 512 KB nothing is parsed
WHOLE_FILE = "(file)"
CONTEXT = 12  # tokens shown on both sides of a difference
SECONDS = 600  # for one run of a formatter


@dataclass(frozen=True, slots=True)
class Formatter:
    """A formatter that rewrites the files named after `command(cache, options)` in place.

    `options`: one command line each, contrary to one another; the first two are what `--quick` runs.
    `command`: argv to which the files are added, or the reason why the formatter is not to be had.
    `sources`: real files of the language, or the reason why there are none. `budget`: bytes to format a run, in
    `--quick` and in full.
    """

    name: str
    language: str
    options: tuple[str, ...]
    command: Callable[[Path, str], list[str] | str]
    sources: Callable[[Path], list[Path] | str]
    budget: tuple[int, int] = (20_000, 400_000)


@dataclass(frozen=True, slots=True)
class HandWritten:
    """For a formatter that no registry carries: a file of pairs, what goes in and what it makes of it.

    Blocks between fences, the two sides with a line `≡` between them; definitions are paired as of real runs.
    """

    name: str
    language: str
    why: str  # no real run
    pairs: Path


@dataclass(frozen=True, slots=True)
class Flip:
    """A definition whose hash a formatter changed; `before` and `after` are its text, `what`: body, signature, file."""

    formatter: str
    language: str
    options: str
    path: str
    line: int
    name: str
    what: str
    before: str
    after: str
    hunks: tuple["Hunk", ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        said = "; ".join(map(str, self.hunks[:2])) or "no token differs, only kinds of nodes"
        return f"{self.formatter} {self.options}: {self.path}:{self.line} {self.name} ({self.what}): {said}"


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of tokens that differs. Both sides empty: the tokens are equal, the kinds around them are not."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    ahead: tuple[str, ...]  # the tokens before it, nearest last
    behind: tuple[str, ...]

    def __str__(self) -> str:
        return f"`{' '.join(self.before)}` → `{' '.join(self.after)}` after `{' '.join(self.ahead[-4:])}`"


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rewriting that changes tokens, so it does change hashes. `recognise` tells one by a rule that is not ours."""

    formatter: str  # the name of one or more formatters, divided by blanks
    name: str
    why: str  # which tokens, and why no table holds it
    recognise: Callable[[Hunk, Flip], bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    formatter: str
    language: str
    options: str
    files: int = 0  # rewritten
    tried: int = 0  # definitions whose text changed, files included
    flips: tuple[Flip, ...] = ()
    reason: str = ""  # nothing was tried because


def chosen(files: list[Path], budget: int, seed: int) -> list[Path]:
    """Some of the files, up to so many bytes; the same for the same seed, wherever the cache and the checkout stand."""
    order = sorted(files, key=lambda file: file.parts[::-1])
    random.Random(seed).shuffle(order)
    taken: list[Path] = []
    for file in order:
        size = file.stat().st_size
        if size <= min(LARGEST, budget):
            taken.append(file)
            budget -= size
    return taken


def run_once(formatter: Formatter, options: str, files: list[Path], argv: list[str]) -> Outcome:
    """Formats copies of the files and compares; a file the formatter refuses stays as it was and is not tried."""
    told = formatter.name, formatter.language, options
    with tempfile.TemporaryDirectory() as scratch:
        copies = copied(files, Path(scratch))
        try:
            ran = subprocess.run(
                [*argv, *map(str, copies.values())], cwd=scratch, capture_output=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Outcome(*told, reason=str(error)[:200])
        compared = [
            (file, file.read_bytes(), copy.read_bytes())
            for file, copy in copies.items()
            if file.read_bytes() != copy.read_bytes()
        ]
    if not compared:
        said = (ran.stderr or ran.stdout).decode(errors="replace").strip().splitlines()
        return Outcome(*told, reason=f"rewrote nothing: {said[0][:160] if said else 'all was so already'}")
    return judged(told, [(short(file), before, after) for file, before, after in compared])


def copied(files: list[Path], scratch: Path) -> dict[Path, Path]:
    copies = {}
    for number, file in enumerate(files):
        copies[file] = scratch / f"{number:04}" / file.name
        copies[file].parent.mkdir()
        shutil.copyfile(file, copies[file])
    return copies


def short(file: Path) -> str:
    return "/".join(file.parts[-4:])


def argv_of(tool: str | Path, options: str, *more: str) -> list[str]:
    return [str(tool), *more, *shlex.split(options)]


def judged(told: tuple[str, str, str], compared: list[tuple[str, bytes, bytes]]) -> Outcome:
    tried, flips = 0, []
    for path, before, after in compared:
        here, flipped = compare(told, path, before, after)
        tried += here
        flips += flipped
    return Outcome(*told, files=len(compared), tried=tried, flips=tuple(flips))


def compare(told: tuple[str, str, str], path: str, before: bytes, after: bytes) -> tuple[int, list[Flip]]:
    """How many definitions the formatter rewrote, and those whose hash it changed. The file counts as one.

    Where the grammar stumbles, what it stumbled in is not tried, and the file is not.
    """
    language = told[1]
    old, new = facts_of(before, language), facts_of(after, language)
    texts = fold(before), fold(after)

    def flip(what: str, symbol: Symbol | None, other: Symbol | None) -> Flip:
        sides = cut(texts[0], symbol), cut(texts[1], other)
        hunks = tuple(hunks_of(symbol_tokens(before, language, symbol), symbol_tokens(after, language, other)))
        line, name = (symbol.start_line, symbol.qualified) if symbol else (1, WHOLE_FILE)
        return Flip(*told, path, line, name, what, sides[0], sides[1], hunks)

    sound = not old.error_bytes
    flips = [flip("file", None, None)] if sound and old.normal != new.normal else []
    tried = int(sound)
    for symbol, other in paired(old, new):
        if symbol.damaged or (not sound and (other is None or other.damaged)):
            continue
        if other is None:
            flips.append(flip("gone", symbol, None))
        elif cut(texts[0], symbol) == cut(texts[1], other):
            continue
        elif symbol.body != other.body:
            flips.append(flip("body", symbol, other))
        elif symbol.signature != other.signature:
            flips.append(flip("signature", symbol, other))
        tried += 1
    return tried, flips


def cut(text: bytes, symbol: Symbol | None) -> str:
    return (text[symbol.start_byte : symbol.end_byte] if symbol else text).decode(errors="replace")


def paired(old: FileFacts, new: FileFacts) -> Iterator[tuple[Symbol, Symbol | None]]:
    """Definitions of one qualified name in order."""
    after: dict[str, list[Symbol]] = defaultdict(list)
    for symbol in new.symbols:
        after[symbol.qualified].append(symbol)
    for symbol in old.symbols:
        waiting = after[symbol.qualified]
        yield symbol, waiting.pop(0) if waiting else None


def hunks_of(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Hunk]:
    same = True
    for tag, b0, b1, a0, a1 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            same = False
            yield Hunk(before[b0:b1], after[a0:a1], before[max(0, b0 - CONTEXT) : b0], before[b1 : b1 + CONTEXT])
    if same:
        yield Hunk((), (), before[:CONTEXT], after[:CONTEXT])


def by_hand(written: HandWritten) -> Outcome:
    """The pairs of a formatter that is not to be had; a pair with nothing to compare is a fault of its file."""
    compared = []
    for number, block in enumerate(written.pairs.read_text(encoding="utf-8").split("```")[1::2], 1):
        sides = block.partition("\n")[2].split("\n≡\n")
        assert len(sides) == 2, f"{written.pairs.name}, block {number}: one line ≡ between two sides"
        compared.append((f"{written.pairs.name}#{number}", sides[0].encode() + b"\n", sides[1].encode()))
    return judged((written.name, written.language, "by hand"), compared)

"""One history, commit by commit: memories anchored along the way, and after each checkout two opinions about each.

The product is asked through the server's pipes, one call a commit; the oracle reads the same files.
"""

import hashlib
import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from wire import Server

from proof import oracle
from proof.judge import File, Ground, Note, Verdict, agree, judge, occurrences
from proof.oracle import Definition, Module
from proof.score import Seen
from proof.spelling import tokens_of

LISTED = 500  # memories that one call lists
TEXTS = (".rst", ".txt", ".cfg")  # files without a grammar: content is all that counts
SMALLEST_QUOTE = 4


@dataclass(slots=True)
class Replay:
    """`waves`: at which commits anchors are made, and how many. `seconds`: of each call."""

    root: Path
    data: Path
    commits: Sequence[str]
    waves: Mapping[int, int]
    seed: int
    notes: dict[str, Note] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    opinions: dict[str, tuple[str, str]] = field(default_factory=dict)
    blobs: dict[str, File] = field(default_factory=dict)

    def run(self, deadline: float = float("inf"), least: int = 0) -> Iterator[Seen]:
        """Checks out each commit, asks both, and at last goes back to the first: what was undone is well again.

        After the deadline (of the monotonic clock) it goes on only until it has `least` commits.
        """
        chance = random.Random(self.seed)
        self.git("checkout", "-q", "--force", self.commits[0])
        with Server(self.root, self.data) as server:
            for index in range(len(self.commits)):
                if index >= least and time.monotonic() > deadline:
                    break
                ground = self.at(index)
                if self.notes:
                    yield from self.compare(server, ground)
                if self.waves.get(index):
                    self.anchor(server, ground, chance, self.waves[index])
                    yield from self.compare(server, ground)
            yield from self.compare(server, self.at(0))

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout

    # ── one commit ──────────────────────────────────────────────────────────────────────────────────────────────────

    def at(self, index: int) -> Ground:
        commit = self.commits[index]
        self.git("checkout", "-q", "--force", commit)
        files = {}
        for line in self.git("ls-tree", "-r", "-z", "--full-tree", commit).split("\0")[:-1]:
            (mode, _, blob), path = line.partition("\t")[0].split(), line.partition("\t")[2]
            if mode.startswith("100"):
                files[path] = self.file(blob + path[-3:], path)
        return Ground(files, lambda seen: self.renamed(seen, index), index)

    def file(self, key: str, path: str) -> File:
        if key not in self.blobs:
            data = (self.root / path).read_bytes()
            folded = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            content = hashlib.blake2b(folded.removesuffix(b"\n"), digest_size=16).hexdigest()
            self.blobs[key] = File(content, len(b"".join(data.split())), oracle.read(data) if is_python(path) else None)
        return self.blobs[key]

    def renamed(self, seen: int, index: int) -> Mapping[str, str]:
        return _renamed(self.root, self.commits[seen], self.commits[index])

    def compare(self, server: Server, ground: Ground) -> Iterator[Seen]:
        started = time.perf_counter()
        found = server.call("admin", op="list", limit=LISTED)
        self.seconds.append(time.perf_counter() - started)
        assert isinstance(found, list)
        words = {item["id"]: word_of(item) for item in found}
        for id_, note in self.notes.items():
            verdict, word = judge(note, ground), word_of_note(words.get(id_, "missing"), note)
            verdict = _doubtful(verdict, word, ground)
            agree(note, ground, verdict, word)
            opinion = (verdict.row, word)
            yield Seen(self.commits[ground.index][:10], str(note), verdict, word, self.opinions.get(id_) != opinion)
            self.opinions[id_] = opinion

    # ── anchors ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def anchor(self, server: Server, ground: Ground, chance: random.Random, wanted: int) -> None:
        found = list(candidates(ground))
        chance.shuffle(found)
        for path, definition in found:
            if not wanted:
                return
            note = self.note(ground, path, definition, chance)
            if note is None:
                continue
            given = {"file": note.place[0], "symbol": note.place[1]} if note.place[1] else {"file": note.place[0]}
            if note.aspect in ("signature", "exists"):
                given["aspect"] = note.aspect
            if note.aspect == "quote":
                given["quote"] = note.id
            body = f"Remark {len(self.notes)} of the replay."
            reply = server.reply("remember", kind="fact", body=body, anchors=[given], force=True)
            data = reply.get("data")
            if not isinstance(data, dict):
                error = reply.get("error")
                self.refused[str(error.get("code") if isinstance(error, dict) else error)] += 1
                continue
            note.id = str(data["id"])
            self.notes[note.id] = note
            wanted -= 1
            judge(note, ground)

    def note(self, ground: Ground, path: str, definition: Definition, chance: random.Random) -> Note | None:
        """Most are anchored as they are, some by signature or existence, some by a quote, some as a whole file."""
        module, drawn = ground.module(path), chance.random()
        if drawn < 0.08:
            texts = sorted(one for one in ground.files if one.endswith(TEXTS))
            chosen = chance.choice(texts) if texts and drawn < 0.02 else path
            return Note("", (chosen, ""), "file", file=ground.files[chosen])
        place = (path, definition.qualified)
        if drawn < 0.20:
            quote = self.quote(path, definition, chance) if module else None
            return Note(quote[0], place, "quote", definition, words=quote[1], count=quote[2]) if quote else None
        aspect = "signature" if drawn < 0.35 else "exists" if drawn < 0.38 else "body"
        return Note("", place, aspect, definition)

    def quote(
        self, path: str, definition: Definition, chance: random.Random
    ) -> tuple[str, tuple[str, ...], int] | None:
        """A line of the definition that is the same tokens alone and in its place."""
        lines = (self.root / path).read_text("utf-8").split("\n")
        row = chance.choice(definition.rows)
        text = lines[row - 1].strip() if row <= len(lines) else ""
        words = tuple(word for word, at in zip(definition.words, definition.rows, strict=True) if at == row)
        try:
            alone, _ = oracle.words_of(tokens_of(text.encode()), ())
        except SyntaxError:
            return None
        plain = tuple(definition.name if word == "<own>" else word for word in words)
        if alone != plain or len(words) < SMALLEST_QUOTE or "<own>" in words:
            return None
        return text, words, occurrences(words, definition.words)


def candidates(ground: Ground) -> Iterator[tuple[str, Definition]]:
    """Definitions that are the only ones of their name."""
    for path, file in ground.files.items():
        if isinstance(file.read, Module):
            named = Counter(one.qualified for one in file.read.definitions)
            yield from ((path, one) for one in file.read.definitions if named[one.qualified] == 1)


def is_python(path: str) -> bool:
    return path.endswith((".py", ".pyi"))


@lru_cache(maxsize=512)
def _renamed(root: Path, before: str, after: str) -> Mapping[str, str]:
    told = subprocess.run(
        ["git", "diff-tree", "-r", "-M", "-z", "--name-status", "--diff-filter=R", before, after],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")[:-1]
    return dict(zip(told[1::3], told[2::3], strict=True))


# ── what the product says ───────────────────────────────────────────────────────────────────────────────────────────


def word_of(item: Mapping[str, object]) -> str:
    """An item of a list in one word: `active path::name`, `stale:body_edited`, `gone`, `unknown:pending`."""
    status = item.get("status", "active")
    flags, anchors = item.get("flags", []), item.get("anchors", [])
    assert isinstance(flags, list)
    assert isinstance(anchors, list)
    if status == "active":
        path, colons, name = str(anchors[0]).partition("::")
        return f"active {path}{colons}{name.partition('@')[0]}"
    reason = str(flags[0]) if flags else str(status)
    return "gone" if reason.startswith("invalidated") else reason


def word_of_note(word: str, note: Note) -> str:
    if not word.startswith("active "):
        return word
    at = word.removeprefix("active ")
    return "fresh" if at == "::".join(filter(None, note.place)) else f"followed {at}"


def _doubtful(verdict: Verdict, word: str, ground: Ground) -> Verdict:
    """A follow into a file that `ast` does not read cannot be judged."""
    path = word.removeprefix("followed ").partition("::")[0] if word.startswith("followed ") else ""
    doubt = ground.undecided(path) if path else ""
    return Verdict("undecided", frozenset(), doubt) if doubt else verdict

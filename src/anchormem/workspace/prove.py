"""`anchormem prove`: would a changed token of this repository's own code be noticed? Edits are made in memory, never on
disk; no store is opened.

Knows nothing of how a hash is made: it edits and asks what changed.
"""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from anchormem import languages
from anchormem.errors import UsageError
from anchormem.model import JsonObject, Reply
from anchormem.project import config, decoding, disk
from anchormem.project.listing import list_files
from anchormem.project.root import Root, find_root
from anchormem.reason.envelope import Envelope, lean, meta
from anchormem.syntax.folding import fold
from anchormem.syntax.judge import Bench, Verdict, bench_of, judge
from anchormem.syntax.mutate import Mutation, mutants
from anchormem.syntax.parsed import LARGEST, resolve
from anchormem.syntax.places import LANGUAGES, Site, pieces, sites, subject_of
from anchormem.workspace import given

SECONDS: Final = 45
A_TURN: Final = 6  # edits of one file before it is another's turn
PIECE: Final = 2_500  # bytes of a file around an edit: what stands side by side in it
SHOWN: Final = 100  # misses
EDIT: Final = 80  # characters of an edit
HEAD: Final = 256  # bytes


@dataclass(slots=True)
class Tally:
    """Of one language. `tried` edits of code, `noticed` of them; `remarks` edits of comments, `passed` of them."""

    files: set[str] = field(default_factory=set)
    definitions: set[tuple[str, str, str]] = field(default_factory=set)
    tried: int = 0
    noticed: int = 0
    remarks: int = 0
    passed: int = 0


@dataclass(slots=True)
class Proof:
    root: Root
    random: Random
    tallies: dict[str, Tally] = field(default_factory=dict)
    misses: list[JsonObject] = field(default_factory=list)
    unparsed: set[str] = field(default_factory=set)


def prove(
    start: Path, args: Mapping[str, object], progress: Callable[[int, int], None] = lambda _done, _total: None
) -> Reply:
    """`seconds` int 45 (stops there, or when every place has been tried), `seed` int 1.

    data: {languages: [{language, files, definitions, edits, noticed, comments, passed}], edits, right, share, missed,
    misses: [{path, line, edit, at, expected}], unparsed, seed, seconds}; `share` in percent. With misses: exit 1.
    Raises UsageError where there is no definition to try.
    """
    root = find_root(start)
    seed, limit = given.whole(args, "seed", 1), given.whole(args, "seconds", SECONDS)
    proof = Proof(root, Random(seed))  # noqa: S311 — the same edits for the same seed, no secret
    began = time.monotonic()
    turns = _turns(proof)
    while (spent := time.monotonic() - began) < limit and next(turns, False):
        progress(int(spent), limit)
    progress(1, 1)
    if not any(tally.tried for tally in proof.tallies.values()):
        raise UsageError(f"nothing to prove: no definition was found in {root.path}", _why_none(proof))
    return Reply(_data(proof, seed, limit), meta(Envelope()))


def _why_none(proof: Proof) -> str:
    return "its files do not parse" if proof.unparsed else f"languages with definitions: {', '.join(LANGUAGES)}"


# ── what is tried ───────────────────────────────────────────────────────────────────────────────────────────────────


def _turns(proof: Proof) -> Iterator[bool]:
    """A few edits of one file of each language, then of another, until every place has had its turn."""
    waiting = {name: list(_shuffled(proof, paths)) for name, paths in _files(proof.root).items()}
    under_way: dict[str, list[Iterator[bool]]] = {name: [] for name in waiting}
    while any(waiting.values()) or any(under_way.values()):
        for language, paths in waiting.items():
            if paths:
                path = paths.pop()
                under_way[language].append(_edits(proof, path, language))
            elif not under_way[language]:
                continue
            file = under_way[language].pop(0)
            if (yield from _turn(file)):
                under_way[language].append(file)


def _turn(file: Iterator[bool]) -> Generator[bool, None, bool]:
    """Some edits of a file; gives whether there are more."""
    for _ in range(A_TURN):
        if next(file, None) is None:
            return False
        yield True
    return True


def _files(root: Root) -> dict[str, list[str]]:
    """The files with definitions, by the language their name or shebang tells."""
    extensions = config.load(root).extensions
    found: dict[str, list[str]] = {}
    for listed in list_files(root).files:
        if listed.vendored:
            continue
        language = languages.language_of(listed.path, _head(root, listed.path), extensions)
        if language in LANGUAGES or language == "c_or_cpp":
            found.setdefault(language, []).append(listed.path)
    return found


def _head(root: Root, path: str) -> bytes:
    """The beginning of a file without a suffix: a script says in it what it is."""
    got = disk.read(root, path, LARGEST) if "." not in path.rpartition("/")[2] else None
    return got.data[:HEAD] if isinstance(got, disk.Contents) else b""


def _shuffled(proof: Proof, paths: list[str]) -> list[str]:
    return proof.random.sample(sorted(paths), len(paths))


def _edits(proof: Proof, path: str, told: str) -> Iterator[bool]:
    """Makes one edit a step, of each piece in turn."""
    got = disk.read(proof.root, path, LARGEST)
    source = decoding.for_parsing(got.data) if isinstance(got, disk.Contents) and decoding.is_text(got.data) else None
    language = resolve(fold(source), told) if source is not None else None
    if source is None or language is None:
        return
    cut = [(line, bench) for line, text in pieces(source, language, PIECE) if (bench := _bench(text, language))]
    if not cut:
        proof.unparsed.add(path)
    places = [(line, bench, _places(proof, bench)) for line, bench in proof.random.sample(cut, len(cut))]
    while places:
        line, bench, left = places.pop(0)
        if left:
            yield _edit(proof, path, line, bench, left.pop())
            places.append((line, bench, left))


def _bench(text: bytes, language: str) -> Bench | None:
    subject = subject_of(text, language)
    return bench_of(subject) if subject is not None else None


def _places(proof: Proof, bench: Bench) -> list[Site]:
    found = sites(bench.subject) if bench.facts.symbols else []
    return proof.random.sample(found, len(found))


def _edit(proof: Proof, path: str, line: int, bench: Bench, site: Site) -> bool:
    for mutation in mutants(bench.subject, site, proof.random):
        verdict = judge(bench, mutation)
        if verdict.sound:
            _count(proof, path, bench, mutation, verdict)
            if verdict.misses:
                proof.misses.append(_miss(path, line, bench, mutation, verdict))
            break
    return True


# ── what came of it ─────────────────────────────────────────────────────────────────────────────────────────────────


def _count(proof: Proof, path: str, bench: Bench, mutation: Mutation, verdict: Verdict) -> None:
    tally = proof.tallies.setdefault(bench.subject.language, Tally())
    tally.files.add(path)
    tally.definitions |= {(path, symbol.qualified, symbol.disambiguator) for symbol in verdict.held}
    right = not verdict.misses
    if mutation.aim == "code":
        tally.tried, tally.noticed = tally.tried + 1, tally.noticed + right
    else:
        tally.remarks, tally.passed = tally.remarks + 1, tally.passed + right


def _miss(path: str, line: int, bench: Bench, mutation: Mutation, verdict: Verdict) -> JsonObject:
    source = bench.subject.source
    was, now = (text.decode(errors="replace")[:EDIT] for text in (source[mutation.start : mutation.end], mutation.text))
    return {
        "path": path,
        "line": line + mutation.line,
        "edit": f"{was} → {now}",
        "at": ", ".join(map(str, verdict.misses)),
        "expected": "should have changed" if mutation.aim == "code" else "should have stayed",
    }


def _data(proof: Proof, seed: int, seconds: int) -> JsonObject:
    tallies = sorted(proof.tallies.items())
    edits = sum(tally.tried + tally.remarks for _, tally in tallies)
    right = edits - len(proof.misses)
    return lean(
        {
            "languages": [_row(name, tally) for name, tally in tallies],
            "edits": edits,
            "right": right,
            "share": round(100 * right / edits, 2),
            "missed": len(proof.misses),
            "misses": proof.misses[:SHOWN],
            "unparsed": len(proof.unparsed),
            "seed": seed,
            "seconds": seconds,
        }
    )


def _row(name: str, tally: Tally) -> JsonObject:
    return {
        "language": name,
        "files": len(tally.files),
        "definitions": len(tally.definitions),
        "edits": tally.tried,
        "noticed": tally.noticed,
        "comments": tally.remarks,
        "passed": tally.passed,
    }

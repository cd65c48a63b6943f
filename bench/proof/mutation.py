"""Is every changed token noticed, and nothing else? Small edits of real code and of the fixtures, judged one by one.

The edits are `anchormem.syntax.mutate`'s, which shares no rule with the recipe. A sample is also driven through the
store: a memory on the code must be stale on the next call, and active again when the edit is undone.

To see it red, break a rule: `; hash.skip: comment decorator` in `languages/python.scm`, or a walk that drops `gap`s;
`tests/languages/test_proof_turns_red.py` breaks such rules at every build.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from anchormem import languages
from anchormem.syntax.excerpt import symbols_named
from anchormem.syntax.judge import Bench, Verdict, bench_of, judge
from anchormem.syntax.mutate import Mutation, mutants
from anchormem.syntax.places import Site, code_bytes, pieces, sites, subject_of
from proof import memories
from proof.part import Gate, Options, Part, Row
from proof.sources import PACKAGES, Found, all_sources

FIXTURES: Final = Path(__file__).parents[2] / "tests" / "languages" / "fixtures"
LEAST: Final = 2_000  # mutations of code in a language, most of them real
WHOLE: Final = (2_000, 1_000, 2_000)  # a language: mutations of real code, of its fixtures, bytes of its byte fixture
QUICK: Final = (90, 60, 250)
PIECE: Final = 2_500  # bytes of real code around a mutation: what stands side by side in one file
LONGEST: Final = 12_000
TASK: Final = 40  # mutations a process is given at once
EXCERPTS: Final = 3  # definitions of a piece


@dataclass(frozen=True, slots=True)
class Task:
    """Some pieces (name, lines before, text) in which to make so many mutations."""

    language: str
    what: str  # real | fixtures | bytes
    pieces: tuple[tuple[str, int, bytes], ...]
    wanted: int
    seed: int


@dataclass(slots=True)
class Tally:
    """`tried` and `missed` by what was edited: code, signature, comment; or told: excerpt. `skipped`: places where no
    mutant parses.
    """

    tried: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    skipped: int = 0
    misses: list[str] = field(default_factory=list)
    samples: list[memories.Sample] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.tried += other.tried
        self.missed += other.missed
        self.skipped += other.skipped
        self.misses += other.misses
        self.samples += other.samples


def run(options: Options) -> Part:
    tallies: dict[tuple[str, str], Tally] = {(name, what): Tally() for name in PACKAGES for what in WHAT}
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None) as pool:
        own = [task for name in PACKAGES for task in fixture_tasks(name, options)]
        under_way = [(task, pool.submit(work, task)) for task in own]  # while the registries answer
        found = all_sources(PACKAGES, options.cache / "mutation", quick=options.quick)
        real = [task for name in PACKAGES for task in real_tasks(name, found[name], options)]
        under_way += [(task, pool.submit(work, task)) for task in real]
        for task, done in under_way:
            tallies[task.language, task.what].add(done.result())
    samples = [sample for name in PACKAGES for sample in tallies[name, "real"].samples[: memories.A_LANGUAGE]]
    stored = memories.check(samples)
    rows = [*rows_of(tallies, found), stored.row]
    misses = tuple(miss for tally in tallies.values() for miss in tally.misses) + stored.misses
    gates = tuple(gates_of(rows, tallies, found, stored, quick=options.quick))
    return Part("mutation", tuple(rows), gates, misses)


# ── what is tried ───────────────────────────────────────────────────────────────────────────────────────────────────


WHAT: Final = ("real", "fixtures", "bytes")
AIMS: Final = {
    "signature": "signatures",
    "comment": "comments and documentation",
    "excerpt": "definitions told from an excerpt",
}


def real_tasks(language: str, found: Found, options: Options) -> Iterator[Task]:
    random, wanted = Random(f"{options.seed}{language}"), (QUICK if options.quick else WHOLE)[0]
    files = random.sample(found.files, len(found.files))
    yield from shared(language, "real", real_pieces(files, language, wanted, random), wanted, random)


def fixture_tasks(language: str, options: Options) -> Iterator[Task]:
    random = Random(f"{options.seed}{language}")
    _, fixed, single = QUICK if options.quick else WHOLE
    for what, prefix, wanted in (("fixtures", "everything", fixed), ("bytes", "bytes", single)):
        paths = [
            path for path in sorted(FIXTURES.glob(f"{prefix}*")) if languages.language_of(path.name, b"") == language
        ]
        cut = [(path.name, line, text) for path in paths for line, text in pieces(path.read_bytes(), language, PIECE)]
        yield from shared(language, what, cut, wanted, random)


def real_pieces(files: Iterable[Path], language: str, wanted: int, random: Random) -> list[tuple[str, int, bytes]]:
    """Some pieces of each file, until there is enough to choose from."""
    found: list[tuple[str, int, bytes]] = []
    for file in files:
        if file.stat().st_size > 400_000:
            continue
        cut = [(line, text) for line, text in pieces(file.read_bytes(), language, PIECE) if 200 < len(text) < LONGEST]
        name = "/".join(file.parts[-4:])
        found += [(name, line, text) for line, text in random.sample(cut, min(3, len(cut)))]
        if len(found) > wanted // 8 + 4:
            break
    return found


def shared(language: str, what: str, cut: list[tuple[str, int, bytes]], wanted: int, random: Random) -> Iterator[Task]:
    """The pieces dealt out to tasks, and the mutations with them."""
    count = max(1, min(len(cut), wanted // TASK))
    for number in range(count if cut else 0):
        yield Task(language, what, tuple(cut[number::count]), wanted // count, random.randrange(1 << 30))


# ── the work of one process ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Run:
    """One task under way. `seen`: places tried, by their kind."""

    task: Task
    tally: Tally
    random: Random
    seen: Counter[str]


def work(task: Task) -> Tally:
    state = Run(task, Tally(), Random(task.seed), Counter())
    benches = [(f"{name}:{line}", bench) for name, line, text in task.pieces if (bench := made(text, task.language))]
    left = task.wanted
    for number, (place, bench) in enumerate(benches):
        compare_excerpts(state, bench, place)
        left -= mutate(state, bench, place, -(-left // (len(benches) - number)))
    return state.tally


def compare_excerpts(state: Run, bench: Bench, place: str) -> None:
    """What a call reads after many edits must tell of a definition what its whole file tells."""
    task, source, symbols = state.task, bench.subject.source, bench.facts.symbols
    names = sorted({symbol.qualified for symbol in symbols})
    for name in state.random.sample(names, min(EXCERPTS, len(names))):
        few = symbols_named(source, task.language, {name})
        if few is None:
            continue  # only the whole can tell: then that is read
        state.tally.tried["excerpt"] += 1
        if few.symbols != tuple(symbol for symbol in symbols if symbol.qualified == name):
            state.tally.missed["excerpt"] += 1
            state.tally.misses.append(f"{task.language} {place}: {name} is another one in an excerpt")


def made(text: bytes, language: str) -> Bench | None:
    subject = subject_of(text, language)
    bench = bench_of(subject) if subject is not None else None
    return bench if bench is not None and bench.facts.symbols else None


def mutate(state: Run, bench: Bench, place: str, wanted: int) -> int:
    """Makes so many mutations in one piece, of rare kinds of places first. Gives how many came about."""
    places = code_bytes(bench.subject) if state.task.what == "bytes" else sites(bench.subject)
    state.random.shuffle(places)
    done = 0
    for site in spread(sorted(places, key=lambda site: state.seen[site.kind]), state.seen):
        if done >= wanted:
            break
        done += try_one(state, bench, place, site)
    return done


def spread(waiting: list[Site], seen: Counter[str]) -> Iterator[Site]:
    """One place of each kind, then a second of each, and so on."""
    here: Counter[str] = Counter()
    rounds: dict[int, list[Site]] = {}
    for site in waiting:
        rounds.setdefault(here[site.kind], []).append(site)
        here[site.kind] += 1
    for number in sorted(rounds):
        for site in rounds[number]:
            seen[site.kind] += 1
            yield site


def try_one(state: Run, bench: Bench, place: str, site: Site) -> bool:
    for mutation in mutants(bench.subject, site, state.random):
        verdict = judge(bench, mutation)
        if verdict.sound:
            count(state, bench, place, mutation, verdict)
            return True
    state.tally.skipped += 1
    return False


def count(state: Run, bench: Bench, place: str, mutation: Mutation, verdict: Verdict) -> None:
    task, tally = state.task, state.tally
    aim = "code" if mutation.aim == "code" else "comment"
    tally.tried[aim] += 1
    tally.tried["signature"] += verdict.signatures
    if verdict.misses:
        signed = sum(miss.digest == "signature" for miss in verdict.misses)
        tally.missed["signature"] += signed
        tally.missed[aim] += len(verdict.misses) > signed
        tally.misses.append(told(bench, place, task, mutation, ", ".join(map(str, verdict.misses))))
    elif task.what == "real" and aim == "code" and verdict.held and len(tally.samples) < memories.A_LANGUAGE:
        tally.samples.append(memories.Sample(task.language, bench.subject.source, mutation))


def told(bench: Bench, place: str, task: Task, mutation: Mutation, missed: str) -> str:
    source = bench.subject.source
    name, _, before = place.rpartition(":")
    edit = f"{source[mutation.start : mutation.end][:40]!r} → {mutation.text[:40]!r}"
    around = f"after {source[max(0, mutation.start - 20) : mutation.start]!r}"
    return f"{task.language} {name}:{int(before) + mutation.line} {mutation.how} {edit} {around}: {missed}"


# ── what comes of it ────────────────────────────────────────────────────────────────────────────────────────────────


def rows_of(tallies: Mapping[tuple[str, str], Tally], found: Mapping[str, Found]) -> Iterator[Row]:
    for name in PACKAGES:
        for what, said in (("real", found[name].note), ("fixtures", ""), ("bytes", "every byte")):
            tally = tallies[name, what]
            note = f"{said}; {tally.skipped:,} places without a mutant that parses".removeprefix("; ")
            yield Row(f"{name}: {what}", tally.tried["code"], tally.tried["code"] - tally.missed["code"], note)
        total = Tally()
        for what in WHAT:
            total.add(tallies[name, what])
        for aim, said in AIMS.items():
            yield Row(f"{name}: {said}", total.tried[aim], total.tried[aim] - total.missed[aim])


def gates_of(
    rows: Iterable[Row],
    tallies: Mapping[tuple[str, str], Tally],
    found: Mapping[str, Found],
    stored: memories.Outcome,
    *,
    quick: bool,
) -> Iterator[Gate]:
    right = all(row.right == row.tried for row in rows)
    yield Gate("every changed token is noticed, no comment and no documentation is: 100 %", right)
    asked = [name for name in PACKAGES if found[name].files or not quick]  # in a hurry, what cannot be had is a note
    real, all_in_all = (QUICK[0] // 2, sum(QUICK) // 2) if quick else (LEAST // 2, LEAST)
    thin = [name for name in asked if tried(tallies, name, WHAT) < all_in_all or tried(tallies, name, WHAT[:1]) < real]
    lacking = f": not {', '.join(thin)}" if thin else ""
    said = f"at least {all_in_all:,} mutations of code a language, {real:,} of them of real code{lacking}"
    yield Gate(said, bool(asked) and not thin)
    unheld = [name for name in PACKAGES if not all(tallies[name, what].tried["code"] for what in WHAT[1:])]
    yield Gate(f"fixtures of every language{': not ' + ', '.join(unheld) if unheld else ''}", not unheld)
    yield Gate("a memory on the code is stale on the next call, and active when the edit is undone", stored.kept)


def tried(tallies: Mapping[tuple[str, str], Tally], language: str, whats: Iterable[str]) -> int:
    return sum(tallies[language, what].tried["code"] for what in whats)

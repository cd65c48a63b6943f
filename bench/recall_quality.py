"""Does recall find the right memory, first, alone, and nothing where nothing is known?

    python bench/recall_quality.py [--half tuning|reported] [--misses] [--cache DIR] [--keep DIR] [--json]

Some 430 memories of nine published packages, some superseded, some made stale by editing the code, and 128 questions in
other words than the memories', asked of the real server. One half of the questions is for tuning; the other is only
reported. Gates are on the reported half. Noise: of the items returned to questions that have an answer, those about
something else than the answer. Exit 1 below a gate.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from recall.corpus import GROUPS, HALVES, Note, Question, make_edits, notes, questions, relevant, write_code
from wire import Server

LEAST_NOTES, LEAST_SUPERSEDED, LEAST_STALE, LEAST_UNANCHORED, LEAST_CHINESE = 300, 30, 30, 20, 40
BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the notes' ids in order, and the tokens of the whole reply."""

    question: Question
    got: tuple[str, ...]
    relevant: frozenset[str]
    tokens: int

    @property
    def rank(self) -> int:
        """Place of the first wanted note, from 1; 0: not there."""
        return next((place for place, one in enumerate(self.got, 1) if one in self.question.wants), 0)


@dataclass(frozen=True, slots=True)
class Score:
    """Shares 0..1. Of questions without an answer only `empty` and `tokens` say something."""

    asked: int
    hit1: float
    hit3: float
    mrr: float
    noise: float
    empty: float
    items: float
    tokens: float


@dataclass(frozen=True, slots=True)
class Gate:
    promise: str
    value: float
    kept: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--half", choices=HALVES, help="ask only these questions; gates are on the reported ones")
    parser.add_argument("--misses", action="store_true", help="print each answer that is not the wanted one alone")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "anchormem-bench")
    parser.add_argument("--keep", type=Path, help="keep the repository and its store here, and use them if they are")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    work = given.keep or Path(tempfile.mkdtemp(prefix="recall-quality-"))
    try:
        known = prepared(work, given.cache)
        halves = (given.half,) if given.half else HALVES
        answers = {half: asked(work, known, questions(half)) for half in halves}
    finally:
        if not given.keep:
            shutil.rmtree(work, ignore_errors=True)
    scores = {half: by_group(found) for half, found in answers.items()}
    gates = gates_of(scores["reported"]) if "reported" in scores else ()
    show = as_json if given.json else as_text
    print(show(scores, gates))
    if given.misses:
        print("\n".join(miss for found in answers.values() for miss in misses(found)))
    return 0 if all(gate.kept for gate in gates) else 1


# ── the store ───────────────────────────────────────────────────────────────────────────────────────────────────────


def prepared(work: Path, cache: Path) -> dict[str, Note]:
    """The notes by the ids that they got in the store."""
    names = work / "ids.json"
    by_name = {note.id: note for note in notes()}
    if not names.exists():
        write_code(work / "code", cache)
        commit(work / "code")
        names.write_text(json.dumps(stored(work, by_name.values())))
        make_edits(work / "code")
        check_mix(work, by_name.values())
    return {name: by_name[note] for name, note in json.loads(names.read_text()).items()}


def commit(root: Path) -> None:
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "sources"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)


def server(work: Path) -> Server:
    return Server(work / "code", work / "data")


def stored(work: Path, known: Iterable[Note]) -> dict[str, str]:
    """Remembers every note as an agent would: what was believed before first, then what replaces it."""
    names: dict[str, str] = {}
    with server(work) as serving:
        serving.call("admin", op="index")
        for note in known:
            more: dict[str, object] = {"anchors": [note.at]} if note.at else {}
            if note.was:
                before = serving.call("remember", kind=note.kind, body=note.was, **more)
                assert isinstance(before, dict)
                more["supersedes"] = before["id"]
            made = serving.call("remember", kind=note.kind, body=note.body, **more)
            assert isinstance(made, dict)
            names[str(made["id"])] = note.id
    return names


def check_mix(work: Path, known: Iterable[Note]) -> None:
    """The store is what the table says it is."""
    known = tuple(known)
    superseded = sum(1 for note in known if note.was)
    assert len(known) + superseded >= LEAST_NOTES
    assert superseded >= LEAST_SUPERSEDED
    assert sum(1 for note in known if not note.at) >= LEAST_UNANCHORED
    assert sum(1 for note in known if not note.body.isascii() and is_chinese(note.body)) >= LEAST_CHINESE
    with server(work) as serving:
        status = serving.call("admin", op="status")
    assert isinstance(status, dict)
    assert status["memories"]["status"]["stale"] >= LEAST_STALE, status


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def asked(work: Path, known: dict[str, Note], wanted: Iterable[Question]) -> list[Answer]:
    found = []
    with server(work) as serving:
        for question in wanted:
            items = serving.call("recall", task=question.ask)
            assert isinstance(items, list)
            got = tuple(known[item["id"]].id for item in items)
            tokens = -(-len(serving.last_reply) // BYTES_PER_TOKEN)
            found.append(Answer(question, got, relevant(question, known.values()), tokens))
    return found


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def by_group(answers: Sequence[Answer]) -> dict[str, Score]:
    """Each group's score; `all` is every question that has an answer."""
    groups = {name: [one for one in answers if one.question.group == name] for name in GROUPS}
    answerable = [one for one in answers if one.question.wants]
    return {"all": score(answerable), **{name: score(found) for name, found in groups.items()}}


def score(answers: Sequence[Answer]) -> Score:
    returned = [name for one in answers for name in one.got]
    aside = sum(1 for one in answers for name in one.got if name not in one.relevant)
    return Score(
        asked=len(answers),
        hit1=fmean(one.rank == 1 for one in answers),
        hit3=fmean(1 <= one.rank <= 3 for one in answers),
        mrr=fmean(1 / one.rank if one.rank else 0 for one in answers),
        noise=aside / max(len(returned), 1),
        empty=fmean(not one.got for one in answers),
        items=fmean(len(one.got) for one in answers),
        tokens=fmean(one.tokens for one in answers),
    )


def gates_of(scores: dict[str, Score]) -> tuple[Gate, ...]:
    every, none = scores["all"], scores["unanswerable"]
    return (
        Gate("hit@3 at least 0.90", every.hit3, every.hit3 >= 0.90),
        Gate("MRR at least 0.80", every.mrr, every.mrr >= 0.80),
        Gate("noise at most 0.35", every.noise, every.noise <= 0.35),
        Gate("unanswerable at least 0.8 empty", none.empty, none.empty >= 0.8),
    )


def as_json(scores: dict[str, dict[str, Score]], gates: Iterable[Gate]) -> str:
    halves = {half: {name: asdict(one) for name, one in groups.items()} for half, groups in scores.items()}
    return json.dumps({"halves": halves, "gates": [asdict(gate) for gate in gates]}, indent=1)


def as_text(scores: dict[str, dict[str, Score]], gates: Iterable[Gate]) -> str:
    lines = [
        "| questions | half | asked | hit@1 | hit@3 | MRR | noise | empty | items | tokens |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in ("all", *GROUPS):
        for half, groups in scores.items():
            lines.append(line(name, half, groups[name]))
    lines += [""] + [f"{'ok' if gate.kept else 'BELOW'}: {gate.promise} ({gate.value:.2f})" for gate in gates]
    return "\n".join(lines)


def line(name: str, half: str, one: Score) -> str:
    shares = (
        "– | – | – | –"
        if name == "unanswerable"
        else " | ".join(f"{x:.2f}" for x in (one.hit1, one.hit3, one.mrr, one.noise))
    )
    return f"| {name} | {half} | {one.asked} | {shares} | {one.empty:.2f} | {one.items:.1f} | {one.tokens:.0f} |"


def misses(answers: Iterable[Answer]) -> Iterable[str]:
    """What is not as wished, a line each: place of the answer (0: none), the question, what came."""
    for one in answers:
        wanted = one.question.wants
        aside = [name for name in one.got if name not in one.relevant]
        if aside or (one.rank != 1 if wanted else one.got):
            yield f"{one.rank} {one.question.ask}: wanted {' '.join(wanted)}, got {' '.join(one.got)}"


if __name__ == "__main__":
    sys.exit(main())

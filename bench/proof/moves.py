"""The proof of moves: what people and git do to code, in every language, over real git and a real store.

What is done is in `move_acts` and `move_git`, what must come of it in `move_table`. All work-tree cases stand in one
repository and go their stages together; those of git have a repository each. A whole run asks the server, a quick one
the hall behind it.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from proof.move_desk import Desk, HallDesk, ServerDesk, Told
from proof.move_ground import BLOCK, LANGUAGES, Scene, Tree, new_tree, sample
from proof.move_table import CASES, GIT_CASES, Case, Fates, GitCase
from proof.part import Gate, Options, Part, Row

QUICK_LANGUAGES = 4  # of every case; which, changes from case to case
FIRST_NUMBER = 2000


@dataclass
class Tally:
    tried: int = 0
    languages: set[str] = field(default_factory=set)
    misses: list[str] = field(default_factory=list)


@dataclass
class Going:
    """A scene under way: its act between two stages, its memories by role."""

    case: Case | GitCase
    scene: Scene
    steps: Iterator[None] | None = None
    ids: dict[str, str] = field(default_factory=dict)

    def must(self, stage: int, role: str) -> str:
        stages = self.case.differs.get(self.scene.sample.language, self.case.stages)
        fates: Fates = stages[stage]
        return fates if isinstance(fates, str) else fates[role]


def run(options: Options) -> Part:
    tallies = {case.what: Tally() for case in (*CASES, *GIT_CASES)}
    numbers = count(FIRST_NUMBER, BLOCK)
    with tempfile.TemporaryDirectory(prefix="anchormem-moves-") as folder:
        made = HallDesk if options.quick else ServerDesk
        with made(Path(folder) / "data") as desk:
            in_the_work_tree(desk, new_tree(Path(folder) / "work"), chosen(options), numbers, tallies)
            for turn, case in enumerate(GIT_CASES):
                tree = new_tree(Path(folder) / f"git{turn}")
                scenes = [Scene(tree, sample(one), f"src/{one}", next(numbers)) for one in spoken(options, turn)]
                by_git(desk, tree, [Going(case, scene) for scene in scenes], tallies[case.what])
    rows = tuple(row(what, tally) for what, tally in tallies.items())
    misses = tuple(miss for tally in tallies.values() for miss in tally.misses)
    tried = all(one.tried for one in rows)
    gate = Gate(
        "every fate of every situation is as in the table, in every language it was tried in", tried and not misses
    )
    return Part("moves", rows, (gate,), misses)


def row(what: str, tally: Tally) -> Row:
    left = [language for language in LANGUAGES if language not in tally.languages]
    note = f"{len(tally.languages)} languages" + (f", not {', '.join(left)}" if 0 < len(left) <= 3 else "")
    return Row(what, tally.tried, tally.tried - len(tally.misses), note)


def spoken(options: Options, turn: int) -> tuple[str, ...]:
    """The languages of a case: all, or in a quick run a few, others for the next case."""
    if not options.quick:
        return LANGUAGES
    start = (turn + options.seed) * QUICK_LANGUAGES
    return tuple(LANGUAGES[(start + one) % len(LANGUAGES)] for one in range(QUICK_LANGUAGES))


def chosen(options: Options) -> Iterator[tuple[Case, str]]:
    for turn, case in enumerate(CASES):
        able = [language for language in spoken(options, turn) if case.needs in sample(language).parts]
        yield from ((case, language) for language in able or ["python"])


# ── in the work tree ────────────────────────────────────────────────────────────────────────────────────────────────


def in_the_work_tree(
    desk: Desk, tree: Tree, cases: Iterator[tuple[Case, str]], numbers: Iterator[int], tallies: dict[str, Tally]
) -> None:
    going = [
        Going(case, Scene(tree, sample(language), f"{language}/case{number}", number))
        for (case, language), number in zip(cases, numbers, strict=False)
    ]
    for one in going:
        assert isinstance(one.case, Case)
        one.steps = one.case.act(one.scene)
        next(one.steps)
    tree.commit()
    anchor(desk, tree, going)
    for stage in range(max(len(case.stages) for case in CASES)):
        going = [one for one in going if one.steps is not None and next(one.steps, one) is None]
        judge(desk, tree, going, stage, tallies)


def anchor(desk: Desk, tree: Tree, going: Sequence[Going]) -> None:
    for one in going:
        for role, wanted in one.scene.anchors.items():
            body = f"{one.case.what} in {one.scene.sample.language}: the {role}, which is number {one.scene.number}"
            one.ids[role] = desk.remember(tree, body, wanted)


# ── by git ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def by_git(desk: Desk, tree: Tree, going: list[Going], tally: Tally) -> None:
    case = going[0].case
    assert isinstance(case, GitCase)
    steps = case.act(tree, [one.scene for one in going])
    next(steps)
    anchor(desk, tree, going)
    if case.commits:
        tree.commit()
        desk.fates(tree, [memory for one in going for memory in one.ids.values()])  # a call that sees the commit
    for stage, asked in enumerate(steps):
        judge(desk, asked or tree, going, stage, {case.what: tally})


# ── judging ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def judge(desk: Desk, tree: Tree, going: Sequence[Going], stage: int, tallies: dict[str, Tally]) -> None:
    told = desk.fates(tree, [memory for one in going for memory in one.ids.values()])
    for one in going:
        tally = tallies[one.case.what]
        tally.languages.add(one.scene.sample.language)
        for role, memory in one.ids.items():
            tally.tried += 1
            wrong = fault(one, stage, role, told[memory])
            if wrong:
                where = f"{one.case.what} [{one.scene.sample.language}] stage {stage + 1}, {role}"
                tally.misses.append(f"{where}: {wrong}")


def fault(one: Going, stage: int, role: str, told: Told) -> str:
    """What is wrong with a fate, "" when nothing is."""
    must, place = one.must(stage, role), one.scene.now[role]
    fates = must.removesuffix(" ?")
    came = f"came {told.fate} at {told.at}, candidates {list(told.candidates)}"
    if told.fate not in fates.split(" | "):
        return f"must be {must}; {came}"
    if told.fate in ("fresh", "followed") and told.at.partition("@")[0] != place:
        return f"must be at {place}; {came}"
    if must.endswith("?") and place not in told.candidates:
        return f"must name {place}; {came}"
    said = one.scene.changed.get(role, "")
    if told.fate == "stale:body_edited" and said and told.changed != said:
        return f"must say {said!r} changed; said {told.changed!r}"
    return ""

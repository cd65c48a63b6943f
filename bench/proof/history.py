"""Real histories replayed: hundreds of commits over anchored memories, every fate against a judge that is not ours.

Histories are made of released packages (and of this repository, where it has its commits); see releases, replay, judge.
"""

import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proof.part import Gate, Options, Part, Row
from proof.releases import Tree, commit_all, release, steps
from proof.replay import Replay
from proof.score import Score, Seen

# Chosen for what happened to them: folders moved, modules renamed and split, classes split in two, code respelled.
WHOLE = {
    "click": (
        "7.0 7.1 7.1.2 8.0.0 8.0.1 8.0.2 8.0.3 8.0.4 8.1.0 8.1.1 8.1.2 8.1.3 8.1.4 8.1.5 8.1.6 8.1.7 8.1.8"
        " 8.2.0 8.2.1 8.3.0 8.3.1 8.3.3 8.4.0 8.4.2 8.5.1"
    ),
    "httpx": (
        "0.9.3 0.10.0 0.10.1 0.11.0 0.11.1 0.12.0 0.12.1 0.13.0 0.13.1 0.13.3 0.14.0 0.14.2 0.14.3 0.15.0 0.15.3"
        " 0.15.5 0.16.0 0.16.1 0.17.0 0.17.1 0.18.0 0.18.2 0.19.0 0.20.0 0.21.0 0.22.0 0.23.0 0.23.3 0.24.0 0.25.0"
        " 0.26.0 0.27.0 0.28.0 0.28.1"
    ),
}
QUICK = {"httpx": "0.12.1 0.13.0 0.13.3 0.14.0 0.14.3 0.15.0"}  # wheels: pip need not build them
COMMITS_PER_RELEASE = 8
ENOUGH_COMMITS = 300
LONG_ENOUGH = 60  # commits of a repository's own history that are worth a replay
OWN_COMMITS_QUICK = 60
ANCHORS, ANCHORS_QUICK = 60, 25  # made at each of three points of a history
SLOW_SECONDS = 2.0
QUICK_SECONDS, QUICK_COMMITS = 25.0, 15  # after so long, and so many commits, a quick run has seen enough


@dataclass(frozen=True, slots=True)
class History:
    name: str
    root: Path
    commits: Sequence[str]


def run(options: Options) -> Part:
    started = time.monotonic()
    rows: list[Row] = []
    score, replayed, histories = Score(), 0, 0
    with tempfile.TemporaryDirectory(prefix="anchormem-history-") as scratch:
        folder = Path(scratch)
        for history, note in _histories(options, folder):
            if history is None:
                rows.append(Row("not replayed", 0, 0, note))
                continue
            replay = _replay(history, folder, options)
            seen = list(replay.run(started + QUICK_SECONDS, QUICK_COMMITS) if options.quick else replay.run())
            score.take(seen)
            rows.append(_row(history, replay, seen, note))
            replayed += len({one.commit for one in seen})
            histories += 1
    return Part(
        "history", (*rows, *score.rows()), (*_scope(options, replayed, histories), *score.gates()), tuple(score.misses)
    )


def _scope(options: Options, replayed: int, histories: int) -> tuple[Gate, ...]:
    least, of = (1, 1) if options.quick else (ENOUGH_COMMITS, 2)
    promise = f"replayed {replayed} commits of {histories} histories, at least {least} of {of}"
    return (Gate(promise, replayed >= least and histories >= of),)


def _histories(options: Options, folder: Path) -> list[tuple[History | None, str]]:
    made = [
        _released(name, versions.split(), options, folder)
        for name, versions in (QUICK if options.quick else WHOLE).items()
    ]
    if not options.quick or all(history is None for history, _ in made):
        made.append(_own(options, folder))
    return made


def _released(package: str, versions: Sequence[str], options: Options, folder: Path) -> tuple[History | None, str]:
    trees: list[tuple[str, Tree]] = []
    missing = []
    for version in versions:
        tree = release(package, version, options.cache, built=options.quick)
        if isinstance(tree, str):
            missing.append(tree)
            if not trees and options.quick:
                break  # no registry: the others would only take as long to say so
        else:
            trees.append((version, tree))
    if len(trees) < 2:
        return None, f"{package}: {missing[0] if missing else 'no releases'}"
    root = folder / package
    commits = commit_all(root, steps(trees, options.seed, COMMITS_PER_RELEASE))
    note = f"; not had: {', '.join(missing)}" if missing else ""
    name = f"{package} {trees[0][0]} … {trees[-1][0]}, {len(trees)} {'wheels' if options.quick else 'sdists'}"
    return History(name, root, commits), note


def _own(options: Options, folder: Path) -> tuple[History | None, str]:
    """This repository's own commits to Python files, from a clone."""
    here = Path(__file__).resolve().parents[2]
    root = folder / "own"
    asked = ["git", "clone", "-q", "--no-checkout", str(here), str(root)]
    if subprocess.run(asked, check=False, capture_output=True).returncode:
        return None, "own history: the bench stands in no repository"
    listed = ["git", "rev-list", "--first-parent", "--reverse", "HEAD", "--", "*.py"]
    commits = subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout.split()
    if len(commits) < LONG_ENOUGH:
        return None, f"own history: {len(commits)} commits, a replay needs {LONG_ENOUGH}"
    if options.quick:
        commits = commits[-OWN_COMMITS_QUICK:]
    return History("this repository", root, commits), ""


def _replay(history: History, folder: Path, options: Options) -> Replay:
    each = ANCHORS_QUICK if options.quick else ANCHORS
    last = len(history.commits)
    # Not at the very start: a young repository has little to anchor.
    points = (last // 20, last // 3, 2 * last // 3)
    data = folder / "data" / history.root.name
    data.mkdir(parents=True, exist_ok=True)
    return Replay(history.root, data, history.commits, dict.fromkeys(points, each), options.seed)


def _row(history: History, replay: Replay, seen: Sequence[Seen], note: str) -> Row:
    decided = [one for one in seen if one.verdict.row != "undecided"]
    slow = sum(1 for one in replay.seconds if one > SLOW_SECONDS)
    refused = f"; refused {dict(replay.refused)}" if replay.refused else ""
    calls = f"{1000 * statistics.median(replay.seconds):.0f} ms a call, {max(replay.seconds):.1f} s at most"
    times = f"{calls}, {slow} over {SLOW_SECONDS:.0f} s"
    return Row(
        history.name,
        len(decided),
        sum(1 for one in decided if one.is_right),
        f"{len({one.commit for one in seen})} commits, {len(replay.notes)} anchors; {times}{refused}{note}",
    )

"""Every token counts: whatever is changed in a fixture, the hashes of what holds it change, and no others do.

A seeded share of what `bench/truth.py` does on the same fixtures, and on real code.
"""

from pathlib import Path
from random import Random

import pytest

from anchormem.syntax.facts import facts_of
from anchormem.syntax.judge import bench_of, judge
from anchormem.syntax.mutate import mutants
from anchormem.syntax.places import sites, subject_of
from languages.kinds import FIXTURES, language_of

SHARE = 60_000  # bytes of mutants made of a fixture
SEED = 20


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_a_fixture_is_sound(path: Path) -> None:
    assert facts_of(path.read_bytes(), language_of(path)).error_bytes == 0


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_what_changes_code_is_noticed_and_what_does_not_is_not(path: Path) -> None:
    subject = subject_of(path.read_bytes(), language_of(path))
    bench = bench_of(subject) if subject is not None else None
    assert subject is not None
    assert bench is not None
    random = Random(SEED)
    places = sites(subject)
    wanted = max(12, SHARE // len(subject.source))
    tried, misses = 0, []
    for site in random.sample(places, len(places)):
        mutation = next(mutants(subject, site, random), None)
        verdict = judge(bench, mutation) if mutation is not None else None
        if mutation is None or verdict is None or not verdict.sound:
            continue
        tried += 1
        misses += [f"{path.name}:{mutation} {miss}" for miss in verdict.misses]
        if tried == wanted:
            break
    assert misses == []
    assert tried >= min(wanted, len(places) // 3), "too few mutants parse to prove anything"

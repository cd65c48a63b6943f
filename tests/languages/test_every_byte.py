"""Every byte outside comments, documentation and layout counts: changed alone, it changes what holds it.

One short fixture a language, `fixtures/bytes.<suffix>`, with every form of literal the language has.
"""

from pathlib import Path
from random import Random

import pytest

from anchormem.syntax.facts import facts_of
from anchormem.syntax.judge import bench_of, judge
from anchormem.syntax.mutate import mutants
from anchormem.syntax.places import code_bytes, subject_of
from languages.kinds import BYTES, language_of

SEED = 8


@pytest.mark.parametrize("path", BYTES, ids=lambda path: path.name)
def test_a_changed_byte_changes_every_definition_around_it(path: Path) -> None:
    source, language = path.read_bytes(), language_of(path)
    assert facts_of(source, language).error_bytes == 0
    subject = subject_of(source, language)
    bench = bench_of(subject) if subject is not None else None
    assert subject is not None
    assert bench is not None
    random = Random(SEED)
    places = code_bytes(subject)
    misses, sound = [], 0
    for site in places:
        mutation = next(mutants(subject, site, random), None)
        verdict = judge(bench, mutation) if mutation is not None else None
        if mutation is not None and verdict is not None:
            sound += verdict.sound
            misses += [f"{path.name}:{mutation} {miss}" for miss in verdict.misses]
    assert misses == []
    assert sound >= len(places) // 3, "too few mutants parse to prove anything"

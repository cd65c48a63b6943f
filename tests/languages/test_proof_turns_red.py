"""The proof is worth something: break one rule of the recipe, and the edits that it hides are told as misses."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from anchormem.syntax import parsed
from anchormem.syntax.judge import bench_of, judge
from anchormem.syntax.mutate import mutants
from anchormem.syntax.places import sites, subject_of
from anchormem.syntax.recipe import SKIP, Recipe, recipe_of
from anchormem.syntax.walk import Walk

FIXTURES = Path(__file__).parent / "fixtures"
SEED = 5
MOST = 200  # places of a fixture


def misses(path: Path, language: str, where: str = "") -> list[str]:
    """The first miss that edits of a fixture bring to light, if any. `where`: only at kinds that match."""
    subject = subject_of(path.read_bytes(), language)
    bench = bench_of(subject) if subject is not None else None
    assert subject is not None
    assert bench is not None
    random = Random(SEED)
    places = [site for site in sites(subject) if re.search(where, site.kind)]
    for site in random.sample(places, min(MOST, len(places))):
        mutation = next(mutants(subject, site, random), None)
        verdict = judge(bench, mutation) if mutation is not None else None
        if verdict is not None and verdict.misses:
            return [str(miss) for miss in verdict.misses]
    return []


def forgets(*words: str) -> Callable[[str], Recipe]:
    """A recipe that leaves some kinds out, as one does that lists the leaves that count."""

    def broken(name: str) -> Recipe:
        whole = recipe_of(name)
        kinds = {kind for word in words for kind in whole.kinds[word]}
        return replace(whole, act={**whole.act, **dict.fromkeys(kinds, SKIP)})

    return broken


@pytest.mark.parametrize(
    ("suffix", "language", "words"),
    [
        (".go", "go", ("int_literal",)),
        (".java", "java", ("decimal_integer_literal",)),
        (".php", "php", ("boolean",)),
        (".rb", "ruby", ("simple_symbol",)),
        (".py", "python", ("decorator",)),
        (".ts", "typescript", ("accessibility_modifier",)),
        (".c", "c", ("primitive_type",)),
    ],
)
def test_a_recipe_that_forgets_a_kind_of_leaf_is_found_out(
    suffix: str, language: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsed, "recipe_of", forgets(*words))
    assert any(misses(path, language, "|".join(words)) for path in sorted(FIXTURES.glob(f"*{suffix}")))


def test_a_walk_over_leaves_alone_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Walk, "gap", lambda _self, _start, _end: None)
    assert misses(FIXTURES / "everything.rs", "rust", "gap:")


def test_comments_that_count_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Recipe:
        whole = recipe_of(name)
        return replace(whole, act={**whole.act, **dict.fromkeys(whole.kinds["comment"], 0)})

    monkeypatch.setattr(parsed, "recipe_of", broken)
    assert misses(FIXTURES / "everything.go", "go", "comment|add")

"""The fixtures hold every kind of node of every grammar, or say why one cannot occur inside a definition."""

import pytest

from languages.kinds import FIXTURES, GRAMMARS, covered, language_of, reachable, unreached


@pytest.mark.parametrize("language", GRAMMARS)
def test_every_kind_of_a_grammar_is_in_a_fixture_or_has_its_reason(language: str) -> None:
    there, excused = covered(language), unreached(language)
    assert sorted(reachable(language) - there - set(excused)) == []
    assert sorted(kind for kind in excused if kind in there) == [], "no longer unreached"
    assert sorted(set(excused) - reachable(language)) == [], "the grammar has no such kind"
    assert all(excused.values())


def test_every_fixture_has_a_grammar() -> None:
    assert {language_of(path) for path in FIXTURES} <= set(GRAMMARS)

"""Every language against its literate cases (see literate.py for how they are written)."""

from pathlib import Path

import pytest

from anchormem.model import Digest, FileFacts
from anchormem.syntax.facts import facts_of
from languages.literate import Case, cases

FOLDER = Path(__file__).parent
ALL = [case for path in sorted(FOLDER.glob("*.md")) for case in cases(path)]
PAIRS = [case for case in ALL if case.aspect != "symbols"]
SYMBOLS = [case for case in ALL if case.aspect == "symbols"]


def digest(case: Case, text: str, of: str) -> Digest | None:
    facts = facts_of(text.encode(), case.language)
    assert facts.error_bytes == 0, f"does not parse: {text}"
    if case.aspect == "file":
        return facts.normal
    found = [s for s in facts.symbols if of in {"", s.qualified, f"{s.qualified}@{s.disambiguator}"}]
    assert found, f"no symbol {of} in {text}"
    told: Digest | None = getattr(found[0], case.aspect)
    return told


def shown(facts: FileFacts) -> list[str]:
    return [f"{s.kind} {s.qualified}" + (f"@{s.disambiguator}" if s.disambiguator else "") for s in facts.symbols]


@pytest.mark.parametrize("case", PAIRS, ids=str)
def test_formatter_noise_is_dropped_and_nothing_else(case: Case) -> None:
    of, _, renamed = case.of.partition("|")
    left, right = digest(case, case.left, of), digest(case, case.right, renamed or of)
    assert (left == right) == (case.sign == "≡")


@pytest.mark.parametrize("case", SYMBOLS, ids=str)
def test_every_definition_is_a_symbol(case: Case) -> None:
    assert shown(facts_of(case.left.encode(), case.language)) == case.right.strip().splitlines()

"""Every ninth token of the Rust, Go, Java and C# cases, changed: the file and all that holds the token change with it.

The whole of it takes minutes; what is stepped over here, `bench/truth.py` does.
"""

from pathlib import Path

import pytest

from anchormem.syntax.facts import facts_of
from anchormem.syntax.parsed import parse
from languages.literate import Case, cases

FOLDER = Path(__file__).parent
LANGUAGES = ("rust", "go", "java", "csharp")
SOURCES = [case for name in LANGUAGES for case in cases(FOLDER / f"{name}.md") if case.aspect == "symbols"]
STEP = 9


def changed(text: bytes) -> bytes:
    """Another token of about the same kind, so that many mutants still parse."""
    if text[-1:].isdigit():
        return text[:-1] + (b"7" if text[-1:] != b"7" else b"3")
    return text + b"q" if text[-1:].isalpha() else b"~" + text


@pytest.mark.parametrize("case", SOURCES, ids=str)
def test_a_changed_token_changes_the_file_and_all_that_holds_it(case: Case) -> None:
    source = case.left.encode()
    parsed, before = parse(source, case.language), facts_of(source, case.language)
    assert parsed is not None
    sound = 0
    for token in range(0, len(parsed.stream.starts), STEP):
        start, end = parsed.stream.starts[token], parsed.stream.end(token)
        after = facts_of(source[:start] + changed(source[start:end]) + source[end:], case.language)
        if after.error_bytes:
            continue
        sound += 1
        bodies = {(s.qualified, s.disambiguator): s.body for s in after.symbols}
        around = [s for s in before.symbols if s.start_byte <= start < end <= s.end_byte]
        kept = [s.qualified for s in around if bodies.get((s.qualified, s.disambiguator)) == s.body]
        assert (after.normal != before.normal, kept) == (True, []), source[max(0, start - 30) : end + 10]
    assert sound > len(parsed.stream.starts) // STEP // 3, "too few mutants parse to prove anything"

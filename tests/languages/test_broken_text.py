"""Half-typed and undecodable text of every language: facts are made of it all the same."""

from pathlib import Path

import pytest

from anchormem.syntax.facts import facts_of
from languages.literate import Case, cases

FOLDER = Path(__file__).parent
SOURCES = [case for path in sorted(FOLDER.glob("*.md")) for case in cases(path) if case.aspect == "symbols"]


@pytest.mark.parametrize("case", SOURCES, ids=str)
def test_a_file_cut_anywhere_still_gives_facts(case: Case) -> None:
    source = case.left.encode()
    for part in range(1, 6):
        assert facts_of(source[: len(source) * part // 6], case.language).language == case.language


@pytest.mark.parametrize("case", SOURCES, ids=str)
def test_bytes_that_are_no_text_still_give_facts(case: Case) -> None:
    source = case.left.encode()
    for part in range(6):
        at = len(source) * part // 6
        broken = source[:at] + b"\xd6\xff\x00\xed\xa0\x80" + source[at:]
        assert facts_of(broken, case.language).language == case.language


@pytest.mark.parametrize("case", SOURCES, ids=str)
def test_line_ends_and_a_byte_order_mark_leave_every_hash_alone(case: Case) -> None:
    source = case.left.encode()
    marked = b"\xef\xbb\xbf" + source.replace(b"\n", b"\r\n")
    assert facts_of(marked, case.language) == facts_of(source, case.language)

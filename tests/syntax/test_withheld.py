"""Facts hold no credentials: neither as a head nor as a name, an import or a base. Hashes are as ever."""

from dataclasses import replace

import pytest

from anchormem.syntax import sections
from anchormem.syntax.facts import facts_of
from anchormem.syntax.withheld import is_secret
from anchormem.text.secrets import WITHHELD, find
from text.secret_cases import FLAGGED, MIXED, PASSES, made

TOKEN = made("gh", "p_", MIXED[:36])
INNOCENT = "x" * len(TOKEN)


@pytest.mark.parametrize("text", [text for _, text in FLAGGED if find(text.replace("\n", " "))])
def test_the_quick_look_overlooks_nothing_that_the_scan_would_find(text: str) -> None:
    assert is_secret(text.replace("\n", " "))


@pytest.mark.parametrize("text", PASSES)
def test_what_passes_the_scan_passes_here(text: str) -> None:
    assert not is_secret(text)


PYTHON = """\
import os
A = "X"


def f(a="X"):
    return g("X")


class C(B, key="X"):
    D = "X"
"""
SOURCES = {
    "python": PYTHON,
    "typescript": 'import z from "./X";\nexport const T = "X";\nclass Q extends mix("X") { m() { return z("X"); } }\n',
    "ruby": 'class R < Struct.new(:a, "X")\n  def x\n    1\n  end\nend\n',
    "bash": "export T=X\nf() {\n  echo X\n}\n",
    "c": '#include "X"\n#define K "X"\nstatic const char *k = "X";\nint f(void) { return 1; }\n',
    "markdown": "# Title X\n\ntext X\n\n# Other\n\ntext\n",
}


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_no_fact_holds_it_and_what_is_left_is_as_ever(language: str) -> None:
    source = SOURCES[language].replace("X", TOKEN).encode()
    found = facts_of(source, language)
    assert TOKEN[4:] not in repr(found)
    assert TOKEN[4:] in source.decode()
    plain = facts_of(SOURCES[language].replace("X", INNOCENT).encode(), language)
    heads = {one.qualified: one.head for one in plain.symbols if INNOCENT not in f"{one.qualified}{one.head}"}
    assert {one.qualified: one.head for one in found.symbols if one.head != WITHHELD} == heads
    assert any(one.head == WITHHELD for one in found.symbols) or language == "markdown"


def test_a_definition_that_is_called_like_a_secret_is_not_known() -> None:
    found = facts_of(f"def {TOKEN}():\n    g()\n\n\ndef h():\n    g()\n".encode(), "python")
    assert [one.qualified for one in found.symbols] == ["h"]
    assert [one.within for one in found.references] == ["h"]


def test_a_withheld_head_leaves_the_digests_as_they_are() -> None:
    one = facts_of(f'def f(a="{TOKEN}"):\n    return a\n'.encode(), "python").symbols[0]
    other = facts_of(f'def f(a="{TOKEN}"):\n    return  a  # said\n'.encode(), "python").symbols[0]
    assert replace(other, raw=one.raw, end_byte=one.end_byte) == one


def test_keys_of_configuration_are_withheld_too() -> None:
    source = f'{{"{TOKEN}": 1, "fine": {{"deep": 2}}}}'.encode()
    assert [one.qualified for one in sections.keys(source, "json", 9)] == ["fine", "fine.deep"]

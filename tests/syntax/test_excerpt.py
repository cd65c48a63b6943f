"""An excerpt tells of the definitions asked for exactly what the whole file tells."""

from collections import defaultdict
from pathlib import Path

import pytest

from anchormem import languages
from anchormem.model import Symbol
from anchormem.syntax.excerpt import excerpt, symbols_named
from anchormem.syntax.facts import facts_of
from languages.literate import cases

LANGUAGES = Path(__file__).parent.parent / "languages"
OWN = sorted((Path(__file__).parent.parent.parent / "src").rglob("*.py"), key=lambda path: -path.stat().st_size)[:4]


def by_name(symbols: tuple[Symbol, ...]) -> dict[str, list[Symbol]]:
    found = defaultdict(list)
    for symbol in symbols:
        found[symbol.qualified].append(symbol)
    return found


def differing(source: bytes, language: str, most: int = 40) -> tuple[int, list[str]]:
    """How many names had an excerpt, and those of which it told something else than the whole."""
    whole = facts_of(source, language)
    told, wrong = 0, []
    for name, symbols in list(by_name(whole.symbols).items())[:most]:
        few = symbols_named(source, whole.language or language, {name})
        if few is None:
            continue
        told += 1
        assert (few.content, few.epoch, few.language) == (whole.content, whole.epoch, whole.language)
        if list(few.symbols) != symbols:
            wrong.append(name)
    return told, wrong


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_each_definition_of_a_real_file_is_told_as_by_the_whole(path: Path) -> None:
    told, wrong = differing(path.read_bytes(), "python")
    assert told
    assert wrong == []


@pytest.mark.parametrize("language", [name for name in languages.names() if (LANGUAGES / f"{name}.md").exists()])
def test_each_definition_of_the_cases_is_told_as_by_the_whole(language: str) -> None:
    wrong = {}
    for case in cases(LANGUAGES / f"{language}.md"):
        if case.aspect == "symbols" and (found := differing(case.left.encode(), case.language)[1]):
            wrong[str(case)] = found
    assert wrong == {}


def test_what_nobody_asked_for_is_left_out_and_what_follows_is_told_where_it_stands() -> None:
    source = (
        b"class A:\n    # about A\n    x = 1\n    # about g\n    @cached\n    def g(self):\n        return 2\n\n"
        b"    def f(self):\n        return 1\n"
    )
    said = excerpt(source, "python", {"f"})
    assert said is not None
    assert len(said.said) < len(source)
    assert said.said.split() == b"class A: # about A x = 1 def f(self): return 1".split()
    few = symbols_named(source, "python", {"A.f"})
    assert few is not None
    assert few.symbols == tuple(one for one in facts_of(source, "python").symbols if one.qualified == "A.f")


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", b"class A:\n    # of f\n    def f(self): pass\n\n    # of g\n    def g(self): pass\n"),
        ("ruby", b"class A\n  # of f\n  def f\n    2\n  end\n\n  # of g\n  def g\n    1\n  end\nend\n"),
        ("java", b"class A {\n  /** of f */\n  int f() {\n    return 2;\n  }\n\n  /** of g */\n  int g() {}\n}\n"),
        ("php", b"<?php\nclass A {\n  /** of f */\n  function f() {\n  }\n\n  /** of g */\n  function g() {}\n}\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["f", "g"])
def test_a_comment_documents_what_it_documents_in_the_whole(language: str, source: bytes, name: str) -> None:
    few = symbols_named(source, language, {f"A.{name}"})
    assert few is not None
    assert few.symbols == tuple(one for one in facts_of(source, language).symbols if one.qualified == f"A.{name}")


@pytest.mark.parametrize(
    ("source", "language", "names"),
    [
        (b"def f(:\n", "python", {"f"}),
        (b"# Title\n\nText\n", "markdown", {"Title"}),
        (b"def f(): pass\n", "python", {"operator ()"}),
        (b"def f(): pass\n", "python", {"f", "gone"}),
        (b"class Q { 'd e' = .5 }\n", "javascript", {"Q.de"}),
        (b"def f(): pass\n", "python", set[str]()),
        (b"FORCE_INLINE int\nf(int a)\n{ return a; }\n\nint g(int a) { return a; }\n", "c", {"g"}),
    ],
)
def test_where_only_the_whole_can_tell_there_is_no_excerpt(source: bytes, language: str, names: set[str]) -> None:
    assert symbols_named(source, language, names) is None

"""Nothing that can be typed takes longer than a bound that grows with its size alone, in any language."""

import time

import pytest

from anchormem import languages
from anchormem.syntax import tree
from anchormem.syntax.facts import facts_of
from languages.kinds import FIXTURES, language_of

# Processor seconds a megabyte, on a machine that does other things too. The worst that is known (200 KB of unclosed
# strings) takes a third of it, common code a twentieth.
SECONDS_A_MEGABYTE = 40.0
LEAST_SECONDS = 5.0  # grammars are loaded and queries compiled once
DEEP = 50_000
MANY = 3_000

# Before, between and after an expression, and the brackets that nest it.
EXPRESSIONS = {
    "bash": (b"x=$(( ", b"(", b"1", b")", b" ))\n"),
    "c": (b"int x = ", b"(", b"1", b")", b";\n"),
    "cpp": (b"int x = ", b"(", b"1", b")", b";\n"),
    "csharp": (b"class A { int x = ", b"(", b"1", b")", b"; }\n"),
    "go": (b"package a\nvar x = ", b"(", b"1", b")", b"\n"),
    "java": (b"class A { int x = ", b"(", b"1", b")", b"; }\n"),
    "javascript": (b"x = ", b"[", b"1", b"]", b";\n"),
    "json": (b"", b"[", b"1", b"]", b"\n"),
    "markdown": (b"", b"> ", b"said\n", b"", b""),
    "php": (b"<?php $x = ", b"(", b"1", b")", b";\n"),
    "python": (b"x = ", b"[", b"1", b"]", b"\n"),
    "ruby": (b"x = ", b"[", b"1", b"]", b"\n"),
    "rust": (b"fn f() { x = ", b"(", b"1", b")", b"; }\n"),
    "toml": (b"x = ", b"[", b"1", b"]", b"\n"),
    "tsx": (b"x = ", b"(", b"1", b")", b";\n"),
    "typescript": (b"x = ", b"(", b"1", b")", b";\n"),
    "yaml": (b"", b"[", b"1", b"]", b"\n"),
}
# Definitions inside each other, with the code that closes them.
DEFINITIONS = {
    "bash": (b"", b"f() { ", b"x\n", b"}\n"),
    "c": (b"", b"struct a { int x; ", b"", b"} b;"),
    "cpp": (b"", b"namespace a { int x; ", b"", b"}"),
    "csharp": (b"", b"class A { int x; ", b"", b"}"),
    "go": (b"package a\nvar f = ", b"func() {", b"", b"}"),
    "java": (b"", b"class A { int x; ", b"", b"}"),
    "javascript": (b"", b"class A { f() {", b"", b"} }"),
    "php": (b"<?php ", b"function f() { ", b"", b"}"),
    "python": (b"x = ", b"lambda: ", b"1", b""),
    "ruby": (b"", b"class A\n def f; end\n", b"", b"end\n"),
    "rust": (b"", b"mod a { fn f() {} ", b"", b"}"),
    "tsx": (b"", b"class A { f() {", b"", b"} }"),
    "typescript": (b"", b"class A { f() {", b"", b"} }"),
}
CODE = sorted(DEFINITIONS)


def bounded(source: bytes, language: str) -> None:
    started = time.process_time()
    facts = facts_of(source, language)
    took = time.process_time() - started
    assert facts.language in (language, None)  # None: refused, so anchored as a file only
    bound = LEAST_SECONDS + SECONDS_A_MEGABYTE * len(source) / 1e6
    assert took < bound, f"{took:.1f} s for {len(source)} bytes of {language}"


def test_every_language_has_its_shapes() -> None:
    assert sorted(EXPRESSIONS) == sorted(languages.names())


@pytest.mark.parametrize("language", sorted(EXPRESSIONS))
def test_fifty_thousand_levels_of_brackets_are_walked(language: str) -> None:
    before, opens, inside, closes, after = EXPRESSIONS[language]
    bounded(before + opens * DEEP + inside + closes * DEEP + after, language)


@pytest.mark.parametrize("language", sorted(EXPRESSIONS))
def test_brackets_that_nobody_closes_or_opened_cost_time_in_proportion(language: str) -> None:
    before, opens, inside, closes, after = EXPRESSIONS[language]
    bounded(before + opens * MANY + inside + after, language)
    bounded(before + inside + closes * MANY + after, language)


@pytest.mark.parametrize("language", CODE)
def test_thousands_of_definitions_inside_each_other_are_walked(language: str) -> None:
    before, opens, inside, closes = DEFINITIONS[language]
    depth = MANY
    bounded(before + opens * depth + inside + closes * depth, language)
    bounded(before + opens * depth, language)


@pytest.mark.parametrize("language", CODE)
def test_a_line_of_two_hundred_kilobytes_is_walked(language: str) -> None:
    before, opens, inside, closes, after = EXPRESSIONS[language]
    sum_of = b" + ".join([opens + inside + closes] * (200_000 // len(b" + " + opens + inside + closes)))
    bounded(before + sum_of + after, language)


@pytest.mark.parametrize("language", CODE)
@pytest.mark.parametrize("piece", [b"'a' ", b"<<<<<<< a\n", b"a ? b : "])
def test_many_of_one_piece_cost_time_in_proportion(language: str, piece: bytes) -> None:
    before, _, _, _, after = EXPRESSIONS[language]
    bounded(before + piece * (20_000 // len(piece)) + after, language)


@pytest.mark.parametrize("piece", [b"> ", b"- ", b">", b"1. "])
@pytest.mark.parametrize("count", [150, 260, 50_000])
def test_blocks_of_markdown_never_run_over_what_its_scanner_keeps(piece: bytes, count: int) -> None:
    bounded(piece * count + b"said\n", "markdown")
    steps = b"".join(b"  " * level + b"- a\n" for level in range(min(count, 400)))
    bounded(steps, "markdown")
    bounded(steps.replace(b"  ", b"\t"), "markdown")


@pytest.mark.parametrize("piece", [b"- ", b"? ", b"- ? "])
@pytest.mark.parametrize("count", [60, 130, 260, 50_000])
def test_blocks_of_yaml_never_run_over_what_its_scanner_keeps(piece: bytes, count: int) -> None:
    bounded(piece * count + b"a: b\n", "yaml")
    bounded(b"".join(b" " * level + b"a:\n" for level in range(min(count, 600))), "yaml")
    bounded(b"".join(b"  " * level + b"- a:\n" for level in range(min(count, 400))), "yaml")


@pytest.mark.parametrize(("language", "text"), [("markdown", b"> - a\n" * 900), ("yaml", b"a:\n  - b: c\n" * 900)])
def test_long_documents_of_common_depth_are_read(language: str, text: bytes) -> None:
    assert facts_of(text, language).language == language


def test_a_long_row_of_brackets_is_refused_and_a_deep_nest_of_them_is_not() -> None:
    assert facts_of(b"x = [" + b"," * 20_000 + b"];", "javascript").language is None
    assert facts_of(b"x = " + b"[" * 20_000 + b"]" * 20_000 + b";", "javascript").language == "javascript"


def test_what_the_parser_does_not_get_over_is_given_up_in_a_second() -> None:
    sound = next(path for path in FIXTURES if path.name == "everything.tsx").read_bytes()
    hard = sound.replace(b"declare module M", b"declare modul(e M")  # minutes and gigabytes
    assert facts_of(sound, "tsx").language == "tsx"
    assert facts_of(hard, "tsx").language is None
    bounded(hard, "tsx")


def test_a_parse_that_was_given_little_of_the_machine_is_begun_again_and_gives_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources = {language_of(path): path.read_bytes() for path in FIXTURES}
    whole = {language: facts_of(source, language) for language, source in sources.items()}
    busy = iter(range(10**9))
    monkeypatch.setattr(tree, "LEAST", 1e-6)
    monkeypatch.setattr(tree, "A_BYTE", 0.0)
    monkeypatch.setattr(time, "thread_time", lambda: next(busy) * 1e-12)
    assert {language: facts_of(source, language) for language, source in sources.items()} == whole

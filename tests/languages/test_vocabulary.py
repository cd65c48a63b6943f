"""Every language file loads, and nothing outside the vocabulary passes."""

from pathlib import Path

import pytest

from anchormem import languages
from anchormem.languages import header, registry
from anchormem.syntax.kinds import kind_table
from anchormem.syntax.noise import rules_of
from anchormem.syntax.recipe import recipe_of


@pytest.mark.parametrize("name", languages.names())
def test_every_language_compiles_with_kinds_its_grammar_has(name: str) -> None:
    recipe = recipe_of(name)
    rules_of(recipe)
    assert recipe.language.name == name
    kinds, codes = kind_table(recipe.language.grammar)
    assert len(set(codes.values())) == len(kinds.ids), "two kinds share a code"


@pytest.mark.parametrize("file", sorted(registry.FOLDER.glob("*.scm")), ids=lambda file: file.stem)
def test_a_header_is_read_alone_as_with_its_queries(file: Path) -> None:
    text = file.read_text("utf-8")
    for one in (text, f"\n  ;; a remark\n\n{text}", text.partition("\n(")[0]):
        assert header.head(one) == header.split(one)[0]
        assert header.head(one)


@pytest.mark.parametrize("line", ["; colour: blue", "; suffixes .py", ";suffixes: .py"])
def test_a_header_line_outside_the_vocabulary_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="header"):
        header.parse(line)


def test_an_unknown_capture_is_refused() -> None:
    with pytest.raises(ValueError, match="@colour"):
        registry.check_captures("x", "(identifier) @colour")
    registry.check_captures("x", '((identifier) @_any (#match? @_any "@colour")) @definition.function')


def test_a_predicate_the_binding_takes_for_true_is_refused() -> None:
    with pytest.raises(ValueError, match="not-any-of"):
        registry.check_captures("x", '((identifier) @name (#not-any-of? @name "a"))')


def test_the_epoch_tells_recipe_grammars_and_language_file() -> None:
    assert languages.epoch("python").startswith(f"{registry.RECIPE}.0.13.0.")
    assert languages.epoch("python") != languages.epoch("javascript")
    assert languages.load("python").epoch == languages.epoch("python")


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a/b.py", b"", "python"),
        ("a.pyi", b"", "python"),
        ("a.test.tsx", b"", "tsx"),
        ("a.d.ts", b"", "typescript"),
        ("a.mjs", b"", "javascript"),
        ("a.jsx", b"", "javascript"),
        ("a.h", b"", "c_or_cpp"),
        ("script", b"#!/usr/bin/env python3\n", "python"),
        ("script", b"#!/usr/bin/python3.11 -u\n", "python"),
        ("script", b"#!/usr/bin/env -S node --x\n", "javascript"),
        ("script", b"#!/bin/unknown\n", None),
        ("script", b"import x", None),
        ("a.py.unknown", b"", None),
        ("README", b"", None),
    ],
)
def test_a_file_has_the_language_of_its_name_or_shebang(path: str, head: bytes, language: str | None) -> None:
    assert languages.language_of(path, head) == language


def test_configured_suffixes_overrule() -> None:
    assert languages.language_of("a.inc", b"", {".inc": "php"}) == "php"
    assert languages.language_of("a.inc", b"", {"inc": "php"}) == "php"
    assert languages.language_of("a.x.py", b"", {".x.py": "javascript"}) == "javascript"

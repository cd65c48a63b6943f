"""Keys of configuration files, on demand."""

import pytest

from anchormem.syntax.facts import facts_of
from anchormem.syntax.sections import find_key, keys

SAMPLES = {
    "json": (b'{"scripts": {"build": "tsc -p ."}, "n": [{"x": 1}, {"x": 2}]}', b'"tsc -p ."', b'"tsc -b"'),
    "yaml": (b"scripts:\n  build: tsc -p .\nn:\n  - x: 1\n  - x: 2\n", b"tsc -p .", b"tsc -b"),
    "toml": (b'[scripts]\nbuild = "tsc -p ."\n[[n]]\nx = 1\n[[n]]\nx = 2\n', b'"tsc -p ."', b'"tsc -b"'),
}


@pytest.mark.parametrize("language", SAMPLES)
def test_a_key_is_found_by_its_dotted_path_and_changes_with_its_value(language: str) -> None:
    source, old, new = SAMPLES[language]
    before, after = (
        find_key(source, language, "scripts.build"),
        find_key(source.replace(old, new), language, "scripts.build"),
    )
    assert before
    assert after
    assert before.qualified == "scripts.build"
    assert before.signature is None
    assert before.body != after.body
    assert find_key(source, language, "scripts.biuld") is None


@pytest.mark.parametrize("language", SAMPLES)
def test_a_change_beside_a_key_leaves_it_alone(language: str) -> None:
    source, old, new = SAMPLES[language]
    kept, moved = find_key(source, language, "n"), find_key(source.replace(old, new), language, "n")
    assert kept
    assert moved
    assert kept.body == moved.body


@pytest.mark.parametrize("language", SAMPLES)
def test_equal_paths_are_told_apart_by_order(language: str) -> None:
    source = SAMPLES[language][0]
    first, second = find_key(source, language, "n.x@"), find_key(source, language, "n.x@#2")
    assert first
    assert second
    assert first.body != second.body


@pytest.mark.parametrize("language", SAMPLES)
def test_keys_list_outer_levels_first_within_the_limit_and_facts_hold_none(language: str) -> None:
    source = SAMPLES[language][0]
    assert next(symbol.qualified for symbol in keys(source, language, 2)) == "scripts"
    assert len(keys(source, language, 2)) == 2
    assert facts_of(source, language).symbols == ()


def test_a_renamed_key_keeps_its_body() -> None:
    before = find_key(b'{"old": {"a": [1, 2, 3], "b": "text"}}', "json", "old")
    after = find_key(b'{"new": {"a": [1, 2, 3], "b": "text"}}', "json", "new")
    assert before
    assert after
    assert before.body == after.body


@pytest.mark.parametrize("source", [b"", b"{", b"\x00\xff", b"[" * 5000, b"a: [", b"- - - -"])
@pytest.mark.parametrize("language", SAMPLES)
def test_broken_files_have_what_can_be_found_and_never_raise(language: str, source: bytes) -> None:
    assert find_key(source, language, "a.b") is None

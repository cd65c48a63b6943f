"""Damage inside one function of a file leaves its neighbours as they are, and is told: no other hash in silence."""

import pytest
from proof.move_ground import LANGUAGES, sample

from anchormem.model import FileFacts, Symbol
from anchormem.syntax.facts import facts_of

NAMES = ("first", "second", "third", "fourth")
# What stands in a file while somebody types, merges, or saves it with another program.
DAMAGES = {
    "unclosed bracket": b"(\n",
    "unopened bracket": b")\n",
    "unclosed string": b'"\n',
    "conflict begun": b"<<<<<<< ours\n",
    "conflict": b"<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n",
    "NUL": b"\x00\n",
    "another encoding": b"\xe9t\xe9 \xff\xfe\n",
}


def source_of(language: str) -> bytes:
    """Four functions; in languages without functions of a file, four methods of a class."""
    written = sample(language)
    words = {"TYPE": "Ledger", "BOX": "Box", "MEMBERS": ""}
    functions = [
        written.part("function", {**words, "NAME": name, "NUMBER": str(number)})
        for number, name in enumerate(NAMES, 41)
    ]
    return "\n".join([written.parts.get("head", ""), *functions, written.parts.get("foot", "")]).encode()


def named(facts: FileFacts) -> dict[str, Symbol]:
    return {symbol.qualified: symbol for symbol in facts.symbols if symbol.qualified.endswith(NAMES)}


def with_damage(source: bytes, damage: bytes) -> bytes:
    """In the second function, behind its third line."""
    lines = source.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if b"second" in line) + 3
    return b"".join([*lines[:at], damage, *lines[at:]])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_neighbours_of_the_damage_keep_their_hashes_or_the_file_says_that_it_is_broken(
    language: str, damage: bytes
) -> None:
    source = source_of(language)
    assert facts_of(source, language).error_bytes == 0
    sound = named(facts_of(source, language))
    first, second, third, fourth = sound
    facts = facts_of(with_damage(source, damage), language)
    broken = named(facts)
    assert broken[first].body == sound[first].body
    for name in (third, fourth):
        if name not in broken or broken[name].damaged:
            assert facts.error_bytes
        else:
            assert broken[name].body == sound[name].body
    assert second not in broken or broken[second].damaged or broken[second].body != sound[second].body


@pytest.mark.parametrize("language", LANGUAGES)
def test_form_feeds_and_every_line_end_between_definitions_are_layout(language: str) -> None:
    source = source_of(language)
    first, *rest = source.split(b"\n\n")
    fed = b"\n\x0c\n".join([first, *rest])
    plain = {name: symbol.body for name, symbol in named(facts_of(source, language)).items()}
    for other in (fed, source.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + source):
        assert {name: symbol.body for name, symbol in named(facts_of(other, language)).items()} == plain

"""Every token counts: whatever token of a fixture is changed, the hash of what holds it changes.

The fixtures hold every kind of leaf of a language and every kind of node with text between its children.
"""

import re
from pathlib import Path

import pytest

from anchormem.model import FileFacts, Symbol
from anchormem.syntax.facts import facts_of
from anchormem.syntax.parsed import parse
from anchormem.syntax.symbols import symbols_of

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("everything.*"))
LANGUAGES = {".py": "python", ".js": "javascript", ".jsx": "javascript", ".ts": "typescript"}
CHOSEN = [path for path in FIXTURES if path.suffix in LANGUAGES]


# A missing closer is made up by the parser from the next one: it takes another to break.
OTHER = {b"+": b"-", b"}": b"]", b")": b"]", b"]": b")"}


def changed(text: bytes) -> bytes:
    """Another token of about the same kind, so that most mutants still parse."""
    last = text[-1:]
    if text[:1].isdigit() or text[1:2].isdigit():
        digit = re.search(rb"[0-9](?=[^0-9]*$)", text)
        assert digit is not None
        return text[: digit.start()] + (b"7" if digit[0] != b"7" else b"3") + text[digit.end() :]
    if last.isalpha() or last == b"_":
        return text + b"q"
    middle = len(text) // 2
    if len(text) > 2:
        return text[:middle] + b"~" + text[middle:]
    return OTHER.get(text, b"")


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.name)
def test_a_fixture_is_sound(path: Path) -> None:
    assert facts_of(path.read_bytes(), LANGUAGES[path.suffix]).error_bytes == 0


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.name)
def test_changing_any_token_changes_the_hash_of_what_holds_it(path: Path) -> None:
    source, language = path.read_bytes(), LANGUAGES[path.suffix]
    parsed = parse(source, language)
    assert parsed is not None
    normal = facts_of(source, language).normal
    definitions = symbols_of(parsed)
    survivors = []
    for token, start in enumerate(parsed.stream.starts):
        end = parsed.stream.end(token)
        mutant = source[:start] + changed(source[start:end]) + source[end:]
        after = facts_of(mutant, language)
        around = [symbol for symbol, frame in definitions if frame.texts[0] <= token < frame.texts[1]]
        if after.normal == normal or kept(around, after):
            survivors.append((source[start:end], start, kept(around, after)))
    assert survivors == []


def kept(around: list[Symbol], after: FileFacts) -> list[str]:
    """Definitions around a token that still have their name and body."""
    bodies = {(symbol.qualified, symbol.disambiguator): symbol.body for symbol in after.symbols}
    return [s.qualified for s in around if bodies.get((s.qualified, s.disambiguator)) == s.body]

"""Every token of the symbols blocks of C, C++ and PHP counts, one outermost definition at a time."""

from pathlib import Path

import pytest

from anchormem.syntax.facts import facts_of
from anchormem.syntax.parsed import parse
from anchormem.syntax.symbols import symbols_of
from languages.literate import Case, cases
from languages.test_mutations import changed, kept

FOLDER = Path(__file__).parent
OPENER = {"php": b"<?php\n"}
NO_CODE = frozenset({"comment", "text", "text_interpolation"})
BLOCKS = [case for name in ("c", "cpp", "php") for case in cases(FOLDER / f"{name}.md") if case.aspect == "symbols"]


def outermost(case: Case) -> list[bytes]:
    """What stands side by side in a file, each as a file of its own."""
    parsed = parse(case.left.encode(), case.language)
    assert parsed is not None
    opener = OPENER.get(case.language, b"")
    texts = [node.text or b"" for node in parsed.root.named_children if node.type not in NO_CODE]
    return [opener + text + (b"" if opener else b";") * text.endswith(b"}") + b"\n" for text in texts]


@pytest.mark.parametrize("case", BLOCKS, ids=str)
def test_changing_any_token_changes_the_hash_of_what_holds_it(case: Case) -> None:
    survivors = [survivor for text in outermost(case) for survivor in survivors_of(text, case.language)]
    assert survivors == []


def survivors_of(source: bytes, language: str) -> list[tuple[bytes, int, list[str]]]:
    parsed = parse(source, language)
    assert parsed is not None
    definitions = symbols_of(parsed)
    assert not definitions or not parsed.root.has_error, source
    survivors = []
    for token, start in enumerate(parsed.stream.starts):
        end = parsed.stream.end(token)
        around = [symbol for symbol, frame in definitions if frame.texts[0] <= token < frame.texts[1]]
        mutant = source[:start] + changed(source[start:end]) + source[end:]
        same = kept(around, facts_of(mutant, language)) if around else []
        if same:
            survivors.append((source[start:end], start, same))
    return survivors

"""Blanks before a line end are layout in every language, wherever the line end itself is layout."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tree_sitter import Node, Parser

from anchormem import languages
from anchormem.model import FileFacts
from anchormem.syntax.facts import facts_of
from languages.kinds import FIXTURES, language_of


def leaves(node: Node) -> Iterator[Node]:
    if node.child_count == 0 or node.type in {"heredoc", "nowdoc"}:
        yield node
    for child in node.children:
        yield from leaves(child)


def free_line_ends(source: bytes, language: str) -> list[int]:
    """Line ends that no token holds, neither inside nor as the text between its parts, and that nothing continues."""
    tree = Parser(languages.load(language).grammar).parse(source)
    held = set()
    for leaf in leaves(tree.root_node):
        held |= set(range(leaf.start_byte, leaf.end_byte))
    return [
        at
        for at in range(len(source))
        if source[at : at + 1] == b"\n" and at not in held and source[at - 1 : at] not in {b"\\", b" ", b"\n"}
    ]


def said(facts: FileFacts) -> list[tuple[object, ...]]:
    symbols = [
        (one.qualified, one.kind, one.body, one.signature, one.start_line, one.end_line) for one in facts.symbols
    ]
    return [*symbols, tuple(facts.imports)]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
@pytest.mark.parametrize("blanks", [b" ", b"   ", b"\t"], ids=["one", "three", "tab"])
def test_blanks_before_a_line_end_change_nothing(path: Path, blanks: bytes) -> None:
    source, language = path.read_bytes(), language_of(path)
    places = free_line_ends(source, language)
    assert len(places) > 4
    text, last = b"", 0
    for at in places:
        text += source[last:at] + blanks
        last = at
    assert said(facts_of(text + source[last:], language)) == said(facts_of(source, language))

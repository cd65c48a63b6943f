"""The kinds of node a grammar has, and which of them occur inside a definition of some source. Computed, never listed.

    PYTHONPATH=tests python -m languages.kinds LANGUAGE [FILE ...]     what the fixtures do not hold yet

Every kind counts, leaf or not: it is all a grammar tells. `text:kind` is a kind whose nodes were seen with text of
their own between children, in fixtures, cases or the files named. What no fixture can hold inside a definition is in
`unreached/<language>.txt`, lines of `reason: kinds`; an anonymous kind is in double quotes, as a JSON string.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import tree_sitter
from tree_sitter import Node

from anchormem import languages
from anchormem.syntax.facts import facts_of
from languages.literate import cases

FOLDER = Path(__file__).parent
FIXTURES = tuple(sorted((FOLDER / "fixtures").glob("everything*")))
BYTES = tuple(sorted((FOLDER / "fixtures").glob("bytes.*")))
DATA = frozenset({"json", "markdown", "toml", "yaml"})  # sections and keys, no definitions
GRAMMARS = tuple(name for name in languages.names() if name not in DATA)
WORD = re.compile(r'"(?:\\.|[^"\\])*"|\S+')


def language_of(path: Path) -> str:
    found = languages.language_of(path.name, b"")
    assert found is not None, path
    return found


def fixtures(language: str) -> list[Path]:
    return [path for path in FIXTURES if language_of(path) == language]


def all_kinds(language: str) -> frozenset[str]:
    """Every kind a tree of this grammar can show."""
    grammar = languages.load(language).grammar
    shown = [kind for kind in range(grammar.node_kind_count) if grammar.node_kind_is_visible(kind)]
    return frozenset(
        spelled(grammar.node_kind_for_id(kind) or "", named=bool(grammar.node_kind_is_named(kind))) for kind in shown
    )


def spelled(kind: str, *, named: bool) -> str:
    return kind if named else json.dumps(kind)


def kinds_in(source: bytes, language: str, *, inside: bool = True) -> frozenset[str]:
    """The kinds of the nodes of `source`, of those inside its definitions alone or of all."""
    tree = tree_sitter.Parser(languages.load(language).grammar).parse(source)
    spans = [(symbol.start_byte, symbol.end_byte) for symbol in facts_of(source, language).symbols]
    found: set[str] = set()
    for node in nodes(tree.root_node):
        if node.is_missing or node.is_error:
            continue
        if not inside or any(start <= node.start_byte and node.end_byte <= end for start, end in spans):
            found.add(spelled(node.type, named=node.is_named))
            if holds_text(node, source):
                found.add(f"text:{spelled(node.type, named=node.is_named)}")
    return frozenset(found)


def nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def holds_text(node: Node, source: bytes) -> bool:
    """Whether non-blank text of a node is in none of its children."""
    if not node.children:
        return False
    ends = [node.start_byte, *(child.end_byte for child in node.children)]
    starts = [*(child.start_byte for child in node.children), node.end_byte]
    return any(source[end:start].strip(b"\\ \t\r\n\f") for end, start in zip(ends, starts, strict=True))


def reachable(language: str, more: Iterable[Path] = ()) -> frozenset[str]:
    """Every kind of the grammar, and every kind seen with text of its own in fixtures, cases and further files."""
    sources = [path.read_bytes() for path in [*fixtures(language), *more]]
    literate = FOLDER / f"{language}.md"
    sources += [text.encode() for case in cases(literate) for text in (case.left, case.right) if case.sign != "→"]
    seen = [kinds_in(source, language, inside=False) for source in sources]
    return all_kinds(language) | {kind for kinds in seen for kind in kinds if kind.startswith("text:")}


def covered(language: str) -> frozenset[str]:
    return frozenset().union(*(kinds_in(path.read_bytes(), language) for path in fixtures(language)))


def unreached(language: str) -> dict[str, str]:
    """Kind to the reason why no fixture has it inside a definition."""
    path = FOLDER / "unreached" / f"{language}.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    parts = [line.partition(": ") for line in lines if line.strip()]
    return {kind: reason for reason, _, words in parts for kind in WORD.findall(words)}


if __name__ == "__main__":
    wanted, files = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    sys.stdout.writelines(
        f"{kind}\n" for kind in sorted(reachable(wanted, files) - covered(wanted) - set(unreached(wanted)))
    )

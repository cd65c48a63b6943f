"""Places of a source where something can be edited: tokens, text between nodes, whole nodes, comments.

They serve to judge the recipe, so they share nothing with it: own eyes on the tree, own short rules of what is a
comment, a documentation, layout.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from tree_sitter import Node

from anchormem import languages
from anchormem.errors import GrammarMissing
from anchormem.syntax.depth import is_too_deep
from anchormem.syntax.folding import fold
from anchormem.syntax.masked import masked
from anchormem.syntax.parsed import LARGEST, readable
from anchormem.syntax.replacements import COMMENTS
from anchormem.syntax.tree import tree_of

LANGUAGES: Final = tuple(sorted(COMMENTS))  # those with definitions

Aim = Literal["code", "comment", "documentation"]

# Kinds that hold text, by a word in their name: blanks in them are no layout.
TEXTUAL: Final = re.compile(
    r"string|heredoc|nowdoc|regex|char|template_(?!sub|type)|fragment|jsx_text|quoted|symbol|raw|text|subshell|(?<!key)word"
)
# Kinds that hold statements or members, of which one may go, or stand twice.
MOVABLE: Final = re.compile(
    r"statement|declaration|definition|decorator|modifier|attribute|annotation|argument|parameter|_item|element|pair"
    r"|clause|field|specifier|method|call|assignment|command|string|identifier|integer|number|literal|type"
)
LONGEST_MOVED: Final = 2_000  # bytes


@dataclass(frozen=True, slots=True)
class Site:
    """A place to edit: a `token`, a `gap` between children, a whole node to `drop` or `double`, two to `swap`, a
    `comment` there is or one to `add`, a `documentation`. `kind`: of the node in its parent, to spread the tries."""

    start: int
    end: int
    how: str
    kind: str
    node: Node = field(compare=False, repr=False)

    @property
    def aim(self) -> Aim:
        return AIMS.get(self.how, "code")


AIMS: Final[Mapping[str, Aim]] = {"comment": "comment", "add": "comment", "documentation": "documentation"}


@dataclass(frozen=True, slots=True)
class Subject:
    """A source that parses without an error. `seen`: what the parser saw of it, byte for byte at the same places."""

    source: bytes
    language: str
    root: Node
    seen: bytes
    words: Mapping[str, tuple[bytes, ...]]  # texts of its named leaves by kind
    docs: frozenset[int]  # start bytes of documentation that is code to the parser
    breaks: tuple[int, ...]


def subject_of(source: bytes, language: str) -> Subject | None:
    """None where there is no grammar, or the source does not parse."""
    source = fold(source)
    source += b"" if source.endswith(b"\n") else b"\n"
    if len(source) > LARGEST or language not in languages.names() or is_too_deep(source, language):
        return None
    try:
        loaded = languages.load(language)
    except GrammarMissing:
        return None
    seen = readable(masked(source, loaded).seen)
    tree = tree_of(loaded.grammar, seen)
    if tree is None or tree.root_node.has_error:
        return None
    root = tree.root_node
    words: dict[str, dict[bytes, None]] = {}
    docs = set()
    for node in nodes(root):
        if not node.children and node.is_named:
            words.setdefault(node.type, {})[source[node.start_byte : node.end_byte]] = None
        if language == "python" and (found := docstring(node, source)) is not None:
            docs.add(found.start_byte)
    breaks = tuple(match.start() for match in re.finditer(b"\n", source))
    return Subject(source, language, root, seen, {k: tuple(v) for k, v in words.items()}, frozenset(docs), breaks)


def pieces(source: bytes, language: str, longest: int) -> Iterator[tuple[int, bytes]]:
    """A source as shorter ones: (lines before it, text), each some declarations that stand side by side."""
    source = fold(source)
    tree = tree_of(languages.load(language).grammar, readable(source))
    children = tree.root_node.children if tree is not None else []
    first = 0
    for number, child in enumerate(children):
        begun = children[first].start_byte if first else 0
        last = number + 1 == len(children)
        end = len(source) if last else children[number + 1].start_byte
        if last or (children[number + 1].end_byte - begun > longest and b"\n" in source[child.end_byte : end]):
            opener = b"<?php " if language == "php" and children[first].type not in ("php_tag", "text") else b""
            yield source.count(b"\n", 0, begun), opener + source[begun:end]
            first = number + 1


def nodes(root: Node) -> Iterator[Node]:
    """Every node in the order of the source, without what is inside comments."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if not is_comment(node):
            waiting += node.children[::-1]


def is_comment(node: Node) -> bool:
    return "comment" in node.type and node.is_named


def docstring(node: Node, source: bytes) -> Node | None:
    """Python: the first statement of a body, where it is a plain string and something else follows."""
    if node.type not in ("module", "block"):
        return None
    inner = [child for child in node.named_children if not is_comment(child)]
    if not inner or (node.type == "block" and len(inner) < 2):  # noqa: PLR2004 # the string and one more
        return None
    first = inner[0].named_children[0] if inner[0].type == "expression_statement" else inner[0]
    if first.type not in ("string", "concatenated_string"):
        return None
    parts = first.named_children if first.type == "concatenated_string" else [first]
    plain = all(re.match(rb"[rRuU]?['\"]", source[part.start_byte : part.end_byte]) for part in parts)
    return first if plain else None


# ── places ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def sites(subject: Subject) -> list[Site]:
    """Every place where something can be edited, in the order of the source."""
    found: list[Site] = []
    source = subject.source
    waiting: list[tuple[Node, str]] = [(subject.root, "")]
    while waiting:
        node, around = waiting.pop()
        kind = f"{around}/{node.type}"
        if node.start_byte == node.end_byte:
            continue
        if is_comment(node):
            found.append(Site(node.start_byte, node.end_byte, "comment", kind, node))
        elif node.start_byte in subject.docs and node.type in ("string", "concatenated_string"):
            found.append(Site(node.start_byte, node.end_byte, "documentation", kind, node))
        elif not node.children:
            if source[node.start_byte : node.end_byte].strip() or TEXTUAL.search(node.type):
                found.append(Site(node.start_byte, node.end_byte, "token", kind, node))
        else:
            found += gaps(subject, node, kind)
            found += structural(node, kind)
            waiting += [(child, node.type) for child in node.children[::-1]]
    return [*found, *additions(subject)]


def gaps(subject: Subject, node: Node, kind: str) -> Iterator[Site]:
    """Runs of non-blank bytes of a node that are in none of its children."""
    ends = [node.start_byte, *(child.end_byte for child in node.children)]
    starts = [*(child.start_byte for child in node.children), node.end_byte]
    for end, start in zip(ends, starts, strict=True):
        for match in re.finditer(rb"[^\s\\]+", subject.seen[end:start]):
            yield Site(end + match.start(), end + match.end(), "gap", f"gap:{kind}", node)


def structural(parent: Node, kind: str) -> Iterator[Site]:
    """Children to drop, to double, and neighbours to swap."""
    inner = [child for child in parent.named_children if MOVABLE.search(child.type) and not is_comment(child)]
    for child in inner:
        start, end = child.start_byte, child.end_byte
        if 0 < end - start <= LONGEST_MOVED:
            yield Site(start, end, "drop", f"drop:{kind}/{child.type}", child)
            yield Site(start, end, "double", f"double:{kind}/{child.type}", child)
    for first, second in pairwise(inner):
        if second.end_byte - first.start_byte <= LONGEST_MOVED and first.type == second.type:
            yield Site(first.start_byte, second.end_byte, "swap", f"swap:{kind}/{first.type}", first)


def additions(subject: Subject) -> Iterator[Site]:
    """Beginnings of lines where a token begins: a comment may stand before it."""
    for at in (0, *(place + 1 for place in subject.breaks[:-1])):
        begins = re.compile(rb"[ \t]*(?=\S)").match(subject.source, at)
        if begins is not None and subject.source[max(0, at - 2) : at - 1] != b"\\":
            node = subject.root.descendant_for_byte_range(begins.end(), begins.end() + 1)
            if node is not None and node.start_byte == begins.end() and not in_text(node):
                yield Site(at, at, "add", f"add:{node.type}", node)


def in_text(node: Node) -> bool:
    around: Node | None = node
    while around is not None and not (around.children and TEXTUAL.search(around.type)):
        around = around.parent
    return around is not None


def code_bytes(subject: Subject) -> list[Site]:
    """Every single byte outside comments, documentation and layout."""
    found: dict[int, Site] = {}
    for site in sites(subject):
        if site.how in ("token", "gap"):
            for at in range(site.start, site.end):
                found[at] = Site(at, at + 1, "byte", site.kind, site.node)
    for node in nodes(subject.root):
        if node.children and TEXTUAL.search(node.type):
            for at in blanks_between(subject.source, node):
                found.setdefault(at, Site(at, at + 1, "byte", node.type, node))
    return [found[at] for at in sorted(found)]


def blanks_between(source: bytes, node: Node) -> Iterator[int]:
    """Places of blank bytes between the children of a node that holds text."""
    for before, after in pairwise(node.children):
        yield from (at for at in range(before.end_byte, after.start_byte) if source[at : at + 1].isspace())

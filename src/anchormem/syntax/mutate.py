"""Small edits of a source that still parse: of each, whether it changes what the code says or only what is said of it.

The judge of the recipe, so it shares nothing with it: own eyes on the tree, own short rules of what is a comment, a
documentation, layout. What is left out of the judgement stands in `unjudged.py`, each entry with its reason.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

import tree_sitter
from tree_sitter import Node

from anchormem import languages
from anchormem.errors import GrammarMissing
from anchormem.syntax import replacements
from anchormem.syntax.folding import fold
from anchormem.syntax.parsed import LARGEST, masked, readable
from anchormem.syntax.unjudged import reason_not_to_judge

Aim = Literal["code", "comment", "documentation"]

TRIES: Final = 10  # replacements tried at one place before it is given up
# Kinds that hold text, by a word in their name: blanks in them are no layout.
TEXTUAL: Final = re.compile(
    r"string|heredoc|nowdoc|regex|char|template_(?!sub|type)|fragment|jsx_text|quoted|symbol|raw|text|subshell|word"
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
class Mutation:
    start: int
    end: int
    text: bytes
    how: str
    aim: Aim
    line: int

    def of(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.end :]


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
    if len(source) > LARGEST or language not in languages.names():
        return None
    try:
        loaded = languages.load(language)
    except GrammarMissing:
        return None
    seen = readable(masked(source, loaded).seen)
    root = tree_sitter.Parser(loaded.grammar).parse(seen).root_node
    if root.has_error:
        return None
    words: dict[str, dict[bytes, None]] = {}
    docs = set()
    for node in nodes(root):
        if not node.children and node.is_named:
            words.setdefault(node.type, {})[source[node.start_byte : node.end_byte]] = None
        if language == "python" and (found := docstring(node, source)) is not None:
            docs.add(found.start_byte)
    breaks = tuple(match.start() for match in re.finditer(b"\n", source))
    return Subject(source, language, root, seen, {k: tuple(v) for k, v in words.items()}, frozenset(docs), breaks)


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
    for first, second in zip(inner, inner[1:], strict=False):
        if second.end_byte - first.start_byte <= LONGEST_MOVED and first.type == second.type:
            yield Site(first.start_byte, second.end_byte, "swap", f"swap:{kind}/{first.type}", first)


def additions(subject: Subject) -> Iterator[Site]:
    """Beginnings of lines where a token begins: a comment may stand before it."""
    for at in (0, *(place + 1 for place in subject.breaks[:-1])):
        begins = re.compile(rb"[ \t]*(?=\S)").match(subject.source, at)
        if begins is not None and subject.source[max(0, at - 2) : at - 1] != b"\\":
            node = subject.root.descendant_for_byte_range(begins.end(), begins.end() + 1)
            if node is not None and node.start_byte == begins.end():
                yield Site(at, at, "add", f"add:{node.type}", node)


# ── mutations ───────────────────────────────────────────────────────────────────────────────────────────────────────


def mutants(subject: Subject, site: Site, random: Random) -> Iterator[Mutation]:
    """The edits of one place that still parse, best first; those that no rule lets us judge are left out."""
    line = bisect_right(subject.breaks, site.start - 1) + 1
    for start, end, text in list(edits(subject, site, random))[:TRIES]:
        mutation = Mutation(start, end, text, site.how, site.aim, line)
        if reason_not_to_judge(subject.source, subject.language, site.kind, mutation.how, start, end, text):
            continue
        if parses(subject, mutation):
            yield mutation


def edits(subject: Subject, site: Site, random: Random) -> Iterator[tuple[int, int, bytes]]:
    start, end, text = site.start, site.end, subject.source[site.start : site.end]
    if site.how == "add":
        yield start, end, replacements.COMMENTS[subject.language] + b" a note\n"
        yield start, end, b"\n"
    elif site.aim != "code":
        yield from ((start, end, other) for other in replacements.of_prose(text, random))
    elif site.how == "drop":
        yield without(subject.source, site.node)
    elif site.how == "double":
        yield end, end, replacements.again(subject.source, site.node)
    elif site.how == "swap":
        second = site.node.next_named_sibling
        if second is not None and second.end_byte == end:
            between = subject.source[site.node.end_byte : second.start_byte]
            first_text, second_text = (subject.source[n.start_byte : n.end_byte] for n in (site.node, second))
            if first_text != second_text:
                yield start, end, second_text + between + first_text
    else:
        yield from ((start, end, other) for other in token_edits(subject, site, text, random))


def token_edits(subject: Subject, site: Site, text: bytes, random: Random) -> Iterator[bytes]:
    node = site.node
    if site.how == "gap" or subject.seen[site.start : site.end] != text:
        yield from replacements.of_text(text, random)
    elif not node.is_named:
        yield from replacements.of_fixed(text, alternatives(subject, node), random)
    elif replacements.NUMBER.match(text) and not TEXTUAL.search(node.type):
        yield from replacements.of_number(text, random)
    elif re.fullmatch(rb"[\w$]+", text) and not TEXTUAL.search(node.type):
        yield from replacements.of_word(text, subject.words.get(node.type, ()), random)
    else:
        yield from replacements.of_text(text, random)


def alternatives(subject: Subject, node: Node) -> list[bytes]:
    """The other fixed tokens that the grammar takes at this place."""
    grammar = languages.load(subject.language).grammar
    ahead = grammar.lookahead_iterator(node.parse_state)
    if ahead is None:
        return []
    names = {name for kind in ahead.symbols() if not grammar.node_kind_is_named(kind)
             and (name := grammar.node_kind_for_id(kind))}  # fmt: skip
    return sorted(name.encode() for name in names if name.strip() and name != node.type)


def without(source: bytes, node: Node) -> tuple[int, int, bytes]:
    """A node away, with the separator it leaves behind."""
    after, before = node.next_sibling, node.prev_sibling
    if after is not None and after.type == ",":
        return node.start_byte, after.next_sibling.start_byte if after.next_sibling else after.end_byte, b""
    if before is not None and before.type == ",":
        return before.start_byte, node.end_byte, b""
    return node.start_byte, node.end_byte, b""


def parses(subject: Subject, mutation: Mutation) -> bool:
    """Whether the mutant has no parse error; for comments, whether they are all that changed in its tree."""
    loaded = languages.load(subject.language)
    mutant = mutation.of(subject.source)
    root = tree_sitter.Parser(loaded.grammar).parse(readable(masked(mutant, loaded).seen)).root_node
    if root.has_error:
        return False
    return mutation.aim != "comment" or skeleton(root, mutant) == skeleton(subject.root, subject.source)


def skeleton(root: Node, source: bytes) -> list[tuple[str, bytes]]:
    """A tree without its comments."""
    return [
        (node.type, b"" if node.children else source[node.start_byte : node.end_byte].strip(b" \t\n"))
        for node in nodes(root)
        if not is_comment(node)
    ]

"""Small edits of a source that still parse: of each, whether it changes what the code says or only what is said of it.

What is left out of the judgement stands in `unjudged.py`, each entry with its reason.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from anchormem import languages
from anchormem.syntax import replacements
from anchormem.syntax.masked import masked
from anchormem.syntax.parsed import readable
from anchormem.syntax.places import TEXTUAL, Aim, Site, Subject, is_comment, nodes
from anchormem.syntax.replacements import Chance
from anchormem.syntax.tree import tree_of
from anchormem.syntax.unjudged import Edit, reason_not_to_judge

TRIES: Final = 10  # replacements tried at one place before it is given up


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


def mutants(subject: Subject, site: Site, random: Chance) -> Iterator[Mutation]:
    """The edits of one place that still parse, best first; those that no rule lets us judge are left out."""
    line = bisect_right(subject.breaks, site.start - 1) + 1
    for start, end, text in list(edits(subject, site, random))[:TRIES]:
        mutation = Mutation(start, end, text, site.how, site.aim, line)
        beside = subject.source[:start].rstrip()[-1:], subject.source[end:].lstrip()[:1]
        edit = Edit(site.kind, site.how, subject.source[start:end], text, *beside)
        if edit.old == text or reason_not_to_judge(edit, subject.language):
            continue
        if parses(subject, mutation):
            yield mutation


def edits(subject: Subject, site: Site, random: Chance) -> Iterator[tuple[int, int, bytes]]:
    start, end, text = site.start, site.end, subject.source[site.start : site.end]
    if site.how == "add":
        yield start, end, replacements.COMMENTS[subject.language] + b" a note\n"
        yield start, end, b"\n"
    elif site.aim != "code":
        yield from ((start, end, other) for other in replacements.of_prose(text, random))
    elif site.how == "byte":
        yield from ((start, end, other) for other in replacements.of_byte(text[0], random))
    elif site.how == "drop":
        yield without(site.node)
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


def token_edits(subject: Subject, site: Site, text: bytes, random: Chance) -> Iterator[bytes]:
    node, seen = site.node, subject.seen[site.start : site.end]
    if site.how == "gap" or seen != text:
        yield from replacements.of_text(text, seen if seen.strip() else text, random)
    elif not node.is_named:
        yield from replacements.of_fixed(text, alternatives(subject, node), random)
    elif replacements.NUMBER.match(text) and not TEXTUAL.search(node.type):
        yield from replacements.of_number(text, random)
    elif re.fullmatch(rb"[\w$]+", text) and not TEXTUAL.search(node.type):
        yield from replacements.of_word(text, subject.words.get(node.type, ()), random)
    else:
        yield from replacements.of_text(text, text, random)


def alternatives(subject: Subject, node: Node) -> list[bytes]:
    """The other fixed tokens that the grammar takes at this place."""
    grammar = languages.load(subject.language).grammar
    ahead = grammar.lookahead_iterator(node.parse_state)
    if ahead is None:
        return []
    names = {name for kind in ahead.symbols() if not grammar.node_kind_is_named(kind)
             and (name := grammar.node_kind_for_id(kind))}  # fmt: skip
    comment = replacements.COMMENTS[subject.language].decode()
    return sorted(
        name.encode() for name in names if name.strip() and name != node.type and not name.startswith((comment, "/*"))
    )


def without(node: Node) -> tuple[int, int, bytes]:
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
    tree = tree_of(loaded.grammar, readable(masked(mutant, loaded).seen))
    if tree is None or tree.root_node.has_error:
        return False
    return mutation.aim != "comment" or skeleton(tree.root_node, mutant) == skeleton(subject.root, subject.source)


def skeleton(root: Node, source: bytes) -> list[tuple[str, bytes]]:
    """A tree without its comments."""
    return [
        (node.type, b"" if node.children else source[node.start_byte : node.end_byte].strip(b" \t\n"))
        for node in nodes(root)
        if not is_comment(node)
    ]

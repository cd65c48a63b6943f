"""A source without the definitions that nobody asked for: what a call walks when many files changed at once.

What may be left out is data of the language (`aside`, `aside.in`, `aside.before`); where that says nothing, or leaving
out could matter, there is no excerpt and the whole is to be read.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from anchormem import languages
from anchormem.errors import GrammarMissing
from anchormem.model import FileFacts, Symbol
from anchormem.syntax.facts import content_digest, facts_of
from anchormem.syntax.folding import fold
from anchormem.syntax.masked import masked
from anchormem.syntax.parsed import LARGEST, readable
from anchormem.syntax.recipe import Recipe, recipe_of
from anchormem.syntax.tree import tree_of

PLAIN = re.compile(r"\w+")  # a name that stands in the source as it stands in the anchor


def symbols_named(source: bytes, language: str, qualified: Collection[str]) -> FileFacts | None:
    """Facts with the symbols of these qualified names alone, equal to what the whole file gives for them.

    None where only the whole file can tell: parse errors, odd names, a name that is not found, a language without the
    data.
    """
    names = {name.rpartition(".")[2] for name in qualified}
    plain = bool(names) and all(PLAIN.fullmatch(name) for name in names)
    if not plain or language not in languages.names():
        return None
    try:
        text = excerpt(source, language, names)
    except GrammarMissing:
        return None
    found = facts_of(text.said, language) if text is not None else None
    if text is None or found is None or found.error_bytes:
        return None
    kept = tuple(text.placed(symbol) for symbol in found.symbols if symbol.qualified in qualified)
    if {symbol.qualified for symbol in kept} != set(qualified):
        return None
    return replace(found, content=content_digest(source), normal=None, symbols=kept)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`said`: what is left of a source. `cuts`: where in it something is missing, and how many bytes and lines."""

    said: bytes
    cuts: tuple[tuple[int, int, int], ...] = ()

    def placed(self, symbol: Symbol) -> Symbol:
        """The symbol where it stands in the source. No cut lies inside of one that was asked for."""
        before = [(size, lines) for at, size, lines in self.cuts if at <= symbol.start_byte]
        size, lines = sum(size for size, _ in before), sum(lines for _, lines in before)
        return replace(
            symbol,
            start_byte=symbol.start_byte + size,
            end_byte=symbol.end_byte + size,
            start_line=symbol.start_line + lines,
            end_line=symbol.end_line + lines,
        )


def excerpt(source: bytes, language: str, names: Collection[str]) -> Excerpt | None:
    """The folded source with a blank or a line end for each definition that cannot define one of `names`."""
    folded = fold(source)
    recipe = recipe_of(language)
    if not recipe.aside or len(folded) > LARGEST:
        return None
    seen = masked(folded, recipe.language).seen
    if seen != folded:  # what the parser is not shown belongs to a definition that no node tells
        return None
    tree = tree_of(recipe.language.grammar, readable(seen))
    if tree is None or tree.root_node.has_error:
        return None
    words = b"|".join(re.escape(name.encode()) for name in sorted(names))
    wanted = re.compile(rb"(?<!\w)(?:%b)(?!\w)" % words)
    said, cuts, done = bytearray(), [], 0
    for start, end in sorted(left_out(tree.root_node, folded, recipe, wanted)):
        lines = folded.count(b"\n", start, end)
        said += folded[done:start] + (b"\n" if lines else b" ")
        cuts.append((len(said), end - start - 1, max(lines - 1, 0)))
        done = end
    return Excerpt(bytes(said + folded[done:]), tuple(cuts))


def left_out(root: Node, source: bytes, recipe: Recipe, wanted: re.Pattern[bytes]) -> Iterator[tuple[int, int]]:
    """Ranges of definitions without a wanted name in them, with the comments and attributes right before each.

    What comes first in a body stays: the comments before it lie outside of the body, and so may those of the next then.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        before: int | None = None  # where what belongs to the next definition begins
        first = node is not root
        for child in node.children:
            kind = child.kind_id
            if kind in recipe.comments or kind in recipe.aside_before:
                before = child.start_byte if before is None else before
                continue
            if kind in recipe.aside and not wanted.search(source, child.start_byte, child.end_byte):
                if not first:
                    yield (child.start_byte if before is None else before), child.end_byte
            elif kind in recipe.aside_in and not is_named(child, wanted):
                waiting.append(child)
            before, first = None, first and not child.is_named


def is_named(node: Node, wanted: re.Pattern[bytes]) -> bool:
    """Whether a container itself may be one of those asked for; then everything in it counts."""
    name = node.child_by_field_name("name")
    return name is not None and wanted.search(name.text or b"") is not None

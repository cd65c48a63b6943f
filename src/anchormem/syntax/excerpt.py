"""A source with the definitions that nobody asked for blanked out: what a call parses when many files changed at once.

Positions stay as they are. What may be left out is data of the language (`aside`, `aside.in`, `aside.before`); where
that says nothing, or leaving out could matter, there is no excerpt and the whole is to be read.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from tree_sitter import Node

from anchormem import languages
from anchormem.errors import GrammarMissing
from anchormem.model import FileFacts
from anchormem.syntax.facts import content_digest, facts_of
from anchormem.syntax.folding import fold
from anchormem.syntax.parsed import LARGEST, masked, readable
from anchormem.syntax.recipe import Recipe, recipe_of
from anchormem.syntax.tree import tree_of

PLAIN = re.compile(r"\w+")  # a name that stands in the source as it stands in the anchor
BLANK = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def symbols_named(source: bytes, language: str, qualified: Collection[str]) -> FileFacts | None:
    """Facts with the symbols of these qualified names alone, equal to what the whole file gives for them.

    None where only the whole file can tell: parse errors, odd names, a language without the data.
    """
    names = {name.rpartition(".")[2] for name in qualified}
    plain = bool(names) and all(PLAIN.fullmatch(name) for name in names)
    if not plain or language not in languages.names():
        return None
    try:
        text = excerpt(source, language, names)
    except GrammarMissing:
        return None
    found = facts_of(text, language) if text is not None else None
    if found is None or found.error_bytes:
        return None
    kept = tuple(symbol for symbol in found.symbols if symbol.qualified in qualified)
    return replace(found, content=content_digest(source), normal=None, symbols=kept)


def excerpt(source: bytes, language: str, names: Collection[str]) -> bytes | None:
    """The folded source in which every definition that cannot define one of `names` is blank."""
    folded = fold(source)
    recipe = recipe_of(language)
    if not recipe.aside or len(folded) > LARGEST:
        return None
    seen = readable(masked(folded, recipe.language).seen)
    tree = tree_of(recipe.language.grammar, seen)
    if tree is None or tree.root_node.has_error:
        return None
    words = b"|".join(re.escape(name.encode()) for name in sorted(names))
    wanted = re.compile(rb"(?<!\w)(?:%b)(?!\w)" % words)
    said = bytearray(folded)
    for start, end in left_out(tree.root_node, folded, recipe, wanted):
        said[start:end] = folded[start:end].translate(BLANK)
    return bytes(said)


def left_out(root: Node, source: bytes, recipe: Recipe, wanted: re.Pattern[bytes]) -> Iterator[tuple[int, int]]:
    """Ranges of definitions without a wanted name in them, with the comments and attributes right before each."""
    waiting = [root]
    while waiting:
        before: int | None = None  # where what belongs to the next definition begins
        for child in waiting.pop().children:
            kind = child.kind_id
            if kind in recipe.comments or kind in recipe.aside_before:
                before = child.start_byte if before is None else before
                continue
            if kind in recipe.aside and not wanted.search(source, child.start_byte, child.end_byte):
                yield (child.start_byte if before is None else before), child.end_byte
            elif kind in recipe.aside_in and not is_named(child, wanted):
                waiting.append(child)
            before = None


def is_named(node: Node, wanted: re.Pattern[bytes]) -> bool:
    """Whether a container itself may be one of those asked for; then everything in it counts."""
    name = node.child_by_field_name("name")
    return name is not None and wanted.search(name.text or b"") is not None

"""One content parsed, planned and walked: what facts, quotes, tokens and splices are made from."""

import re
from typing import NamedTuple

import tree_sitter
from tree_sitter import Node

from anchormem import languages
from anchormem.syntax.depth import is_crowded, is_too_deep
from anchormem.syntax.fingerprint import Printer
from anchormem.syntax.folding import fold
from anchormem.syntax.frames import Plan
from anchormem.syntax.kinds import ERROR_KIND
from anchormem.syntax.masked import masked
from anchormem.syntax.plan import make_plan
from anchormem.syntax.recipe import Recipe, recipe_of
from anchormem.syntax.stream import Stream
from anchormem.syntax.tree import tree_of
from anchormem.syntax.walk import Walk

LARGEST = 512 * 1024  # a larger text is anchored as a file


class Parsed(NamedTuple):
    source: bytes  # folded
    language: str
    recipe: Recipe
    root: Node
    tree: tree_sitter.Tree
    plan: Plan
    stream: Stream
    printer: Printer


def parse(source: bytes, language: str | None) -> Parsed | None:
    """The walked tree; None when no grammar is asked for, none is known by that name, or the text is too large, too
    deep, too crowded or too hard for the parser.

    Raises GrammarMissing when the installed pack lacks the grammar.
    """
    folded = fold(source)
    name = resolve(folded, language)
    if name is None or len(folded) > LARGEST or is_too_deep(folded, name):
        return None
    if not folded.endswith(b"\n"):
        folded += (
            b"\n"  # some grammars end a statement by nothing else, and contents equal but for this have one digest
        )
    recipe = recipe_of(name)
    views = masked(folded, recipe.language)
    tree = tree_of(recipe.language.grammar, readable(views.seen))
    if tree is None or is_crowded(tree.root_node, folded):
        return None
    root = tree.root_node
    plan = make_plan(root, folded, recipe)
    stream = Walk(folded, recipe, plan, views.code).run(root)
    return Parsed(folded, name, recipe, root, tree, plan, stream, Printer(stream))


NOT_TEXT = re.compile("[\udc80-\udcff]")


def readable(folded: bytes) -> bytes:
    """The same length, each byte that is no UTF-8 a `?`: query predicates read texts, and raise on anything else."""
    if folded.isascii():
        return folded
    return NOT_TEXT.sub("?", folded.decode("utf-8", "surrogateescape")).encode()


def resolve(folded: bytes, language: str | None) -> str | None:
    """The language to parse with: `.h` files are C or C++, whichever has fewer bytes in errors (C when equal)."""
    if language != "c_or_cpp":
        return language if language in languages.names() else None
    known = [name for name in ("c", "cpp") if name in languages.names()]
    if len(folded) > LARGEST or not known:
        return None
    return min(known, key=lambda name: errors_in(folded, name))


def errors_in(folded: bytes, name: str) -> int:
    """Bytes inside parse errors but for what parsed in them, each missing token as one.

    A parser that loses its way may take a whole file for one error, with everything it understood inside.
    """
    language = languages.load(name)
    tree = tree_of(language.grammar, masked(readable(folded), language).seen)
    if tree is None:
        return len(folded)
    total, waiting = 0, [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.kind_id == ERROR_KIND:
            inner = [child for child in node.children if child.child_count]
            understood = sum(child.end_byte - child.start_byte for child in inner)
            total += max(1, node.end_byte - node.start_byte - understood)
            waiting += inner
        elif node.is_missing:
            total += 1
        elif node.has_error:
            waiting += node.children
    return total

"""Nodes whose text is not taken as it is: literals by dialect, adjacent literals, code that a grammar takes as text."""

from collections.abc import Iterator

from tree_sitter import Node

from anchormem.syntax import literals
from anchormem.syntax.items import Item, Made
from anchormem.syntax.recipe import SEGMENT, SKIP, STRING, Recipe


def string(recipe: Recipe, source: bytes, node: Node, parent: int) -> Made | None:
    """A literal as one leaf, or as segments around the code in it; None where no dialect is named for it there."""
    dialect = recipe.strings_under.get((parent, node.kind_id)) or recipe.strings.get(node.kind_id)
    if dialect is None:
        return None
    return assemble(recipe, source, node, list(code_in(recipe, node)), dialect)


def code_in(recipe: Recipe, node: Node) -> Iterator[Node]:
    """The code in a literal, also where it stands in a body of its own: of a here-document."""
    for child in node.named_children:
        if child.kind_id in recipe.string_code:
            yield child
        elif child.named_child_count:
            yield from code_in(recipe, child)


def text(recipe: Recipe, source: bytes, node: Node) -> Made:
    """A node that holds text: what is between its named children counts byte for byte."""
    return assemble(recipe, source, node, node.named_children, "verbatim")


def assemble(recipe: Recipe, source: bytes, node: Node, inside: list[Node], dialect: str) -> Made:
    start, end, kind = node.start_byte, node.end_byte, node.kind_id
    bounds = [start, *(at for child in inside for at in (child.start_byte, child.end_byte)), end]
    segments = literals.STRINGS[dialect]([source[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)])
    if not inside:
        return Made(recipe.codes[kind], kind, None, segments[0], start, end, textual=True)
    items: list[Item] = []
    for index, segment in enumerate(segments):
        if segment:
            items.append(Made(SEGMENT, -1, None, segment, bounds[2 * index], bounds[2 * index + 1], textual=True))
        if index < len(inside):
            items.append(inside[index])
    return Made(recipe.codes[kind], kind, items, b"", start, end)


def adjacent(recipe: Recipe, source: bytes, node: Node, parent: int) -> Made:
    """Adjacent literals, merged where their dialect allows it."""
    dialect = recipe.strings[node.kind_id]
    runs: list[list[Made]] = [[]]
    items: list[Item] = []
    for child in node.named_children:
        what = recipe.act[child.kind_id]
        made = string(recipe, source, child, parent) if what == STRING else None
        if made is not None:
            runs[-1].append(made)
        elif what != SKIP:
            items += merge(dialect, runs.pop())
            items.append(child)
            runs.append([])
    items += merge(dialect, runs[-1])
    only = items[0] if len(items) == 1 else None
    if isinstance(only, Made):
        return only
    return Made(recipe.codes[node.kind_id], node.kind_id, items, b"", node.start_byte, node.end_byte)


def merge(dialect: str, in_order: list[Made]) -> list[Made]:
    """Neighbours joined: their segments become one, the code between them stays in order.

    By halves, so that a run of n literals costs n log n bytes of joining. Only the seam decides, so the order is free.
    """
    if len(in_order) < 2:  # noqa: PLR2004 # nothing to join
        return in_order
    middle = len(in_order) // 2
    left, right = merge(dialect, in_order[:middle]), merge(dialect, in_order[middle:])
    joined = join(dialect, left[-1], right[0])
    return left + right if joined is None else [*left[:-1], joined, *right[1:]]


def join(dialect: str, left: Made, right: Made) -> Made | None:
    a, b = left.items or [left], right.items or [right]
    last, first = a[-1], b[0]
    if not isinstance(last, Made) or not isinstance(first, Made) or not isinstance(a[0], Made):
        return None
    whole = literals.JOINS[dialect](a[0].text, last.text, first.text, len(a) == 1)
    if whole is None:
        return None
    if left.items is None and right.items is None:
        return Made(left.code, left.kind_id, None, whole, left.start, right.end, textual=True)
    seam = Made(SEGMENT, -1, None, whole, last.start, first.end, textual=True)
    return Made(left.code, left.kind_id, [*a[:-1], seam, *b[1:]], b"", left.start, right.end)


def relexed(recipe: Recipe, source: bytes, node: Node) -> Made:
    """A node that the grammar takes as text and that holds code, as its tokens."""
    kind, code, start, end = node.kind_id, recipe.codes[node.kind_id], node.start_byte, node.end_byte
    from anchormem.syntax.macros import LEXERS  # noqa: PLC0415 — patterns by the dozen, for few languages

    lexer = LEXERS[recipe.relex[kind]]
    items: list[Item] = []
    at = start
    for first, last, said, textual in lexer(source[start:end]):
        items.append((at, start + first))
        at = start + last
        items.append(Made(code, kind, None, said, start + first, at, textual=textual))
    items.append((at, end))
    return Made(code, kind, items, b"", start, end)

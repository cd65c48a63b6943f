"""Formatter noise of PHP that no table can say. Rules as `rewrites` describes them."""

from itertools import pairwise

from tree_sitter import Node

from anchormem.syntax.items import Item, Made, matters, span
from anchormem.syntax.recipe import Recipe


def short_list(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`array(a, b)` and `list(a, b)` are `[a, b]`."""
    told = [index for index, item in enumerate(items) if matters(recipe, item)]
    if len(told) < 3:  # noqa: PLR2004 # a word and parentheses
        return items
    word, opener, closer = (items[index] for index in (*told[:2], told[-1]))
    if not (isinstance(word, Node) and isinstance(opener, Node) and isinstance(closer, Node)):
        return items
    if word.type not in {"array", "list"} or opener.type != "(" or closer.type != ")":
        return items
    opened = leaf(recipe, "[", opener.start_byte, opener.end_byte)
    closed = leaf(recipe, "]", closer.start_byte, closer.end_byte)
    return [
        *items[: told[0]],
        span(word),
        *items[told[0] + 1 : told[1]],
        opened,
        *items[told[1] + 1 : told[-1]],
        closed,
    ]


def else_if(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`else if` is `elseif`, all down the chain."""
    items = list(items)
    while items and isinstance(clause := items[-1], Node) and (inner := only_if(recipe, clause)) is not None:
        items.pop()
        children = inner.children
        rest = next((i for i, c in enumerate(children) if c.type in {"else_clause", "else_if_clause"}), len(children))
        word = leaf(recipe, "elseif", clause.start_byte, children[0].end_byte)
        made = recipe.kinds.one("else_if_clause")
        end = children[rest - 1].end_byte
        items.append(Made(recipe.codes[made], made, [word, *children[1:rest]], b"", clause.start_byte, end))
        items += children[rest:]
    return items


def unset_comma(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`unset($a, $b,)` is `unset($a, $b)`."""
    told = [index for index, item in enumerate(items) if matters(recipe, item)]
    for index, after in pairwise(told):
        item, closer = items[index], items[after]
        if isinstance(item, Node) and item.type == "," and isinstance(closer, Node) and closer.type == ")":
            return [*items[:index], span(item), *items[index + 1 :]]
    return items


def only_if(recipe: Recipe, clause: Node) -> Node | None:
    """The `if` that is all that an `else` holds, without braces or colons."""
    inside = [child for child in clause.children if matters(recipe, child)]
    if clause.type != "else_clause" or len(inside) != 2 or clause.has_error:  # noqa: PLR2004 # else and a statement
        return None
    found = inside[1]
    return found if found.type == "if_statement" and all(child.type != "endif" for child in found.children) else None


def leaf(recipe: Recipe, text: str, start: int, end: int) -> Made:
    kind = recipe.kinds.one(f'"{text}"')
    return Made(recipe.codes[kind], kind, None, text.encode(), start, end)

"""Formatter noise of Python that no table can say. Rules as `rewrites` describes them."""

from typing import Final

from tree_sitter import Node

from anchormem.syntax.items import Item, Made, matters, span
from anchormem.syntax.recipe import Recipe

DECLARING: Final = frozenset({"function_definition", "class_definition"})
DEEPEST_PARENS: Final = 32  # around one pattern; deeper ones are left as they are


def debug_text(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`f"{a = }"` prints its own source, blanks included."""
    if not any(isinstance(item, Node) and item.type == "=" for item in items):
        return items
    start, end = node.start_byte, node.end_byte
    return [Made(recipe.codes[node.kind_id], node.kind_id, None, node.text or b"", start, end)]


def bare_subject(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`match (a, b):` is `match a, b:`, and the comma before the colon says something after the only element."""
    first, last = bounds(recipe, items)
    if last - first == 1:
        only = items[first]
        if isinstance(only, Node) and only.type == "tuple" and count(only.children, ",") and not only.has_error:
            items = [*items[:first], *opened(only), *items[last:]]
    return without_comma(recipe, items)


def bare_case(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`case (a):` is `case a:`, `case (a, b):` is `case a, b:`; `case (a,):` is `case a,:`."""
    for _ in range(DEEPEST_PARENS):
        first, last = bounds(recipe, items)
        only = items[first] if first < last else None
        inner = only.named_children[0] if isinstance(only, Node) and only.named_child_count == 1 else None
        if not isinstance(only, Node) or inner is None or inner.type != "tuple_pattern" or inner.has_error:
            break
        told = [index for index in range(first, last) if matters(recipe, items[index])]
        if len(told) != 1 or not any(child.type == "case_pattern" for child in inner.children):
            break
        items = [*items[:first], *opened(inner), *items[last:]]
    return without_comma(recipe, items)


def opened(node: Node) -> list[Item]:
    """What stands between a node's brackets."""
    children = node.children
    return [span(children[0]), *children[1:-1], span(children[-1])]


def bounds(recipe: Recipe, items: list[Item]) -> tuple[int, int]:
    """The first pattern (subject) after the keyword, and the place behind the last one."""
    told = [index for index, item in enumerate(items) if matters(recipe, item)]
    ends = (i for i in told if isinstance(item := items[i], Node) and item.type in {":", "if_clause"})
    end = next(ends, len(items))
    between = [index for index in told[1:] if index < end]
    return (between[0], between[-1] + 1) if between else (end, end)


def without_comma(recipe: Recipe, items: list[Item]) -> list[Item]:
    """Without the comma before the colon or guard, when it is not the only one."""
    first, last = bounds(recipe, items)
    comma = items[last - 1] if first < last else None
    if not isinstance(comma, Node) or comma.type != "," or count(items[first:last], ",") < 2:  # noqa: PLR2004 # one makes a tuple
        return items
    return [*items[: last - 1], span(comma), *items[last:]]


def count(items: list[Node] | list[Item], kind: str) -> int:
    return sum(isinstance(item, Node) and item.type == kind for item in items)


def declared_comma(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`def f[T,]()` is `def f[T]()`."""
    parent = node.parent
    return without_last_comma(items, 1) if parent is not None and parent.type in DECLARING else items


def subscripted(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """A type with arguments as the subscript that it is in parentheses; the comma after the only one makes a tuple."""
    result: list[Item] = []
    for item in items:
        if isinstance(item, Node) and item.type == "type_parameter":
            result += without_last_comma(list(item.children), 1 if is_alias(node) else 2)
        else:
            result.append(item)
    return result


def without_last_comma(items: list[Item], needed: int) -> list[Item]:
    """Without the comma before the closing bracket, when there are so many."""
    told = [index for index, item in enumerate(items) if isinstance(item, Node) and item.type in {",", "type"}]
    comma = items[told[-1]] if told else None
    if not isinstance(comma, Node) or comma.type != "," or count(items, ",") < needed:
        return items
    return [*items[: told[-1]], span(comma), *items[told[-1] + 1 :]]


def is_alias(generic: Node) -> bool:
    """Whether this is the left side of `type A[T] = …`."""
    named = generic.parent
    alias = named.parent if named is not None else None
    return alias is not None and named is not None and alias.child_by_field_name("left") == named

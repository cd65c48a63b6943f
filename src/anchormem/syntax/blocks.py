"""Blocks, statements and semicolons that formatters add and remove. Rules as `rewrites` describes them."""

from typing import Final

from tree_sitter import Node

from anchormem.syntax.items import Item, bare, matters, span
from anchormem.syntax.recipe import Recipe

JUMPS: Final = frozenset({"return_expression", "break_expression", "continue_expression"})
LOOPS: Final = frozenset({"for_expression", "while_expression"})  # their value is always empty
NO_EXPRESSION: Final = ("_item", "_declaration", "_definition", "empty_statement")


def code_of(recipe: Recipe, nodes: list[Node]) -> list[Node]:
    """Without comments."""
    return [node for node in nodes if matters(recipe, node)]


def inner_of_statement(recipe: Recipe, statement: Node) -> Node | None:
    """The expression of a statement without semicolon, or whose semicolon says nothing because it jumps away."""
    inside = code_of(recipe, statement.children)
    if len(inside) == 1 or (len(inside) == 2 and inside[0].type in JUMPS):  # noqa: PLR2004 # an expression and `;`
        return inside[0]
    return None


# ── blocks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def lone_expression(recipe: Recipe, block: Node) -> Node | None:
    """The expression that a block is nothing but braces around."""
    inside = code_of(recipe, block.children)
    if len(inside) != 3 or block.has_error:  # noqa: PLR2004 # `{`, one thing, `}`
        return None
    found: Node | None = inside[1]
    if found is not None and found.type == "expression_statement":
        found = inner_of_statement(recipe, found)
    if found is None or not found.is_named or found.type.endswith(NO_EXPRESSION):
        return None
    return (lone_expression(recipe, found) or found) if found.type == "block" else found


def lone_block(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`=> { e }` is `=> e`: braces around one expression where either may stand."""
    result: list[Item] = []
    for item in items:
        found = lone_expression(recipe, item) if isinstance(item, Node) and item.type == "block" else None
        if isinstance(item, Node) and found is not None:
            result += bare(item, found)
        else:
            result.append(item)
    return result


def jump_end(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`return x;` at the end of a block is `return x`."""
    told = [index for index, item in enumerate(items) if matters(recipe, item)]
    if len(told) < 2:  # noqa: PLR2004 # nothing but brackets
        return items
    last = items[told[-2]]
    if not isinstance(last, Node) or last.type != "expression_statement":
        return items
    found = inner_of_statement(recipe, last)
    if found is None or found.type not in JUMPS:
        return items
    return [*items[: told[-2]], found, (found.end_byte, last.end_byte), *items[told[-2] + 1 :]]


def stray_semicolon(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """An empty statement after `{`, another `;`, a loop without a value, or any loop where more code follows."""
    result: list[Item] = []
    before: Node | None = None
    told = [item for item in items if matters(recipe, item)]
    for item in items:
        is_empty = isinstance(item, Node) and item.type == "empty_statement"
        if isinstance(item, Node) and is_empty and is_stray(before, last=told[-2:-1] == [item]):
            result.append(span(item))
            continue
        result.append(item)
        if isinstance(item, Node) and matters(recipe, item):
            before = item
    return result


def empty_list(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """A list of statements with none in it but empty ones."""
    return [
        span(item) if isinstance(item, Node) and item.type == "statement_list" and is_empty_list(item) else item
        for item in items
    ]


def is_empty_list(node: Node) -> bool:
    return all(child.type in {"empty_statement", ";"} for child in node.children)


def is_stray(before: Node | None, *, last: bool) -> bool:
    return before is not None and (ends(before) or (not last and is_loop(before)))


def is_loop(node: Node) -> bool:
    return node.type == "expression_statement" and [child.type for child in node.children] == ["loop_expression"]


def ends(node: Node) -> bool:
    last = node.child(node.child_count - 1) if node.child_count else node
    return last is not None and (last.type in {"{", ";"} or last.type in LOOPS)

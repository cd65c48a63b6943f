"""Parentheses and brackets that formatters add, remove and move. Rules as `rewrites` describes them."""

from typing import Final

from tree_sitter import Node

from anchormem.syntax.items import Item, Made, bare, matters, span
from anchormem.syntax.recipe import Recipe


def nested_parens(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`((x))` is `(x)`."""
    return bare_children(items, node.type)


def without_parens(node: Node, kind: str) -> Node:
    """What stands inside any number of parentheses of this kind."""
    while node.type == kind and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def control_parens(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`if (a) {` is `if a {`."""
    return bare_children(items, "parenthesized_expression")


def typed_parens(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`a (int)` is `a int`."""
    return bare_children(items, "parenthesized_type")


def bare_children(items: list[Item], kind: str) -> list[Item]:
    result: list[Item] = []
    for item in items:
        inner = without_parens(item, kind) if isinstance(item, Node) else None
        if isinstance(item, Node) and inner is not None and inner.id != item.id:
            result += bare(item, inner)
        else:
            result.append(item)
    return result


def lone_result(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`func f() (int)` is `func f() int`, `func f() ()` is `func f()`."""
    result = node.child_by_field_name("result")
    at = next((index for index, item in enumerate(items) if isinstance(item, Node) and item == result), None)
    if result is None or at is None or result.type != "parameter_list" or result.has_error:
        return items
    if result.named_child_count == 0:
        return [*items[:at], span(result), *items[at + 1 :]]
    only = result.named_children[0]
    if result.named_child_count > 1 or only.type != "parameter_declaration" or only.named_child_count != 1:
        return items
    inner = without_parens(only.named_children[0], "parenthesized_type")
    return [*items[:at], *bare(result, inner), *items[at + 1 :]]


def plain_for(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`for ; a; {` is `for a {`, `for ;; {` is `for {`."""
    result: list[Item] = []
    for item in items:
        if isinstance(item, Node) and item.type == "for_clause" and is_plain(item):
            result += [child if child.is_named else span(child) for child in item.children]
        else:
            result.append(item)
    return result


def is_plain(clause: Node) -> bool:
    return all(clause.child_by_field_name(name) is None for name in ("initializer", "update"))


def same_brackets(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """Token trees for which the kind of bracket says nothing: the arms of a macro."""
    return [unbracketed(recipe, item) if isinstance(item, Node) and is_tree(item) else item for item in items]


def is_tree(node: Node) -> bool:
    return node.type in {"token_tree", "token_tree_pattern"} and node.child_count > 1


def unbracketed(recipe: Recipe, tree: Node, *, comma: bool = False) -> Made:
    children = tree.children
    inner: list[Item] = [span(children[0]), *children[1:-1], span(children[-1])]
    if comma and len(children) > 3 and children[-2].type == ",":  # noqa: PLR2004 # brackets and an element
        inner[-2] = span(children[-2])
    return Made(recipe.codes[tree.kind_id], tree.kind_id, inner, b"", tree.start_byte, tree.end_byte)


def vec(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`vec![a, b,]` is formatted as the array it stands for, whatever its brackets."""
    name = node.child(0)
    if name is None or name.text != b"vec":
        return items
    return [
        unbracketed(recipe, item, comma=True) if isinstance(item, Node) and is_tree(item) else item for item in items
    ]


LISTS: Final = frozenset({b"derive", b"allow", b"warn", b"deny", b"forbid", b"expect", b"cfg"})


def list_attribute(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`derive(A, B,)` is `derive(A, B)`, and so for the other attributes of the language that hold a plain list."""
    name = node.child(0)
    if name is None or name.text not in LISTS:
        return items
    return [
        without_last_comma(recipe, item)
        if isinstance(item, Node) and item.type == "token_tree" and item.child_count > 3  # noqa: PLR2004 # as above
        else item
        for item in items
    ]


def without_last_comma(recipe: Recipe, tree: Node) -> Item:
    children = tree.children
    if children[-2].type != "," or children[-3].type == ",":
        return tree
    inner: list[Item] = [*children[:-2], span(children[-2]), children[-1]]
    return Made(recipe.codes[tree.kind_id], tree.kind_id, inner, b"", tree.start_byte, tree.end_byte)


def end_separator(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """The `;` after the last arm, before the closer."""
    told = [index for index, item in enumerate(items) if matters(recipe, item)]
    if len(told) > 2:  # noqa: PLR2004 # brackets and an arm
        item = items[told[-2]]
        if isinstance(item, Node) and item.type == ";":
            return [*items[: told[-2]], span(item), *items[told[-2] + 1 :]]
    return items


# ── arrays ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def brackets_at_type(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`int a[]` is `int[] a`, where one name is declared."""
    own = brackets_of(node)
    kind = node.child_by_field_name("type")
    if own is None or kind is None:
        return items
    at = next((index for index, item in enumerate(items) if isinstance(item, Node) and item.id == kind.id), None)
    if at is None:
        return items
    items = [span(item) if isinstance(item, Node) and item.id == own.id else item for item in items]
    items[at] = array_of(recipe, kind, own)
    return items


def no_brackets(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """The declarator's side of it."""
    if not any(isinstance(item, Node) and item.type == "dimensions" for item in items):
        return items
    own = brackets_of(node.parent) if node.parent is not None else None
    return [span(item) if own is not None and isinstance(item, Node) and item.id == own.id else item for item in items]


def brackets_of(node: Node) -> Node | None:
    """The brackets behind the only name that a declaration or parameter declares."""
    declarators = node.children_by_field_name("declarator")
    if len(declarators) == 1:
        node = declarators[0]
    return node.child_by_field_name("dimensions") if len(declarators) <= 1 else None


def array_of(recipe: Recipe, kind: Node, own: Node) -> Made:
    end = kind.end_byte
    more = [Made(recipe.codes[b.kind_id], b.kind_id, None, b.text or b"", end, end) for b in own.children]
    element: list[Item] = [kind]
    before: list[Item] = []
    if kind.type == "array_type":
        dimensions = kind.child_by_field_name("dimensions")
        element = [child for child in kind.children if dimensions is None or child.id != dimensions.id]
        before = list(dimensions.children) if dimensions is not None else []
    array = recipe.kinds.one("array_type")
    brackets = Made(recipe.codes[own.kind_id], own.kind_id, [*before, *more], b"", end, end)
    if before and not isinstance(before[0], tuple):
        brackets.start = before[0].start_byte
    return Made(recipe.codes[array], array, [*element, brackets], b"", kind.start_byte, end)

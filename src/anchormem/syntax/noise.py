"""Formatter noise between the children of a node: what the closed tables of a language drop, unwrap or rename.

A dropped child becomes its byte range, so that its text is passed over in order.
"""

import functools
from collections.abc import Callable, Mapping

from tree_sitter import Node

from anchormem.syntax.items import Item, Made, kind_of, matters, span
from anchormem.syntax.kinds import Kinds
from anchormem.syntax.recipe import SKIP, Recipe
from anchormem.syntax.rewrites import REWRITES

Change = Callable[[Node, list[Item]], list[Item]]


@functools.cache
def rules_of(recipe: Recipe) -> Mapping[int, tuple[Change, ...]]:
    """By parent kind, the changes of its children in the order they apply."""
    p = functools.partial
    table: dict[int, tuple[Change, ...]] = {}

    def add(kind: int, change: Change) -> None:
        table[kind] = (*table.get(kind, ()), change)

    for kind, gone in recipe.drop.items():
        add(kind, p(drop, gone))
    for kind, gone in recipe.drop_empty.items():
        add(kind, p(drop_empty, gone))
    for kind, gone in recipe.drop_first.items():
        add(kind, p(drop_at, recipe, 1, gone))
    for kind, gone in recipe.drop_last.items():
        add(kind, p(drop_at, recipe, -1, gone))
    for kind, needed in recipe.comma.items():
        add(kind, p(drop_last_comma, recipe, needed))
    for kind, changes in recipe.bare.items():
        add(kind, p(make_bare, recipe, changes))
    for kind, names in recipe.rewrites.items():
        for name in names:
            add(kind, p(REWRITES[name], recipe))
    return table


def rewritten(changes: tuple[Change, ...], node: Node, children: list[Node]) -> list[Item]:
    """The children of a node whose kind has rules, as the walk is to see them."""
    items: list[Item] = list(children)
    for change in changes:
        items = change(node, items)
    return items


def drop(gone: Kinds, _node: Node, items: list[Item]) -> list[Item]:
    for item in items:
        if kind_of(item) in gone:
            break
    else:
        return items
    return [span(item) if not isinstance(item, tuple) and item.kind_id in gone else item for item in items]


def drop_empty(gone: Kinds, _node: Node, items: list[Item]) -> list[Item]:
    """Those of these kinds with nothing but their brackets in them."""
    return [
        span(item)
        if isinstance(item, Node) and item.kind_id in gone and item.named_child_count == 0 and not item.has_error
        else item
        for item in items
    ]


def drop_at(recipe: Recipe, step: int, kinds: Kinds, _node: Node, items: list[Item]) -> list[Item]:
    """Drops the first (step 1) or last (step −1) item that matters, if it is of these kinds."""
    for index in range(len(items))[::step]:
        item = items[index]
        if matters(recipe, item) and not isinstance(item, tuple):
            if item.kind_id in kinds:
                items[index] = span(item)
            break
    return items


def drop_last_comma(recipe: Recipe, needed: int, _node: Node, items: list[Item]) -> list[Item]:
    """The comma before the closer (or at the very end), when an element stands before it and there are `needed`."""
    commas, named, act = recipe.commas, recipe.kinds.named, recipe.act
    for item in items[-2:]:  # most lists end without one: that is told before anything is made
        kind = kind_of(item)
        if kind in commas or act.get(kind, SKIP) == SKIP:
            break
    else:
        return items
    closed = False
    for index in range(len(items) - 1, 0, -1):
        item = items[index]
        if isinstance(item, tuple) or act[kind := item.kind_id] == SKIP:
            continue
        if kind in commas:
            before = next((i for i in reversed(items[:index]) if matters(recipe, i)), None)
            if before is not None and kind_of(before) in named and elements(commas, items[:index]) >= needed:
                items[index] = span(item)
            break
        if closed or kind in named:
            break
        closed = True
    return items


def elements(commas: Kinds, items: list[Item]) -> int:
    return 1 + sum(1 for item in items if kind_of(item) in commas)


def make_bare(recipe: Recipe, changes: tuple[tuple[int, int, str], ...], parent: Node, items: list[Item]) -> list[Item]:
    """Parenthesised tuples (in that field, where one is named) as the bare lists they stand for."""
    kinds = {kind_of(item) for item in items}
    for old, new, field in changes:
        if old in kinds:
            at = parent.child_by_field_name(field) if field else None
            items = [
                bare(recipe, new, item)
                if isinstance(item, Node)
                and item.kind_id == old
                and (not field or (at is not None and at.id == item.id))
                else item
                for item in items
            ]
    return items


def bare(recipe: Recipe, new: int, item: Node) -> Item:
    inner = item
    while inner.child_count == 3 and inner.children[1].kind_id == item.kind_id:  # noqa: PLR2004 # brackets around one
        inner = inner.children[1]
    children = inner.children
    if not any(child.kind_id in recipe.commas for child in children):
        return item
    items = drop_last_comma(recipe, recipe.comma.get(item.kind_id, 1), inner, list(children))
    items[0], items[-1] = (item.start_byte, children[0].end_byte), (children[-1].start_byte, item.end_byte)
    return Made(recipe.codes[new], new, items, b"", item.start_byte, item.end_byte, of=item)


# ── parentheses ─────────────────────────────────────────────────────────────────────────────────────────────────────


def unwrap(recipe: Recipe, node: Node, parent: Node | Made | None) -> list[Item] | None:
    """What stands between redundant parentheses, None when they have to stay."""
    children = node.children
    inner = [child for child in children if child.is_named and recipe.act.get(child.kind_id) != SKIP]
    if len(inner) != 1 or node.has_error:
        return None
    if node.kind_id in recipe.parens_single and any(child.kind_id in recipe.commas for child in children):
        return None
    if parent is not None and keeps_parens(recipe, parent, node, inner[0]):
        return None
    return [child if child.is_named else span(child) for child in children]


def keeps_parens(recipe: Recipe, parent: Node | Made, node: Node, inner: Node) -> bool:
    rule, kind = recipe.parens, parent.kind_id
    if (kind, inner.kind_id) in rule.keep or (kind, -1) in rule.keep:
        return True
    if any(
        fits(pair.parent, pair.parent_mark, parent) and fits(pair.inner, pair.inner_mark, inner)
        for pair in rule.keep_marked
    ):
        return True
    if kind in rule.keep_typed and isinstance(parent, Node) and parent.children[0].id == node.id:
        return parent.child_by_field_name("type") is not None
    return kind in rule.chain_parents and holds_chain(rule.chain_parents, rule.chain_marks, inner)


def fits(kinds: Kinds, marks: Kinds, node: Node | Made) -> bool:
    if kinds and node.kind_id not in kinds:
        return False
    items = node.children if isinstance(node, Node) else node.items or []
    return not marks or any(kind_of(item) in marks for item in items)


def holds_chain(chain: frozenset[int], marks: frozenset[int], node: Node) -> bool:
    """Whether the spine of member accesses and calls under `node` has an optional link."""
    spine: Node | None = node
    while spine is not None and spine.kind_id in chain:
        if any(child.kind_id in marks for child in spine.children):
            return True
        spine = spine.child(0)
    return False

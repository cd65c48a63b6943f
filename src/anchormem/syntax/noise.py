"""Formatter noise between the children of a node: what the closed tables of a language drop, unwrap or rename.

A dropped child becomes its byte range, so that its text is passed over in order.
"""

from tree_sitter import Node

from anchormem.syntax.items import Item, Made, kind_of, matters, span
from anchormem.syntax.recipe import SKIP, Recipe
from anchormem.syntax.rewrites import REWRITES


def rewrite_children(recipe: Recipe, node: Node, children: list[Node]) -> list[Item]:
    """The children of a node whose kind has rules, as the walk is to see them."""
    kind = node.kind_id
    items: list[Item] = list(children)
    if kind in recipe.drop:
        gone = recipe.drop[kind]
        items = [span(item) if not isinstance(item, tuple) and item.kind_id in gone else item for item in items]
    if kind in recipe.drop_empty:
        items = [span(item) if is_empty(recipe, item, recipe.drop_empty[kind]) else item for item in items]
    if kind in recipe.drop_first:
        drop_at(recipe, items, 1, recipe.drop_first[kind])
    if kind in recipe.drop_last:
        drop_at(recipe, items, -1, recipe.drop_last[kind])
    if kind in recipe.comma:
        drop_last_comma(recipe, items, recipe.comma[kind])
    if kind in recipe.bare:
        for old, new, field in recipe.bare[kind]:
            items = [make_bare(recipe, node, item, new, field) if kind_of(item) == old else item for item in items]
    for rule in recipe.rewrites.get(kind, ()):
        items = REWRITES[rule](recipe, node, items)
    return items


def drop_at(recipe: Recipe, items: list[Item], step: int, kinds: frozenset[int]) -> None:
    """Drops the first (step 1) or last (step −1) item that matters, if it is of these kinds."""
    for index in range(len(items))[::step]:
        item = items[index]
        if matters(recipe, item) and not isinstance(item, tuple):
            if item.kind_id in kinds:
                items[index] = span(item)
            return


def is_empty(recipe: Recipe, item: Item, kinds: frozenset[int]) -> bool:
    """Of these kinds, and nothing but its brackets in it."""
    return isinstance(item, Node) and item.kind_id in kinds and item.named_child_count == 0 and not item.has_error


def drop_last_comma(recipe: Recipe, items: list[Item], needed: int) -> None:
    """The comma before the closer (or at the very end), when an element stands before it and there are `needed`."""
    commas = recipe.kinds[COMMA]
    told = [(i, item) for i, item in enumerate(items) if matters(recipe, item) and not isinstance(item, tuple)]
    at = next((n for n in (len(told) - 1, len(told) - 2) if n > 0 and told[n][1].kind_id in commas), 0)
    if not at or (at == len(told) - 2 and told[-1][1].kind_id in recipe.kinds.named):
        return
    if told[at - 1][1].kind_id not in recipe.kinds.named:
        return
    elements = 1 + sum(1 for n, (_, item) in enumerate(told) if 0 < n < at and item.kind_id in commas)
    if elements >= needed:
        items[told[at][0]] = span(told[at][1])


COMMA = '","'


def make_bare(recipe: Recipe, parent: Node, item: Item, new: int, field: str) -> Item:
    """A parenthesised tuple as the bare list it stands for."""
    if not isinstance(item, Node):
        return item
    if field:
        found = parent.child_by_field_name(field)
        if found is None or found.id != item.id:
            return item
    children = item.children
    if len(children) < 3:  # noqa: PLR2004 # `()` is no list
        return item
    inner: list[Item] = list(children)
    drop_last_comma(recipe, inner, recipe.comma.get(item.kind_id, 1))
    inner[0], inner[-1] = span(children[0]), span(children[-1])
    return Made(recipe.codes[new], new, inner, b"", item.start_byte, item.end_byte)


# ── parentheses ─────────────────────────────────────────────────────────────────────────────────────────────────────


def unwrap(recipe: Recipe, node: Node, parent: Node | Made | None) -> list[Item] | None:
    """What stands between redundant parentheses, None when they have to stay."""
    children = node.children
    inner = [child for child in children if child.is_named and recipe.act.get(child.kind_id) != SKIP]
    if len(inner) != 1 or node.has_error:
        return None
    if node.kind_id in recipe.parens_single and len(children) - sum(c.is_named for c in children) > 2:  # noqa: PLR2004 # ( and )
        return None
    if parent is not None and keeps_parens(recipe, parent, inner[0]):
        return None
    return [child if child.is_named else span(child) for child in children]


def keeps_parens(recipe: Recipe, parent: Node | Made, inner: Node) -> bool:
    rule, kind = recipe.parens, parent.kind_id
    if (kind, inner.kind_id) in rule.keep or (kind, -1) in rule.keep:
        return True
    if kind in rule.keep_typed and isinstance(parent, Node) and parent.child_by_field_name("type") is not None:
        return True
    return kind in rule.chain_parents and holds_chain(rule.chain_parents, rule.chain_marks, inner)


def holds_chain(chain: frozenset[int], marks: frozenset[int], node: Node) -> bool:
    """Whether the spine of member accesses and calls under `node` has an optional link."""
    spine: Node | None = node
    while spine is not None and spine.kind_id in chain:
        if any(child.kind_id in marks for child in spine.children):
            return True
        spine = spine.child(0)
    return False

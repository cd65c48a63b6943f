"""The few rules of formatter noise that no table can say; a language file names them with `hash.rewrite: rule:kind`.

A rule takes a node and its children as the walk is to see them, and gives those children back, changed or not. It knows
node kinds only by the names that grammars share (`block`, `expression_statement`).
"""

from collections.abc import Callable, Mapping
from typing import Final

from tree_sitter import Node

from anchormem.syntax import ecma
from anchormem.syntax.items import Item, Made, matters, span
from anchormem.syntax.recipe import Recipe

Rule = Callable[[Recipe, Node, list[Item]], list[Item]]

JUMPS: Final = frozenset({"return_expression", "break_expression", "continue_expression"})
LOOPS: Final = frozenset({"for_expression", "while_expression"})  # their value is always empty
NO_EXPRESSION: Final = ("_item", "_declaration", "_definition", "empty_statement")
SCOPES: Final = frozenset({"crate", "self", "super"})


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


def lone_block(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`=> { e }` is `=> e`: braces around one expression where either may stand."""
    result: list[Item] = []
    for item in items:
        found = lone_expression(recipe, item) if isinstance(item, Node) and item.type == "block" else None
        if isinstance(item, Node) and found is not None:
            result += bare(item, found)
        else:
            result.append(item)
    return result


def jump_end(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


def stray_semicolon(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """An empty statement after `{`, after another `;` or after a loop without a value."""
    result: list[Item] = []
    before: Node | None = None
    for item in items:
        if isinstance(item, Node) and item.type == "empty_statement" and before is not None and ends(before):
            result.append(span(item))
            continue
        result.append(item)
        if isinstance(item, Node) and matters(recipe, item):
            before = item
    return result


def empty_list(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """A list of statements with none in it but empty ones."""
    return [
        span(item) if isinstance(item, Node) and item.type == "statement_list" and is_empty_list(item) else item
        for item in items
    ]


def is_empty_list(node: Node) -> bool:
    return all(child.type in {"empty_statement", ";"} for child in node.children)


def ends(node: Node) -> bool:
    last = node.child(node.child_count - 1) if node.child_count else node
    return last is not None and (last.type in {"{", ";"} or last.type in LOOPS)


# ── brackets ────────────────────────────────────────────────────────────────────────────────────────────────────────


def nested_parens(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`((x))` is `(x)`."""
    return bare_children(items, node.type)


def without_parens(node: Node, kind: str) -> Node:
    """What stands inside any number of parentheses of this kind."""
    while node.type == kind and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def bare(node: Node, inner: Node) -> list[Item]:
    """`inner` in the place of the node that holds it."""
    return [(node.start_byte, inner.start_byte), inner, (inner.end_byte, node.end_byte)]


def control_parens(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`if (a) {` is `if a {`."""
    return bare_children(items, "parenthesized_expression")


def typed_parens(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


def lone_result(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


def plain_for(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


def same_brackets(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


def end_separator(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


def no_brackets(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
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


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def leading_pipe(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`| A | B` is `A | B`, wherever in the spine of alternatives the first `|` stands."""
    first = items[0] if items else None
    if isinstance(first, Node) and first.type == "or_pattern" and first.children[0].type == "|":
        return [span(first.children[0]), *first.children[1:], *items[1:]]
    return items


def default_abi(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`extern "C"` is `extern`."""
    return [span(item) if isinstance(item, Node) and item.text == b'"C"' else item for item in items]


def plain_scope(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`pub(in crate)` is `pub(crate)`."""
    if not any(isinstance(item, Node) and item.type in SCOPES for item in items):
        return items
    return [span(item) if isinstance(item, Node) and item.type == "in" else item for item in items]


def trim_braces(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`{ a }` is `{a}` between the braces of an interpolation, but for a format, whose blanks count."""
    if any(isinstance(item, Node) and item.type.endswith("format_clause") for item in items):
        return items
    return [trimmed(recipe, item) if isinstance(item, Node) and item.type.endswith("_brace") else item for item in items]


def trimmed(recipe: Recipe, node: Node) -> Made:
    text = (node.text or b"").strip()
    return Made(recipe.codes[node.kind_id], node.kind_id, None, text, node.start_byte, node.end_byte)


def debug_text(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`f"{a = }"` prints its own source, blanks included."""
    if not any(isinstance(item, Node) and item.type == "=" for item in items):
        return items
    start, end = node.start_byte, node.end_byte
    return [Made(recipe.codes[node.kind_id], node.kind_id, None, node.text or b"", start, end)]


def directive_word(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`#  define` is `#define`, and so on."""
    return [squeezed(recipe, item) if isinstance(item, Node) and is_directive(item) else item for item in items]


def is_directive(node: Node) -> bool:
    return node.child_count == 0 and (node.type.startswith("#") or node.type == "preproc_directive")


def squeezed(recipe: Recipe, node: Node) -> Made:
    text = b"".join((node.text or b"").split())
    return Made(recipe.codes[node.kind_id], node.kind_id, None, text, node.start_byte, node.end_byte)


# ── shells ──────────────────────────────────────────────────────────────────────────────────────────────────────────

DOLLAR_BRACKETS: Final = {b"`": (b"$(", b")"), b"$[": (b"$((", b"))")}


def dollar_brackets(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """Backticks without a backslash inside are `$( )`, and `$[ ]` is `$(( ))`."""
    first, last = node.child(0), node.child(node.child_count - 1)
    now = DOLLAR_BRACKETS.get((first.text if first else None) or b"")
    if now is None or first is None or last is None or (first.type == "`" and b"\\" in (node.text or b"")):
        return items
    return [respelled(recipe, first, now[0]), *items[1:-1], respelled(recipe, last, now[1])]


def respelled(recipe: Recipe, node: Node, text: bytes) -> Made:
    kind = recipe.language.grammar.id_for_node_kind(text.decode(), False) or node.kind_id  # noqa: FBT003 # positional only: anonymous
    return Made(recipe.codes[kind], kind, None, text, node.start_byte, node.end_byte)


REWRITES: Mapping[str, Rule] = {
    "dollar-brackets": dollar_brackets,
    "directive-word": directive_word,
    "trim-braces": trim_braces,
    "plain-parameter": ecma.plain_parameter,
    "plain-key": ecma.plain_key,
    "jsx-text": ecma.jsx_text,
    "debug-text": debug_text,
    "lone-block": lone_block,
    "jump-end": jump_end,
    "stray-semicolon": stray_semicolon,
    "empty-list": empty_list,
    "nested-parens": nested_parens,
    "control-parens": control_parens,
    "typed-parens": typed_parens,
    "lone-result": lone_result,
    "plain-for": plain_for,
    "same-brackets": same_brackets,
    "vec": vec,
    "end-separator": end_separator,
    "brackets-at-type": brackets_at_type,
    "no-brackets": no_brackets,
    "leading-pipe": leading_pipe,
    "default-abi": default_abi,
    "plain-scope": plain_scope,
}

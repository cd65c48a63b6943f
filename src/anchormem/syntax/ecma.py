"""Formatter noise of JavaScript, TypeScript and JSX that no table can say. Rules as `rewrites` describes them."""

import re
from typing import Final

from tree_sitter import Node

from anchormem.syntax.items import Item, Made, span
from anchormem.syntax.recipe import Recipe

PLAIN_KEY = re.compile(rb"""^(["'])([A-Za-z_$][A-Za-z0-9_$]*)\1$""")
NUMBER_KEY = re.compile(rb"""^(["'])(0|[1-9][0-9]{0,14})\1$""")
LOGICAL: Final = frozenset({"&&", "||", "??"})
RESTRICTED: Final = frozenset({"return", "yield", "abstract"})  # a line break ends the statement
NOTHING: Final = frozenset({"comment", "html_comment"})
DEEPEST_PARENS: Final = 32  # around one operand; deeper ones are left as they are
BLANKS = re.compile(rb"[ \t\r\n]+")
ONE_SPACE = re.compile(rb"""\{\s*(?:" "|' ')\s*\}""")


def plain_parameter(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`(x) => x` is `x => x`: one plain name as the only parameter needs no parentheses."""
    result: list[Item] = []
    for item in items:
        name = only_name(item) if isinstance(item, Node) and item.type == "formal_parameters" else None
        if name is None or not isinstance(item, Node):
            result.append(item)
        else:
            result += [(item.start_byte, name.start_byte), name, (name.end_byte, item.end_byte)]
    return result


def only_name(parameters: Node) -> Node | None:
    children = [child for child in parameters.children if child.type != ","]
    if len(children) != 3 or parameters.has_error:  # noqa: PLR2004 # ( name )
        return None
    name = children[1]
    if name.type == "required_parameter" and name.child_count == 1:
        name = name.children[0]
    return name if name.type == "identifier" else None


def plain_key(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`{"a": 1}` is `{a: 1}`, and `{"1": 1}` is `{1: 1}`."""
    keys = (node.child_by_field_name(field) for field in ("key", "name", "property"))
    key = next((key for key in keys if key is not None), None)
    if key is None or key.type != "string":
        return items
    text = key.text or b""
    found = PLAIN_KEY.match(text) or NUMBER_KEY.match(text)
    if found is None:
        return items
    kind = recipe.kinds.one("number" if found[2][:1].isdigit() else "property_identifier")
    plain = Made(recipe.codes[kind], kind, None, found[2], key.start_byte, key.end_byte, of=key)
    return [plain if isinstance(item, Node) and item.id == key.id else item for item in items]


def line_break(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`return`, a line break and `(x)` is two statements, whatever the grammar takes it for: the break counts."""
    result: list[Item] = []
    word: Node | None = None
    for item in items:
        if isinstance(item, Node) and item.type not in NOTHING:
            if word is not None and item.type != ";" and item.start_point.row > word.end_point.row:
                at = word.end_byte
                result.append(Made(recipe.codes[node.kind_id], node.kind_id, None, b"\n", at, at))
            word = item if item.type in RESTRICTED else None
        result.append(item)
    return result


def logical_chain(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`a && (b && c)` is `a && b && c`; the same for `||` and `??`."""
    operator = operator_of(node)
    if operator not in LOGICAL:
        return items
    result: list[Item] = []
    waiting = items[::-1]
    while waiting:
        item = waiting.pop()
        inner = same_chain(item, operator) if isinstance(item, Node) else None
        if inner is None or not isinstance(item, Node):
            result.append(item)
        else:
            waiting += inner[::-1]
    return result


def operator_of(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def same_chain(item: Node, operator: str) -> list[Item] | None:
    """The operands of a chain of the same operator, its parentheses dropped one level at a time."""
    inner: Node | None = item
    for _ in range(DEEPEST_PARENS):
        if inner is None or inner.type != "parenthesized_expression":
            break
        named = [child for child in inner.named_children if child.type != "comment"]
        inner = named[0] if len(named) == 1 else None
    if inner is None or inner.type != "binary_expression" or operator_of(inner) != operator:
        return None
    if inner is item:
        return list(item.children)
    return [child if child.is_named else span(child) for child in item.children]


def jsx_text(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """Text between tags as it is rendered: blanks are one space, none where a line break touches a tag or brace.

    A run is text, entities and `{" "}` next to each other; it is one leaf. `{/* remark */}` ends a run and is dropped.
    """
    result: list[Item] = []
    run: list[Node] = []
    for item in items:
        if isinstance(item, Node) and is_text(item):
            run.append(item)
            continue
        result += rendered(recipe, run)
        run = []
        empty = isinstance(item, Node) and item.type == "jsx_expression" and item.named_child_count == comments_in(item)
        result.append(span(item) if empty and not isinstance(item, tuple) else item)
    return result + rendered(recipe, run)


def comments_in(expression: Node) -> int:
    return sum(child.type == "comment" for child in expression.named_children)


def is_text(node: Node) -> bool:
    return node.type in {"jsx_text", "html_character_reference"} or is_space(node)


def is_space(node: Node) -> bool:
    return node.type == "jsx_expression" and ONE_SPACE.fullmatch(node.text or b"") is not None


def rendered(recipe: Recipe, run: list[Node]) -> list[Item]:
    if not run:
        return []
    text = b""
    for index, node in enumerate(run):
        said = node.text or b""
        if is_space(node):
            said = b" "
        elif node.type == "jsx_text":
            said = beside(said, opens=index == 0 or is_space(run[index - 1]))
            said = beside(said, closes=index == len(run) - 1 or is_space(run[index + 1]))
            said = BLANKS.sub(b" ", said)
        text = text + said.lstrip(b" ") if text.endswith(b" ") and said.startswith(b" ") else text + said
    start, end = run[0].start_byte, run[-1].end_byte
    if not text:
        return [(start, end)]
    kind = recipe.kinds.one("jsx_text")
    return [Made(recipe.codes[kind], kind, None, text, start, end, textual=True)]


def beside(text: bytes, *, opens: bool = False, closes: bool = False) -> bytes:
    """Without the blanks at its beginning (end) when a line break is among them and a tag or brace stands there."""
    if opens:
        bare = text.lstrip(b" \t\r\n")
        text = bare if b"\n" in text[: len(text) - len(bare)] else text
    if closes:
        bare = text.rstrip(b" \t\r\n")
        text = bare if b"\n" in text[len(bare) :] else text
    return text

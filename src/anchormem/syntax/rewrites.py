"""The few rules of formatter noise that no table can say; a language file names them with `hash.rewrite: rule:kind`.

A rule takes a node and its children as the walk is to see them, and gives those children back, changed or not. It knows
node kinds only by the names that grammars share (`block`, `expression_statement`).
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from tree_sitter import Node

from anchormem.syntax import blocks, brackets, ecma, php, python
from anchormem.syntax.items import Item, Made, span
from anchormem.syntax.recipe import Recipe

Rule = Callable[[Recipe, Node, list[Item]], list[Item]]

SCOPES: Final = frozenset({"crate", "self", "super"})


def leading_pipe(_recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`| A | B` is `A | B`, wherever in the spine of alternatives the first `|` stands."""
    result: list[Item] = []
    for place, item in enumerate(items):
        may = place == 0 or node.type != "or_pattern"
        if may and isinstance(item, Node) and item.type == "or_pattern" and item.children[0].type == "|":
            result += [span(item.children[0]), *item.children[1:]]
        else:
            result.append(item)
    return result


def default_abi(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`extern "C"` is `extern`."""
    return [span(item) if isinstance(item, Node) and item.text == b'"C"' else item for item in items]


def plain_scope(_recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`pub(in crate)` is `pub(crate)`."""
    if not any(isinstance(item, Node) and item.type in SCOPES for item in items):
        return items
    return [span(item) if isinstance(item, Node) and item.type == "in" else item for item in items]


def modifier_order(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """`final public` is `public final`: keywords by name, each annotation where it stands among them."""
    words = [item for item in items if isinstance(item, Node) and not item.is_named]
    order = sorted(words, key=lambda word: word.type)
    if words == order:
        return items
    said = {at.id: word for at, word in zip(words, order, strict=True)}
    return [
        in_place(recipe, item, said[item.id]) if isinstance(item, Node) and item.id in said else item for item in items
    ]


def in_place(recipe: Recipe, at: Node, said: Node) -> Made:
    return Made(recipe.codes[said.kind_id], said.kind_id, None, said.text or b"", at.start_byte, at.end_byte)


def trim_braces(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`{ a }` is `{a}` between the braces of an interpolation, but for a format, whose blanks count."""
    if any(isinstance(item, Node) and item.type.endswith("format_clause") for item in items):
        return items
    return [
        trimmed(recipe, item) if isinstance(item, Node) and item.type.endswith("_brace") else item for item in items
    ]


def trimmed(recipe: Recipe, node: Node) -> Made:
    text = (node.text or b"").strip()
    return Made(recipe.codes[node.kind_id], node.kind_id, None, text, node.start_byte, node.end_byte)


def directive_word(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """`#  define` is `#define`, and so on."""
    return [squeezed(recipe, item) if isinstance(item, Node) and is_directive(item) else item for item in items]


def is_directive(node: Node) -> bool:
    return node.child_count == 0 and (node.type.startswith("#") or node.type == "preproc_directive")


def squeezed(recipe: Recipe, node: Node) -> Made:
    text = b"".join((node.text or b"").split())
    return Made(recipe.codes[node.kind_id], node.kind_id, None, text, node.start_byte, node.end_byte)


def trim_end(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """The blanks before the end of its line are none of what a directive says."""
    last = items[-1] if items else None
    if not isinstance(last, Node) or last.child_count:
        return items
    text = (last.text or b"").rstrip()
    return [*items[:-1], Made(recipe.codes[last.kind_id], last.kind_id, None, text, last.start_byte, last.end_byte)]


# ── here-documents ──────────────────────────────────────────────────────────────────────────────────────────────────


def closer_indent(recipe: Recipe, _node: Node, items: list[Item]) -> list[Item]:
    """The blanks before the closer of a here-document of Ruby are none of its text."""
    last = items[-2] if len(items) > 1 else None
    if not (isinstance(last, Node) and last.type == "heredoc_content" and last.child_count == 0):
        return items
    text = last.text or b""
    kept = text.rstrip(b" \t")
    if kept == text or not kept.endswith(b"\n"):
        return items
    made = Made(recipe.codes[last.kind_id], last.kind_id, None, kept, last.start_byte, last.end_byte, textual=True)
    return [*items[:-2], made, items[-1]]


# ── shells ──────────────────────────────────────────────────────────────────────────────────────────────────────────

LEADING_TABS: Final = re.compile(rb"^\t+", re.MULTILINE)


def text_lead(recipe: Recipe, node: Node, items: list[Item]) -> list[Item]:
    """The blanks a here-document of a shell begins with, which the grammar leaves out of its body."""
    at = next((i for i, item in enumerate(items) if isinstance(item, Node) and item.type == "heredoc_body"), 0)
    before, body = (items[at - 1], items[at]) if at else (None, None)
    if not (isinstance(before, Node) and isinstance(body, Node)):
        return items
    between = (node.text or b"")[before.end_byte - node.start_byte : body.start_byte - node.start_byte]
    lead = between.partition(b"\n")[2]
    if not lead:
        return items
    said = LEADING_TABS.sub(b"", lead) if any(item.type == "<<-" for item in node.children) else lead
    kind, start = body.kind_id, body.start_byte - len(lead)
    made = Made(recipe.codes[kind], kind, None, said, start, body.start_byte, textual=True)
    return [*items[:at], made, *items[at:]]


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
    "short-list": php.short_list,
    "else-if": php.else_if,
    "unset-comma": php.unset_comma,
    "dollar-brackets": dollar_brackets,
    "closer-indent": closer_indent,
    "text-lead": text_lead,
    "directive-word": directive_word,
    "trim-braces": trim_braces,
    "trim-end": trim_end,
    "plain-parameter": ecma.plain_parameter,
    "plain-key": ecma.plain_key,
    "line-break": ecma.line_break,
    "logical": ecma.logical_chain,
    "jsx-text": ecma.jsx_text,
    "debug-text": python.debug_text,
    "bare-subject": python.bare_subject,
    "bare-case": python.bare_case,
    "declared-comma": python.declared_comma,
    "subscripted": python.subscripted,
    "lone-block": blocks.lone_block,
    "jump-end": blocks.jump_end,
    "stray-semicolon": blocks.stray_semicolon,
    "empty-list": blocks.empty_list,
    "nested-parens": brackets.nested_parens,
    "control-parens": brackets.control_parens,
    "typed-parens": brackets.typed_parens,
    "lone-result": brackets.lone_result,
    "plain-for": brackets.plain_for,
    "same-brackets": brackets.same_brackets,
    "vec": brackets.vec,
    "list-attribute": brackets.list_attribute,
    "modifier-order": modifier_order,
    "end-separator": brackets.end_separator,
    "brackets-at-type": brackets.brackets_at_type,
    "no-brackets": brackets.no_brackets,
    "leading-pipe": leading_pipe,
    "default-abi": default_abi,
    "plain-scope": plain_scope,
}

"""Where a C or C++ declarator hides its name: `*const (*name(int a))[3]`, `Outer<T>::Inner::~Inner()`.

Knows the node kinds that the two grammars share, nothing of symbols.
"""

import re
from typing import Final, NamedTuple

from tree_sitter import Node

OPERATORS: Final = frozenset({"operator_name", "operator_cast"})
NAMES: Final = frozenset({"identifier", "field_identifier", "type_identifier", "primitive_type", "destructor_name"})
TEMPLATES: Final = frozenset({"template_function", "template_method", "template_type"})
WRAPPERS: Final = frozenset({"parenthesized_declarator", "attributed_declarator"})


class Declared(NamedTuple):
    name: Node
    text: str  # as the symbol is called
    scopes: tuple[str, ...]  # `Outer`, `Inner`
    parameters: Node | None  # of a function; None: the declarator is of a value or a type
    kind: str | None  # where the name tells it


def declared(node: Node) -> Declared | None:
    """What a declarator declares; None for one without a name or with several."""
    parameters: Node | None = None
    while True:
        inner = inside(node)
        if inner is None:
            return named(node, parameters)
        if node.type == "function_declarator":
            parameters = node.child_by_field_name("parameters")
        elif node.type not in WRAPPERS:
            parameters = None
        node = inner


def inside(node: Node) -> Node | None:
    if node.type in OPERATORS:
        return None
    found = node.child_by_field_name("declarator")
    if found is not None or not node.type.endswith("_declarator") or node.type == "structured_binding_declarator":
        return found
    children = [child for child in node.named_children if child.type != "comment"]
    if not children:
        return None
    return children[0] if node.type == "attributed_declarator" else children[-1]


def named(node: Node, parameters: Node | None) -> Declared | None:
    scopes: list[str] = []
    while node.type == "qualified_identifier":
        scope, inner = node.child_by_field_name("scope"), node.child_by_field_name("name")
        if inner is None:
            return None
        if scope is not None:
            scopes.append(text_of(without_arguments(scope)))
        node = inner
    node = without_arguments(node)
    if node.type in OPERATORS:
        return operator(node, tuple(scopes), parameters)
    if node.type not in NAMES or node.is_missing:
        return None
    if node.type == "destructor_name":
        inner = node.named_children[-1] if node.named_children else node
        return Declared(inner, f"~{text_of(inner)}", tuple(scopes), parameters, "destructor")
    return Declared(node, text_of(node), tuple(scopes), parameters, None)


def operator(node: Node, scopes: tuple[str, ...], parameters: Node | None) -> Declared:
    """`operator==`, `operator new`, `operator bool`: what it overloads is its name and counts."""
    end = node.end_byte
    cast = node.child_by_field_name("declarator")
    if cast is not None:
        while cast.type != "abstract_function_declarator" and (inner := inside(cast)) is not None:
            cast = inner
        parameters, end = cast.child_by_field_name("parameters"), cast.start_byte
    text = (node.text or b"")[: end - node.start_byte].decode(errors="replace")
    word = re.sub(r" (?!\w)|(?<!\w) ", "", " ".join(text.removeprefix("operator").split()))
    return Declared(node, "operator" + (f" {word}" if re.match(r"\w", word) else word), scopes, parameters, "operator")


def without_arguments(node: Node) -> Node:
    """The name of a template before its arguments."""
    while node.type in TEMPLATES and (name := node.child_by_field_name("name")) is not None:
        node = name
    return node


def text_of(node: Node) -> str:
    return "".join((node.text or b"").decode(errors="replace").split())


def parameter_types(parameters: Node) -> str:
    """What tells overloads apart: types of parameters, without names and defaults, and what qualifies `this`."""
    types = [type_of(each) for each in parameters.named_children if each.type != "comment"]
    around = parameters.parent
    behind = around.named_children if around is not None else []
    qualifiers = [text_of(each) for each in behind if each.type in {"type_qualifier", "ref_qualifier"}]
    return ",".join(types if types != ["void"] else []) + ";" + " ".join(qualifiers)


def type_of(parameter: Node) -> str:
    declarator, value = parameter.child_by_field_name("declarator"), parameter.child_by_field_name("default_value")
    told = declared(declarator) if declarator is not None else None
    text, start = parameter.text or b"", parameter.start_byte
    if value is not None:
        text = text[: value.start_byte - start].rstrip().removesuffix(b"=")
    if told is not None and told.text.isidentifier():
        text = text[: told.name.start_byte - start] + b" " + text[told.name.end_byte - start :]
    return "".join(text.decode(errors="replace").split())


def is_alone(group: Node, node: Node) -> bool:
    """Whether a declaration is the definition itself: it declares nothing but `node`, and more belongs to that.

    A default value, a bit field's width and hooks stand behind a declarator, the members of a nameless type before it.
    """
    children = group.named_children
    at = next((index for index, child in enumerate(children) if child.id == node.id), len(children))
    same = group.children_by_field_name("declarator") or [child for child in children if child.kind_id == node.kind_id]
    if len(same) > 1:
        return False
    behind = [child for child in children[at + 1 :] if child.type != "comment"]
    types = [child for child in children[:at] if child.child_by_field_name("body") is not None]
    return bool(behind or types) and not any(map(defines_type, types))


def defines_type(node: Node) -> bool:
    """`struct a { … } b;` defines two things beside each other, and the members of an enum are not its variable's."""
    if node.child_by_field_name("body") is None or not node.type.endswith("_specifier"):
        return False
    return node.type == "enum_specifier" or node.child_by_field_name("name") is not None

"""Whether an edit was noticed: what must change did, and what must not did not.

Asks facts only of the text before and after. What a signature is, is told by the names the grammar gives to parts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from anchormem.model import Digest, FileFacts, Symbol
from anchormem.syntax.facts import facts_of
from anchormem.syntax.mutate import Mutation
from anchormem.syntax.places import Subject, is_comment

Telling = Callable[[Symbol], tuple[object, ...]]

CALLABLE: Final = frozenset({"function", "method", "constructor", "destructor", "operator", "accessor"})
TYPES: Final = frozenset({"class", "interface", "trait", "struct", "union", "record", "object"})
VALUES: Final = frozenset({"constant", "variable", "field", "property"})
# What the parts of a definition are called, outermost first to decide.
IN_SIGNATURE: Final = re.compile(
    r"parameter|superclass|decorator|attribute|annotation|modifier|heritage|base_list|base_class|extends|implements"
    r"|return_type|result|storage_class|qualifier|visibility|type_identifier|primitive_type|predefined_type|throws"
)
IN_BODY: Final = frozenset({"body", "consequence", "accessors", "initializer"})
OF_ANOTHER: Final = re.compile(r"catch|const_spec$")  # of a block inside; of the constant that this one repeats
BODIES: Final = frozenset({"field_initializer_list"})  # kinds without a field of their own
DECLARATION: Final = re.compile(r"(declaration|type_definition|export_statement|decorated_definition)$")
ONE_OF_SEVERAL: Final = re.compile(r"(spec|alias|declarator|element)$")
ATTRIBUTE: Final = re.compile(r"^(attribute_item|attribute_list|decorator|annotation)$")
VALUE_FIELDS: Final = frozenset({"value", "right", "default_value"})
FUNCTIONS: Final = re.compile(r"function|lambda|arrow|closure|class|parenthesized|method")


@dataclass(frozen=True, slots=True)
class Miss:
    """A definition (or, with no name, the file) whose digest stayed where it should have changed, or changed where
    it should have stayed."""

    qualified: str
    digest: str  # body | signature | file | doc

    def __str__(self) -> str:
        return f"{self.digest} of {self.qualified or 'the file'}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`sound` False: the mutant does not parse, nothing is proved. `held`: the definitions around the edit that were
    judged, inner before outer; `signatures`: how many signatures it had to change."""

    sound: bool
    held: tuple[Symbol, ...] = ()
    signatures: int = 0
    misses: tuple[Miss, ...] = ()


UNSOUND: Final = Verdict(sound=False)


@dataclass(frozen=True, slots=True)
class Bench:
    """A subject with its facts, for many mutations. `shared`: spans that stand outside a declarator and are of it."""

    subject: Subject
    facts: FileFacts
    shared: tuple[tuple[Symbol, tuple[tuple[int, int], ...]], ...]


def bench_of(subject: Subject) -> Bench | None:
    """None where anchormem sees errors in what the grammar alone takes for sound."""
    facts = facts_of(subject.source, subject.language)
    if facts.error_bytes or facts.normal is None:
        return None
    shared = ((symbol, tuple(shared_with(subject.root, symbol))) for symbol in facts.symbols)
    return Bench(subject, facts, tuple((symbol, spans) for symbol, spans in shared if spans))


def shared_with(root: Node, symbol: Symbol) -> Iterator[tuple[int, int]]:
    """Of a definition: the attributes before it; of one declarator of several: what the declaration says of all."""
    node = root.descendant_for_byte_range(symbol.start_byte, symbol.end_byte)
    if node is None or (node.start_byte, node.end_byte) != (symbol.start_byte, symbol.end_byte):
        return
    yield from before(node)
    while node.parent is not None and DECLARATION.search(node.parent.type):
        for index, child in enumerate(node.parent.children):
            named = node.parent.field_name_for_child(index)
            if child.type == node.type or named == "declarator" or ONE_OF_SEVERAL.search(child.type):
                break
            if not is_comment(child):
                yield child.start_byte, child.end_byte
        node = node.parent


def before(node: Node) -> Iterator[tuple[int, int]]:
    """Siblings that say something of what follows them: attributes and decorators."""
    sibling = node.prev_named_sibling
    while sibling is not None and (is_comment(sibling) or ATTRIBUTE.search(sibling.type)):
        if not is_comment(sibling):
            yield sibling.start_byte, sibling.end_byte
        sibling = sibling.prev_named_sibling


def sharing(bench: Bench, mutation: Mutation) -> list[Symbol]:
    start, end = mutation.start, mutation.end
    return [symbol for symbol, spans in bench.shared if any(first <= start and end <= last for first, last in spans)]


def judge(bench: Bench, mutation: Mutation) -> Verdict:
    after = facts_of(mutation.of(bench.subject.source), bench.subject.language)
    if after.error_bytes or after.normal is None:
        return UNSOUND
    if mutation.aim != "code":
        return Verdict(sound=True, misses=tuple(flipped(bench.facts, after, mutation)))
    around = holding(bench.facts.symbols, mutation)
    if mutation.how == "drop":  # what is gone itself may go on in its neighbour: members without a value of their own
        around = [symbol for symbol in around if any(symbol.qualified == found.qualified for found in after.symbols)]
    beside = [symbol for symbol in sharing(bench, mutation) if symbol not in around]
    held = [symbol for symbol in around if not renamed(symbol, bench.facts, after)]
    signed = list(signatures(bench.subject, held, mutation))
    held += [symbol for symbol in beside if not renamed(symbol, bench.facts, after)]
    misses = [Miss(symbol.qualified, "body") for symbol in held if stayed(bodies, symbol, bench.facts, after)]
    misses += [Miss(symbol.qualified, "signature") for symbol in signed if stayed(headed, symbol, bench.facts, after)]
    misses += [Miss("", "file")] * (after.normal == bench.facts.normal)
    return Verdict(sound=True, held=tuple(held), signatures=len(signed), misses=tuple(misses))


def holding(symbols: Iterable[Symbol], mutation: Mutation) -> list[Symbol]:
    """The definitions that hold an edit and more than it, inner before outer."""
    start, end = mutation.start, mutation.end
    around = [
        s for s in symbols if s.start_byte <= start and end <= s.end_byte and (s.start_byte < start or end < s.end_byte)
    ]
    return sorted(around, key=lambda symbol: symbol.end_byte - symbol.start_byte)


def bodies(symbol: Symbol) -> tuple[object, ...]:
    return (symbol.body,)


def headed(symbol: Symbol) -> tuple[object, ...]:
    return (symbol.qualified, symbol.signature)


def stayed(told: Telling, symbol: Symbol, before: FileFacts, after: FileFacts) -> bool:
    """Whether the mutant has as many definitions with this digest as there were: none of them was noticed to change."""
    wanted = told(symbol)
    return count(told, wanted, after) >= count(told, wanted, before)


def count(told: Telling, wanted: tuple[object, ...], facts: FileFacts) -> int:
    return sum(told(symbol) == wanted for symbol in facts.symbols)


def renamed(symbol: Symbol, before: FileFacts, after: FileFacts) -> bool:
    """Whether the edit gave a definition, or one around it, another name: that is followed, not stale."""
    then, now = (Counter(found.qualified for found in facts.symbols) for facts in (before, after))
    return now[symbol.qualified] < then[symbol.qualified] and any(
        found.start_byte <= symbol.start_byte < found.end_byte and now[found.qualified] > then[found.qualified]
        for found in after.symbols
    )


def flipped(before: FileFacts, after: FileFacts, mutation: Mutation) -> Iterator[Miss]:
    """What an edit of comments or documentation must leave alone."""
    for name, told in (("body", bodies), ("signature", headed)):
        gone = Counter(map(told, before.symbols)) - Counter(map(told, after.symbols))
        yield from (Miss(s.qualified, name) for s in before.symbols if told(s) in gone)
    if before.normal != after.normal:
        yield Miss("", "file")
    if mutation.aim == "documentation" and docs(before) == docs(after) and holding(before.symbols, mutation):
        yield Miss("", "doc")


def docs(facts: FileFacts) -> list[Digest | None]:
    return [symbol.doc for symbol in facts.symbols]


# ── signatures ──────────────────────────────────────────────────────────────────────────────────────────────────────


def signatures(subject: Subject, held: list[Symbol], mutation: Mutation) -> Iterator[Symbol]:
    """The definitions whose signature an edit must change: those it is in, and the types these are members of."""
    inner: Symbol | None = None
    for symbol in held:
        member = inner is not None and inner.qualified.rpartition(".")[0] == symbol.qualified
        if in_signature(subject, symbol, mutation) or (member and symbol.kind in TYPES):
            yield symbol
            inner = symbol


def in_signature(subject: Subject, symbol: Symbol, mutation: Mutation) -> bool:
    """Whether an edit lies in parameters, defaults, types, decorators, modifiers or bases; False when not certain."""
    if symbol.kind not in CALLABLE | TYPES | VALUES or symbol.signature is None or mutation.how == "swap":
        return False
    for part, field in parts(subject.root, symbol, mutation):
        if (
            field in IN_BODY
            or part.type in BODIES
            or OF_ANOTHER.match(part.type)
            or (field in VALUE_FIELDS and not FUNCTIONS.search(part.type))
        ):
            return False
        if symbol.kind not in CALLABLE and (field in VALUE_FIELDS or part.type.endswith("expression")):
            return False
        if IN_SIGNATURE.search(field or "") or (field == "type" and symbol.kind in CALLABLE | VALUES):
            return True
        if IN_SIGNATURE.search(part.type):
            return True
    return False


def parts(root: Node, symbol: Symbol, mutation: Mutation) -> Iterator[tuple[Node, str | None]]:
    """From a definition down to the edit: each node with the field it has in its parent."""
    end = max(mutation.end, mutation.start + 1)
    node = root
    while True:
        inside = next(
            (
                (child, node.field_name_for_child(index))
                for index, child in enumerate(node.children)
                if child.start_byte <= mutation.start and end <= child.end_byte
            ),
            None,
        )
        if inside is None:
            return
        node = inside[0]
        if (
            symbol.start_byte <= node.start_byte
            and node.end_byte <= symbol.end_byte
            and (node.start_byte, node.end_byte) != (symbol.start_byte, symbol.end_byte)
        ):
            yield inside

"""Definitions as the plan finds them and the walk fills them in, and what a plan tells the walk.

Values only: knows neither how they are found nor how they are hashed.
"""

import functools
import itertools
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import xxhash
from tree_sitter import Node

from anchormem.model import Import, Reference

CALLABLE: Final = frozenset({"function", "method", "constructor", "destructor", "accessor", "operator", "macro"})
TYPES: Final = frozenset(
    {"class", "interface", "trait", "struct", "union", "enum", "record", "object", "type", "scope"}
)
CONTAINER: Final = TYPES | {"namespace", "module"}
VALUE: Final = frozenset({"variable", "constant", "field", "property"})
LENDING: Final = frozenset({"scope", "lends"})  # no symbols themselves
PROSE: Final = frozenset({"section", "key"})  # their names may hold blanks

Span = tuple[int, int]


@dataclass(slots=True, eq=False)
class Frame:
    """A definition, a scope (no symbol of its own: Rust `impl`), what only lends its head (`extern "C" { }`) or a group
    (a declaration shared by declarators).

    The plan fills the first part, the walk the second: positions in its stream.
    """

    kind: str
    node: Node
    names: list[bytes] = field(default_factory=list)
    name_nodes: list[Node] = field(default_factory=list)
    name_starts: set[int] = field(default_factory=set)  # where those begin
    kept: set[int] = field(default_factory=set)  # name nodes that say more than the name: the key in `const {a} = b`
    name_paths: list[str] = field(default_factory=list)  # names with their qualifier, dotted
    cover: Node | None = None
    tag: str = ""
    parameters: Node | None = None
    body: list[Node] = field(default_factory=list)
    has_value: bool = False
    chained: bool = False
    owner: "Frame | None" = None  # the class a qualifier names: around the definition, though not in the text
    selves: set[bytes] = field(default_factory=set)  # what it calls the object it works on
    parent: "Frame | None" = None  # the enclosing definition or scope; groups are skipped
    group: "Frame | None" = None
    prefix: str = ""
    depth: int = 0  # definitions and scopes around it
    level: int = -1  # nodes around it
    outward: bool = False  # belongs to the definition around the one it stands in
    declared: bool = False  # its name was found in a declarator
    locals: set[bytes] = field(default_factory=set)

    start: int = 0
    reach_start: int = 0  # of the first member its value follows from
    end: int = 0
    codes: Span = (0, 0)
    texts: Span = (0, 0)
    children: "list[Frame]" = field(default_factory=list)
    regions: list[tuple[Span, Span]] = field(default_factory=list)  # bodies as (codes, texts)
    extras: list[tuple[Span, Span]] = field(default_factory=list)  # here-documents it opens, elsewhere in the stream
    extra_bytes: list[Span] = field(default_factory=list)
    label: bytes = b""
    docs: list[Span] = field(default_factory=list)
    previous: "Frame | None" = None  # the member before it, where its value follows from that
    damaged: bool = False
    is_open: bool = False
    names_sum: int | None = None

    def add_name(self, node: Node, name: str, path: str, *, kept: bool = False) -> None:
        """One more name; `kept`: its token counts all the same."""
        self.name_nodes.append(node)
        self.name_starts.add(node.start_byte)
        self.names.append(name.encode())
        self.name_paths.append(path)
        if kept:
            self.kept.add(node.id)

    def names_digest(self) -> int:
        """All names with their places, as the exclusive or of `placed`: one can be taken out again."""
        if self.names_sum is None:
            self.names_sum = functools.reduce(operator.xor, itertools.starmap(placed, enumerate(self.names)))
        return self.names_sum

    def told_names(self) -> list[bytes]:
        """What its parent calls it: its names with what qualifies them."""
        return [path.encode() for path in self.name_paths]

    def lenders(self) -> "Iterator[Frame]":
        """Those around it without a symbol, whose head says what its members mean: from the inside."""
        around = self.parent if self.parent is not self.owner or self.parent is None else self.parent.parent
        while around is not None and around.kind in LENDING and around.body:
            yield around
            around = around.parent

    @property
    def qualified(self) -> str:
        """Of its first name: what children are qualified with."""
        return join(self.prefix, self.name_paths[0]) if self.name_paths else self.prefix


class Base(NamedTuple):
    frame: Frame
    base: str
    rel: str
    line: int


@dataclass(slots=True)
class Mark:
    """Everything the walk must know on arriving at one node."""

    opens: list[Frame] = field(default_factory=list)
    name_of: Frame | None = None
    name_index: int = 0
    body_of: list[Frame] = field(default_factory=list)
    doc: bool = False
    directive: bool = False
    attribute: bool = False
    label: bool = False


@dataclass(slots=True)
class Plan:
    frames: list[Frame]  # in source order, outer before inner, groups included
    marks: Mapping[int, Mark]  # by node id
    marked: frozenset[int]  # the start bytes of marked nodes: cheaper to ask than a node's id
    references: list[Reference]
    imports: list[Import]
    bases: list[Base]


def placed(index: int, name: bytes) -> int:
    return xxhash.xxh3_128_intdigest(index.to_bytes(4, "little") + name)


def join(*parts: str) -> str:
    return ".".join(part for part in parts if part)

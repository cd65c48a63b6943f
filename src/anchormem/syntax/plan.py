"""What the queries of a language find in one tree, nested: definitions with their parents and names, uses, imports.

Made before the walk, so that the walk knows at each identifier which names are shadowed. Hashes nothing.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import tree_sitter
from tree_sitter import Node

from anchormem.model import Import
from anchormem.syntax.declarators import Declared, declared, is_alone
from anchormem.syntax.recipe import ERROR_KIND, Recipe

CALLABLE: Final = frozenset({"function", "method", "constructor", "destructor", "accessor", "operator", "macro"})
CONTAINER: Final = frozenset(
    {
        "class",
        "interface",
        "trait",
        "struct",
        "union",
        "enum",
        "record",
        "namespace",
        "module",
        "object",
        "type",
        "scope",
    }
)
VALUE: Final = frozenset({"variable", "constant", "field", "property"})

Span = tuple[int, int]
Matches = list[tuple[int, dict[str, list[Node]]]]


@dataclass(slots=True, eq=False)
class Frame:
    """A definition, a scope (no symbol of its own: Rust `impl`) or a group (a declaration shared by declarators).

    The plan fills the first part, the walk the second: positions in its stream.
    """

    kind: str
    node: Node
    pattern: int = 0
    names: list[bytes] = field(default_factory=list)
    name_nodes: list[Node] = field(default_factory=list)
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

    def told_names(self) -> list[bytes]:
        """What its parent calls it: its names with what qualifies them."""
        return [path.encode() for path in self.name_paths]

    def name_starts(self) -> list[int]:
        return [node.start_byte for node in self.name_nodes]

    @property
    def qualified(self) -> str:
        """Of its first name: what children are qualified with."""
        return join(self.prefix, self.name_paths[0]) if self.name_paths else self.prefix


@dataclass(frozen=True, slots=True)
class Use:
    name: str
    receiver: str
    start: int
    line: int
    within: str


@dataclass(frozen=True, slots=True)
class Base:
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
    uses: list[Use]
    imports: list[Import]
    bases: list[Base]


def join(*parts: str) -> str:
    return ".".join(part for part in parts if part)


@dataclass(slots=True)
class Found:
    """The raw harvest of one query run."""

    frames: dict[int, Frame] = field(default_factory=dict)  # by definition node
    groups: dict[int, Frame] = field(default_factory=dict)
    covers: dict[int, Node] = field(default_factory=dict)
    locals: list[Node] = field(default_factory=list)
    fences: dict[int, Node] = field(default_factory=dict)
    calls: list[tuple[Node, Node | None]] = field(default_factory=list)
    imports: dict[int, tuple[Node, str, list[str]]] = field(default_factory=dict)
    bases: list[tuple[int, Node, str]] = field(default_factory=list)  # deriving node, base, relation
    rest: list[tuple[int, str]] = field(default_factory=list)  # file-scoped namespaces: start, name
    marks: dict[int, Mark] = field(default_factory=dict)
    marked: set[int] = field(default_factory=set)

    def mark(self, node: Node) -> Mark:
        found = self.marks.get(node.id)
        if found is None:
            found = self.marks[node.id] = Mark()
            self.marked.add(node.start_byte)
        return found


def make_plan(root: Node, source: bytes, recipe: Recipe) -> Plan:
    query = recipe.language.query
    found = Found()
    for pattern, captures in tree_sitter.QueryCursor(query).matches(root):
        collect(found, pattern, captures, query, source, recipe)
    return nest(found, source, recipe)


def collect(
    found: Found, pattern: int, captures: dict[str, list[Node]], query: tree_sitter.Query, source: bytes, recipe: Recipe
) -> None:
    if "local" in captures:
        found.locals += captures["local"]
        return
    if "reference.call" in captures:
        receiver = captures.get("receiver")
        found.calls.append((captures["reference.call"][0], receiver[0] if receiver else None))
        return
    for name in captures:
        if name.startswith("definition.") or name == "scope":
            kind = name.removeprefix("definition.")
            for node in captures[name]:
                add_frame(found, kind, node, pattern, captures, query.pattern_settings(pattern), source, recipe)
        elif name in COLLECTORS:
            COLLECTORS[name](found, captures)
        elif name in {"attribute", "directive", "label", "doc"}:
            for node in captures[name]:
                setattr(found.mark(node), name, True)
        elif name == "doc.first":
            for node in captures[name]:
                found.mark(node).doc |= is_first_of_several(node, recipe)
        elif name == "scope.rest":
            found.rest.append((captures[name][0].end_byte, dotted(text_of(captures["name"][0], source), recipe)))
        elif name.startswith("inherit."):
            for node in captures[name]:
                found.bases.append((captures["derived"][0].id, node, name.removeprefix("inherit.")))
    if "import.module" in captures or "import.name" in captures:
        collect_import(found, captures, source)


def collect_cover(found: Found, captures: dict[str, list[Node]]) -> None:
    for node in captures["covered"]:
        found.covers[node.id] = captures["cover"][0]


def collect_fence(found: Found, captures: dict[str, list[Node]]) -> None:
    for node in captures["fence"]:
        found.fences[node.id] = node


COLLECTORS: Final = {"cover": collect_cover, "fence": collect_fence}


def collect_import(found: Found, captures: dict[str, list[Node]], source: bytes) -> None:
    """Matches of one statement gather under its `@import` node, or under the module's node where there is none."""
    modules = captures.get("import.module", [])
    names = [text_of(node, source) for node in captures.get("import.name", [])]
    owner = captures.get("import", modules)[0]
    module = text_of(modules[0], source).strip("\"'<>`") if modules else ""
    known = found.imports.setdefault(owner.id, (owner, module, []))
    known[2].extend(name for name in names if name not in known[2])


def is_first_of_several(node: Node, recipe: Recipe) -> bool:
    """A docstring counts as code where nothing else is in the body."""
    parent = node.parent
    if parent is None:
        return False
    comments = {k for word in recipe.language.lists.get("hash.skip", ()) for k in recipe.kinds[word]}
    statements = [child for child in parent.named_children if child.kind_id not in comments]
    return len(statements) > 1 and statements[0].id == node.id


def text_of(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="replace")


PROSE = frozenset({"section", "key"})  # their names may hold blanks


def dotted(name: str, recipe: Recipe) -> str:
    """A name as the language writes it, with dots between its parts and without blanks."""
    name = "".join(name.split())
    separator = recipe.language.separator
    return name.strip(separator).replace(separator, ".") if separator != "." else name


def add_frame(
    found: Found,
    kind: str,
    node: Node,
    pattern: int,
    captures: dict[str, list[Node]],
    settings: Mapping[str, str | None],
    source: bytes,
    recipe: Recipe,
) -> None:
    """A match makes a frame or adds to the one of its node; the earliest pattern of the file tells the kind."""
    spelled = captures.get("declarator.function") or captures.get("declarator.value")
    told = declared(spelled[0]) if spelled else None
    if spelled and (told is None or (told.parameters is not None) != ("declarator.function" in captures)):
        return
    if "alone" in settings and "group" in captures and is_alone(captures["group"][0], node):
        node, captures = captures["group"][0], {k: v for k, v in captures.items() if k != "group"}
    if told is not None:
        kind = told.kind or kind
    frame = found.frames.get(node.id)
    if frame is None:
        frame = found.frames[node.id] = Frame(kind, node, pattern)
    elif pattern < frame.pattern:
        if kind != frame.kind:
            frame.body, frame.has_value, frame.parameters = [], False, None
        frame.kind, frame.pattern = kind, pattern
    qualifier = "".join(dotted(text_of(n, source), recipe) for n in captures.get("qualifier", [])[:1])
    if told is not None:
        qualifier = join(*told.scopes)
        name_declared(frame, told, qualifier)
    kept = captures.get("name.kept", [])
    for name in captures.get("name", []) + kept:
        if all(name.id != known.id for known in frame.name_nodes):
            text = text_of(name, source).strip("\"'`")
            shown = " ".join(text.split()) if kind in PROSE else dotted(text.lstrip(":"), recipe)
            written = (settings.get("prefix") or "") + shown
            frame.name_nodes.append(name)
            frame.kept.update(n.id for n in kept)
            frame.names.append(written.rpartition(".")[2].encode())
            frame.name_paths.append(join(qualifier, written))
    for key in ("body", "value") if kind == frame.kind else ():
        for region in captures.get(key, []):
            if all(region.id != known.id for known in frame.body):
                frame.body.append(region)
    if qualifier and frame.owner is None:
        frame.owner = Frame("scope", node, names=[qualifier.rpartition(".")[2].encode()])
    frame.selves.update(source[n.start_byte : n.end_byte] for n in captures.get("self", []))
    frame.has_value |= "value" in captures and kind == frame.kind
    frame.chained |= "chained" in settings
    if kind == frame.kind:
        frame.parameters = frame.parameters or next(iter(captures.get("parameters", [])), None)
        frame.parameters = frame.parameters or (told.parameters if told is not None else None)
    frame.outward |= "outward" in settings
    if not frame.tag:
        tags = [text_of(n, source) for n in captures.get("tag", [])]
        frame.tag = " ".join(" ".join(tags).split()) or settings.get("tag") or ""
    if "group" in captures:
        group = captures["group"][0]
        frame.group = found.groups.setdefault(group.id, Frame("group", group))


def name_declared(frame: Frame, told: Declared, qualifier: str) -> None:
    if any(told.name.id == known.id for known in frame.name_nodes):
        return
    frame.declared = True
    frame.name_nodes.append(told.name)
    if told.kind == "operator":
        frame.kept.add(told.name.id)
    frame.names.append(told.text.encode())
    frame.name_paths.append(join(qualifier, told.text))


# ── nesting ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def outermost(node: Node, covers: Mapping[int, Node]) -> Node:
    while (cover := covers.get(node.id)) is not None:
        node = cover
    return node


def nest(found: Found, source: bytes, recipe: Recipe) -> Plan:
    """One sweep in source order gives every definition its parent and every use its definition."""
    for frame in (*found.frames.values(), *found.groups.values()):
        frame.cover = outermost(frame.node, found.covers) if frame.group is None else frame.node
    names = {name for frame in found.frames.values() for name in frame.names}
    events: list[tuple[int, int, int, object]] = []
    for frame in found.groups.values():
        events.append((frame.cover.start_byte, -frame.cover.end_byte, 0, frame))  # type: ignore[union-attr] # set above
    for frame in found.frames.values():
        events.append((frame.cover.start_byte, -frame.cover.end_byte, 1, frame))  # type: ignore[union-attr] # set above
    events += [(node.start_byte, -node.end_byte, 2, node) for node in found.fences.values()]
    events += [(node.start_byte, 0, 3, (node, receiver)) for node, receiver in found.calls]
    for node in found.locals:
        name = source[node.start_byte : node.end_byte]
        if name in names:
            events.append((node.start_byte, 0, 4, name))
    events += [(start, 0, 5, name) for start, name in found.rest]
    events.sort(key=lambda event: event[:3])
    return Sweep(found, source).run(events, recipe)


TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")


def without_arguments(base: str) -> str:
    """`Util.Closer<List<T>>` as `Util.Closer`."""
    while base != (shorter := TYPE_ARGUMENTS.sub("", base)):
        base = shorter
    return base


class Sweep:
    """The stack of open definitions while events go by in source order."""

    def __init__(self, found: Found, source: bytes) -> None:
        self.found = found
        self.source = source
        self.open: list[tuple[int, Frame | None]] = []  # (end, frame); None: a fence
        self.frames: list[Frame] = []
        self.uses: list[Use] = []
        self.rest = ""

    def run(self, events: list[tuple[int, int, int, object]], recipe: Recipe) -> Plan:
        for start, end, order, what in events:
            while self.open and self.open[-1][0] <= start:
                self.open.pop()
            if order <= 1:
                assert isinstance(what, Frame)
                self.enter(what, -end)
            elif order == 2:
                self.open.append((-end, None))
            elif order == 3:
                assert isinstance(what, tuple)
                self.use(*what)
            elif order == 4:
                assert isinstance(what, bytes)
                around = self.around()
                if around is not None and around.kind not in CONTAINER and start not in around.name_starts():
                    around.locals.add(what)
            else:
                self.rest = str(what)
        bases = list(self.bases())
        imports = [
            Import(module, tuple(names), node.start_point.row + 1)
            for node, module, names in self.found.imports.values()
        ]
        self.mark_frames()
        return Plan(self.frames, self.found.marks, frozenset(self.found.marked), self.uses, imports, bases)

    def around(self) -> Frame | None:
        """The innermost definition or scope."""
        return next((f for _, f in reversed(self.open) if f is not None and f.kind != "group"), None)

    def is_local(self) -> bool:
        """Whether a value defined here belongs to a running function, named or not."""
        nearest = next((f for _, f in reversed(self.open) if f is None or f.kind != "group"), None)
        return bool(self.open) and (nearest.kind in CALLABLE if nearest else any(f is None for _, f in self.open))

    def enter(self, frame: Frame, end: int) -> None:
        if frame.kind == "group":
            frame.parent = self.around()
            frame.depth = frame.parent.depth + 1 if frame.parent else 0
            self.open.append((end, frame))
            self.frames.append(frame)
            return
        parent = self.around()
        is_value = frame.kind in VALUE or (frame.declared and not frame.body)
        if is_value and not frame.outward and self.is_local():
            if parent is not None:
                parent.locals.update(frame.names)
            return
        frame.parent = parent
        frame.depth = parent.depth + 1 if parent else 0
        frame.prefix = parent.qualified if parent else self.rest
        if frame.owner is not None:
            frame.owner.parent, frame.owner.depth = parent, frame.depth
            frame.parent, frame.depth = frame.owner, frame.depth + 1
        if frame.declared:
            name_by_class(frame, frame.owner or parent)
        if frame.outward and parent is not None:
            frame.prefix, parent = parent.prefix, parent.parent
        if parent is not None and parent.kind in VALUE and self.is_value_of(frame, parent):
            frame.prefix, parent = parent.prefix, parent.parent  # `a = b = 1` defines both beside each other
        if parent is not None:
            frame.tag = frame.tag or (parent.tag if parent.kind == "scope" else "")
            if parent.kind in CALLABLE:
                parent.locals.update(frame.names)
            if parent.kind in CONTAINER - {"namespace", "module"}:
                frame.kind = {"function": "method", "variable": "field"}.get(frame.kind, frame.kind)
        self.open.append((end, frame))
        self.frames.append(frame)

    def is_value_of(self, frame: Frame, parent: Frame) -> bool:
        """Whether a definition is itself the value of another, in parentheses or not."""
        before = (self.source[region.start_byte : frame.node.start_byte] for region in parent.body)
        return any(not text.strip(b"( \t\n") for text in before)

    def use(self, node: Node, receiver: Node | None) -> None:
        around = self.around()
        self.uses.append(
            Use(
                name=text_of(node, self.source),
                receiver=" ".join(text_of(receiver, self.source).split())[:200] if receiver else "",
                start=node.start_byte,
                line=node.start_point.row + 1,
                within=around.qualified if around else "",
            )
        )

    def bases(self) -> Iterator[Base]:
        for deriving, node, rel in self.found.bases:
            frame = self.found.frames.get(deriving)
            if frame is not None and frame.name_paths:
                written = without_arguments("".join(text_of(node, self.source).split()))
                yield Base(frame, written, rel, node.start_point.row + 1)

    def mark_frames(self) -> None:
        grouped = {id(frame.group) for frame in self.frames if frame.group is not None}
        for frame in self.frames:
            if frame.kind == "group" and id(frame) not in grouped:
                continue
            assert frame.cover is not None
            self.found.mark(frame.cover).opens.append(frame)
            for index, node in enumerate(frame.name_nodes):
                if node.id in frame.kept:
                    continue
                mark = self.found.mark(node)
                mark.name_of, mark.name_index = frame, index
            for node in frame.body:
                self.found.mark(node).body_of.append(frame)


def name_by_class(frame: Frame, around: Frame | None) -> None:
    """A function qualified with a class is its method, one of the same name its constructor."""
    if frame.kind == "function" and around is not None and around.kind in CONTAINER and frame.names[0] in around.names:
        frame.kind = "constructor"
    if frame.owner is not None:
        frame.kind = {"function": "method", "variable": "field"}.get(frame.kind, frame.kind)


def damaged(node: Node) -> bool:
    return bool(node.has_error) or node.kind_id == ERROR_KIND

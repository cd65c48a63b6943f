"""What the walk is to find, nested: definitions with their parents and qualified names, and which names they shadow.

Made before the walk, so that the walk knows at each identifier what it refers to. Hashes nothing.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from anchormem.model import Import, Reference
from anchormem.syntax.frames import CALLABLE, CONTAINER, TYPES, VALUE, Base, Frame, Plan
from anchormem.syntax.harvest import Bundle, Harvest, harvest
from anchormem.syntax.recipe import Recipe

# What may begin at one byte, in the order it is met there.
BUNDLE, FENCE, CALL, LOCAL, REST = range(5)
Event = tuple[int, int, int, int, object]  # start, −end, which of the above, a tie-breaker, the thing itself

TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
LONGEST_RECEIVER: Final = 200
LONGEST_BASE: Final = 1000
DEEPEST: Final = 50  # definitions nested deeper are code of the one around: names grow with every level
IN_A_CLASS: Final = {"function": "method", "variable": "field"}


def make_plan(root: Node, source: bytes, recipe: Recipe) -> Plan:
    """One query and one sweep in source order: every definition has its parent, every use its definition."""
    found = harvest(root, source, recipe)
    sweep = Sweep(found)
    sweep.run(events_of(found))
    sweep.mark_frames()
    imports = [Import(module, tuple(names), node.start_point.row + 1) for node, module, names in found.imports.values()]
    return Plan(sweep.frames, found.marks, frozenset(found.marked), sweep.references, imports, list(sweep.bases()))


def outermost(node: Node, found: Harvest) -> Node:
    """A node with its wrappers."""
    return deque(found.wrapped(node), maxlen=1)[0]


def events_of(found: Harvest) -> list[Event]:
    events: list[Event] = []
    names: set[bytes] = set()
    for bundle in found.bundles.values():
        cover = bundle.node if bundle.group is not None else outermost(bundle.node, found)
        events.append((cover.start_byte, -cover.end_byte, BUNDLE, len(events), bundle))
        names |= bundle.names(found.source)
        names.update(match.told.text.encode() for match in bundle.matches if match.told is not None)
    for node in found.fences.values():
        events.append((node.start_byte, -node.end_byte, FENCE, len(events), None))
    for call in found.calls:
        events.append((call[0].start_byte, 0, CALL, len(events), call))
    for node in found.locals:
        start = node.start_byte
        bound = found.source[start : node.end_byte]
        if bound in names:
            events.append((start, 0, LOCAL, len(events), bound))
    for start, name in found.rest:
        events.append((start, 0, REST, len(events), name))
    events.sort()
    return events


class Sweep:
    """The stack of open definitions while events go by in source order."""

    def __init__(self, found: Harvest) -> None:
        self.found = found
        self.open: list[tuple[int, bool, Frame | None]] = []  # end, whether it is a fence, the innermost frame
        self.frames: list[Frame] = []
        self.groups: dict[int, Frame] = {}
        self.built: dict[int, Frame] = {}  # by definition node
        self.references: list[Reference] = []
        self.rest = ""

    def run(self, events: list[Event]) -> None:
        for start, end, what, _, thing in events:
            while self.open and self.open[-1][0] <= start:
                self.open.pop()
            if isinstance(thing, Bundle):
                self.enter(thing, -end)
            elif what == FENCE:
                self.open.append((-end, True, self.around()))
            elif isinstance(thing, tuple):
                self.use(*thing)
            elif isinstance(thing, bytes):
                around = self.around()
                if around is not None and around.kind not in CONTAINER and start not in around.name_starts:
                    around.locals.add(thing)
            else:
                self.rest = str(thing)

    def around(self) -> Frame | None:
        """The innermost definition or scope."""
        return self.open[-1][2] if self.open else None

    def is_local(self) -> bool:
        """Whether a value defined here belongs to a running function, named or not."""
        if not self.open:
            return False
        _, is_fence, frame = self.open[-1]
        return is_fence or (frame is not None and frame.kind in CALLABLE)

    def enter(self, bundle: Bundle, end: int) -> None:
        parent = self.around()
        if parent is not None and parent.depth >= DEEPEST:
            return
        if self.is_local() and bundle.is_plain_value():
            if parent is not None:
                parent.locals |= bundle.names(self.found.source)
            return
        frame = self.found.frame(bundle)
        is_value = frame.kind in VALUE or (frame.declared and not frame.body)
        if is_value and not frame.outward and self.is_local():
            if parent is not None:
                parent.locals.update(frame.names)
            return
        frame.cover = frame.node if bundle.group is not None else outermost(frame.node, self.found)
        frame.group = self.group(bundle.group, parent) if bundle.group is not None else None
        self.nest(frame, parent)
        self.built[bundle.node.id] = frame
        self.open.append((end, False, frame))
        self.frames.append(frame)

    def group(self, node: Node, parent: Frame | None) -> Frame:
        """The declaration that several declarators share, with its wrappers."""
        known = self.groups.get(node.id)
        if known is None:
            depth = parent.depth + 1 if parent is not None else 0
            known = Frame("group", node, cover=outermost(node, self.found), parent=parent, depth=depth)
            self.groups[node.id] = known
            self.frames.append(known)
        return known

    def nest(self, frame: Frame, parent: Frame | None) -> None:
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
            if parent.kind in TYPES:
                frame.kind = IN_A_CLASS.get(frame.kind, frame.kind)

    def is_value_of(self, frame: Frame, parent: Frame) -> bool:
        """Whether a definition is itself the value of another, in parentheses or not."""
        before = (self.found.source[region.start_byte : frame.node.start_byte] for region in parent.body)
        return any(not text.strip(b"( \t\n") for text in before)

    def use(self, node: Node, receiver: Node | None) -> None:
        around, source = self.around(), self.found.source
        said = ""
        if receiver is not None:
            start = receiver.start_byte
            said = source[start : min(receiver.end_byte, start + 2 * LONGEST_RECEIVER)].decode(errors="replace")
            if not said.isidentifier():
                said = " ".join(said.split())[:LONGEST_RECEIVER]
        self.references.append(
            Reference(
                name=self.found.text(node),
                receiver=said,
                line=node.start_point.row + 1,
                within=around.qualified if around is not None else "",
            )
        )

    def bases(self) -> Iterator[Base]:
        for deriving, node, rel in self.found.bases:
            frame = self.built.get(deriving)
            if frame is not None and frame.name_paths:
                written = without_arguments("".join(self.found.text(node).split()))
                yield Base(frame, written, rel, node.start_point.row + 1)

    def mark_frames(self) -> None:
        for frame in self.frames:
            self.found.mark(frame.cover or frame.node).opens.append(frame)
            for index, node in enumerate(frame.name_nodes):
                if node.id not in frame.kept:
                    mark = self.found.mark(node)
                    mark.name_of, mark.name_index = frame, index
            for node in frame.body:
                self.found.mark(node).body_of.append(frame)


def name_by_class(frame: Frame, around: Frame | None) -> None:
    """A function qualified with a class is its method, one of the same name its constructor."""
    if frame.kind == "function" and around is not None and around.kind in CONTAINER and frame.names[0] in around.names:
        frame.kind = "constructor"
    if frame.owner is not None:
        frame.kind = IN_A_CLASS.get(frame.kind, frame.kind)


def without_arguments(base: str) -> str:
    """`Util.Closer<List<T>>` as `Util.Closer`."""
    base = base[:LONGEST_BASE]
    while base != (shorter := TYPE_ARGUMENTS.sub("", base)):
        base = shorter
    return base

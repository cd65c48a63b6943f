"""Own names: which identifiers refer to a definition around them, and are said as how far outwards that is.

`depth` counts definitions and scopes; groups are none. Shadowing was settled by the plan.
"""

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from anchormem.syntax.frames import CALLABLE, CONTAINER, Frame
from anchormem.syntax.items import Made
from anchormem.syntax.recipe import OWN, Recipe
from anchormem.syntax.stream import Stream

ANY_FIELD: Final = "*"
NOWHERE: Final = (-1,)
LONGEST_NAME: Final = 200  # of a receiver that may be an object's own
SAME_NAMES: Final = 4  # how many enclosing definitions of one name are tried as the member meant


class Names:
    """The names of the open definitions. `opened`: the nodes around the walk's place, innermost last."""

    def __init__(self, source: bytes, recipe: Recipe, out: Stream, opened: list[Node | Made]) -> None:
        self.source = source
        self.recipe = recipe
        self.out = out
        self.opened = opened
        self.active: dict[bytes, list[Frame]] = {}  # open definitions by name, innermost last
        self.shadows: dict[bytes, list[int]] = {}  # depths of open definitions that bind the name otherwise
        self.depths = [0]

    def enter(self, frame: Frame) -> None:
        for name, named in names_of(frame):
            self.active.setdefault(name, []).append(named)
        for name in frame.locals:
            self.shadows.setdefault(name, []).append(frame.depth)
        self.depths.append(frame.depth if frame.kind != "group" else self.depths[-1])

    def leave(self, frame: Frame) -> None:
        for name, _ in names_of(frame):
            self.active[name].pop()
            if not self.active[name]:
                del self.active[name]
        for name in frame.locals:
            self.shadows[name].pop()
        self.depths.pop()

    def say(self, frame: Frame, index: int, start: int, end: int) -> None:
        """The own name of `frame`, as how many definitions outwards it is."""
        self.out.owns[len(self.out.texts)] = frame
        self.out.leaf(OWN + (self.depths[-1] - frame.depth) * 16 + min(index, 15), b"", start, end)

    def refer(self, node: Node, text: bytes) -> bool:
        """Whether an identifier refers to a definition around it; if so, it has been said."""
        parent = self.opened[-1] if self.opened else None
        if isinstance(parent, Node):
            at = self.recipe.member.get(parent.kind_id, ())
            if any(is_field(parent, member, node) and child_at(parent, said) for said, member, _ in at):
                return self.refer_to_member(parent, node, text)
            if any(is_field(parent, name, node) for name in self.recipe.not_bare.get(parent.kind_id, ())):
                return False
        if node.kind_id not in self.recipe.bare_kinds:
            return False
        frame = self.meant(parent, node, text)
        if frame is None or (self.shadows.get(text) or NOWHERE)[-1] >= frame.depth:
            return False
        self.say(frame, frame.names.index(text), node.start_byte, node.end_byte)
        return True

    def meant(self, parent: Node | Made | None, node: Node, text: bytes) -> Frame | None:
        """The innermost open definition of this name; where calls have places of their own, only of the right sort."""
        named, calls = self.active[text], self.recipe.calls
        if self.recipe.never_bare:
            named = [frame for frame in named if frame.kind not in self.recipe.never_bare]
        if node.kind_id in self.recipe.type_names:
            types = [frame for frame in named if frame.kind in CONTAINER]
            named = types or [frame for frame in named if frame.kind == "constructor"]
            return named[-1] if named else None
        if not calls:
            return named[-1] if named else None
        fields = calls.get(parent.kind_id, ()) if isinstance(parent, Node) else ()
        is_call = isinstance(parent, Node) and any(is_field(parent, name, node) for name in fields)
        return next((frame for frame in reversed(named) if (frame.kind in CALLABLE) == is_call), None)

    def refer_to_member(self, parent: Node, node: Node, text: bytes) -> bool:
        """`self.name`, `cls.name`, `OwnClass.name` inside a member of that class."""
        around = self.opened[-2].kind_id if len(self.opened) > 1 else -1
        for receiver_field, member_field, within in self.recipe.member[parent.kind_id]:
            if not is_field(parent, member_field, node) or (within and around not in within):
                continue
            receiver = child_at(parent, receiver_field)
            if receiver is None or receiver.end_byte - receiver.start_byte > LONGEST_NAME:
                continue
            said = self.source[receiver.start_byte : receiver.end_byte]
            frame = next((f for f in self.active[text][: -SAME_NAMES - 1 : -1] if self.is_of(f, said)), None)
            if frame is not None:
                self.say(frame, frame.names.index(text), node.start_byte, node.end_byte)
                return True
        return False

    def is_of(self, frame: Frame, receiver: bytes) -> bool:
        """Whether `receiver` is the object or class that a definition is a member of."""
        owner = frame.parent
        if owner is None or owner.kind not in CONTAINER:
            return False
        return receiver in self.recipe.receivers or receiver in owner.names or receiver in frame.selves


def names_of(frame: Frame) -> Iterator[tuple[bytes, Frame]]:
    """The names a definition answers to inside itself, its own before those of the class it is qualified with."""
    for name in frame.names:
        yield name, frame
    if frame.owner is not None and frame.owner.names[0] not in frame.names:
        yield frame.owner.names[0], frame.owner


def child_at(parent: Node, name: str) -> Node | None:
    """By field, or by place among the named children (`#0`) where the grammar names no field."""
    if name.startswith("#"):
        return parent.named_child(int(name[1:]))
    return parent.child_by_field_name(name)


def is_field(parent: Node, name: str, node: Node) -> bool:
    if name == ANY_FIELD:
        return True
    found = child_at(parent, name)
    return found is not None and found.id == node.id

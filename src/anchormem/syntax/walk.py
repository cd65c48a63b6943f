"""The one walk over a tree: the normalised form of a whole file as flat lists, with every definition a range in them.

The form is, for every node, its kind, then in byte order its children and every run of non-blank bytes between them;
every leaf as its source text. `codes` holds kinds, leaf marks and CLOSE; `texts` what the leaves say. What is dropped or
respelled is decided by the recipe's closed tables alone. An explicit stack: nesting depth costs memory, never frames.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from anchormem.syntax import literals, noise
from anchormem.syntax.items import Item, Made
from anchormem.syntax.macros import LEXERS
from anchormem.syntax.noise import unwrap
from anchormem.syntax.plan import CALLABLE, CONTAINER, Frame, Mark, Plan, damaged
from anchormem.syntax.recipe import (
    ATOM,
    CLOSE,
    CONCAT,
    ERROR,
    GAP,
    LEAF,
    NAME,
    NUMBER,
    OPENER,
    OWN,
    PARENS,
    RELEX,
    SEGMENT,
    SKIP,
    STRING,
    TAIL,
    TEXT,
    Recipe,
)

BLANKS = b" \n\t"  # what most gaps are made of
NOWHERE = (-1,)
LONGEST_NAME = 200  # of a receiver that may be an object's own
SAME_NAMES = 4  # how many enclosing definitions of one name are tried as the member meant


@dataclass(slots=True)
class Stream:
    """The normalised form. Token i is `texts[i]`, in the source from `starts[i]` to `end(i)`."""

    codes: list[int] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    respelled: dict[int, int] = field(default_factory=dict)  # token → its end, where that is not start + length
    owns: dict[int, Frame] = field(default_factory=dict)  # token → the definition whose own name it is
    textual: set[int] = field(default_factory=set)  # tokens that hold text: strings and their segments, atoms
    closed: list[Frame] = field(default_factory=list)  # inner before outer
    top: list[Frame] = field(default_factory=list)
    error_bytes: int = 0

    def end(self, token: int) -> int:
        return self.respelled.get(token) or self.starts[token] + len(self.texts[token])


ANY_FIELD: Final = "*"
QUOTED: Final = re.compile(rb'("[^"]*")')
BESIDE_MARK: Final = re.compile(rb" *([(){},=]) *")
BLANKS_RUN: Final = re.compile(rb"\s+")
STARS: Final = re.compile(rb"\n[ \t]*\*")  # down the side of a block comment


class FrameEnd:
    __slots__ = ("end", "frame")

    def __init__(self, frame: Frame, end: int) -> None:
        self.frame = frame
        self.end = end


class RegionEnd:
    __slots__ = ("codes", "frame", "into", "texts")

    def __init__(self, frame: Frame, codes: int, texts: int, into: str) -> None:
        self.frame = frame
        self.codes = codes
        self.texts = texts
        self.into = into


class AttributeEnd:
    __slots__ = ("level",)

    def __init__(self, level: int) -> None:
        self.level = level


class Walk:
    """The state of one walk. `run` is the loop; everything rare is a method."""

    def __init__(self, source: bytes, recipe: Recipe, plan: Plan, parsed: bytes) -> None:
        self.source = source
        self.parsed = parsed  # what the parser saw: differs from the source where that was masked
        self.recipe = recipe
        self.marks = plan.marks
        self.marked = plan.marked
        self.out = Stream()
        self.stack: list[object] = []
        self.opened: list[Node | Made] = []
        self.frames: list[Frame] = []
        self.active: dict[bytes, list[Frame]] = {}  # open definitions by name, innermost last
        self.shadows: dict[bytes, list[int]] = {}  # depths of open definitions that bind the name otherwise
        self.comments: list[tuple[int, int, int]] = []  # codes at the time, start, end
        self.attributes: tuple[int, int, int, int] | None = None  # codes, texts, start; codes when they ended
        self.labels: dict[int, bytes] = {}
        self.chains: dict[int, Frame] = {}
        self.openers: list[Frame | None] = []
        self.error_end = 0

    def run(self, root: Node) -> Stream:  # noqa: C901, PLR0912, PLR0915 # the hot loop stays in one frame for speed
        source, recipe, marks, out = self.source, self.recipe, self.marks, self.out
        codes, texts, starts = out.codes, out.texts, out.starts
        act, kind_codes, rules = recipe.act, recipe.codes, noise.rules_of(recipe)
        opened, active, stack = self.opened, self.active, self.stack
        marked = self.marked
        pop, push, extend = stack.pop, stack.append, stack.extend
        code_of, say, at = codes.append, texts.append, starts.append
        pos = 0
        push(root)
        while stack:
            item = pop()
            if type(item) is Node:
                start = item.start_byte
                if start > pos:
                    if start - pos > 1 or source[pos] not in BLANKS:
                        self.gap(pos, start)
                    pos = start
                kind = item.kind_id
                if start in marked:
                    mark = marks.get(item.id)
                    if mark is not None and self.arrive(item, mark):
                        pos = item.end_byte
                        continue
                what = act[kind]
                if what == LEAF:
                    pos = item.end_byte
                    code_of(kind_codes[kind])
                    say(source[start:pos])
                    at(start)
                    continue
                if what:
                    if what == NAME:
                        pos = item.end_byte
                        text = source[start:pos]
                        if text not in active or not self.own_name(item, text):
                            code_of(kind_codes[kind] | 1)
                            say(text)
                            at(start)
                        continue
                    if what == ERROR:
                        self.error(item)
                    else:
                        done = self.special(item, kind, what)
                        if done >= 0:
                            pos = done
                            continue
                children = item.children
                if children:
                    code_of(kind_codes[kind])
                    opened.append(item)
                    push(item.end_byte)
                    items = noise.rewritten(rules[kind], item, children) if kind in rules else children
                    extend(items[::-1])
                else:
                    pos = item.end_byte
                    code_of(kind_codes[kind] | 1)
                    say(source[start:pos])
                    at(start)
            elif type(item) is int:
                if item > pos:
                    self.gap(pos, item)
                    pos = item
                code_of(CLOSE)
                opened.pop()
                if self.labels or self.chains:
                    self.leave_level()
            else:
                pos = self.other(item, pos)
        return out

    # ── what is rare ────────────────────────────────────────────────────────────────────────────────────────────────

    def gap(self, start: int, end: int) -> None:
        """Bytes that no node covers: layout is dropped, anything else counts."""
        text = self.parsed[start:end]
        if text.isspace():
            return
        kept = self.recipe.layout.sub(b"", text)
        if kept:
            self.leaf(GAP, kept, start, end)

    def leaf(self, code: int, text: bytes, start: int, end: int) -> None:
        out = self.out
        out.codes.append(code)
        out.texts.append(text)
        out.starts.append(start)
        if end - start != len(text):
            out.respelled[len(out.texts) - 1] = end

    def error(self, node: Node) -> None:
        self.out.error_bytes += max(0, node.end_byte - max(node.start_byte, self.error_end))
        self.error_end = max(self.error_end, node.end_byte)

    def leave_level(self) -> None:
        level = len(self.opened) + 1
        self.labels.pop(level, None)
        self.chains.pop(level, None)

    def other(self, item: object, pos: int) -> int:
        """Everything on the stack that is neither a node nor the end of one. Gives the new position."""
        if isinstance(item, tuple):
            start, end = int(item[0]), int(item[1])
            if start > pos:
                self.gap(pos, start)
            return max(pos, end)
        if isinstance(item, Made):
            return self.made(item, pos)
        if isinstance(item, FrameEnd):
            self.close(item.frame, item.end)
        elif isinstance(item, RegionEnd):
            out = self.out
            span = ((item.codes, len(out.codes)), (item.texts, len(out.texts)))
            (item.frame.regions if item.into == "body" else item.frame.extras).append(span)
        elif isinstance(item, AttributeEnd) and self.attributes is not None:
            self.attributes = (*self.attributes[:3], len(self.out.codes))
        return pos

    def made(self, item: Made, pos: int) -> int:
        if item.start > pos:
            self.gap(pos, item.start)
            pos = item.start
        mark = self.marks.get(item.of.id) if item.of is not None else None
        if item.of is not None and mark is not None and self.arrive(item.of, mark):
            return item.end
        if item.items is None:
            if item.textual:
                self.out.textual.add(len(self.out.texts))
            self.leaf(item.code | 1, item.text, item.start, item.end)
            return item.end
        self.out.codes.append(item.code)
        self.opened.append(item)
        self.stack.append(item.end)
        self.stack.extend(reversed(item.items))
        return pos

    # ── definitions ─────────────────────────────────────────────────────────────────────────────────────────────────

    def arrive(self, node: Node, mark: Mark) -> bool:
        """At a node the plan marked. True when nothing of it is left to walk."""
        if mark.doc:
            if self.frames:
                self.frames[-1].docs.append((node.start_byte, node.end_byte))
            return True
        out = self.out
        if mark.directive:
            self.directive(node.start_byte, node.end_byte, self.recipe.codes[node.kind_id])
            return True
        if mark.attribute:
            self.begin_attribute(node.start_byte)
            self.stack.append(AttributeEnd(len(self.opened)))
        if mark.label:
            self.labels[len(self.opened)] = b"".join(self.source[node.start_byte : node.end_byte].split())
        for frame in mark.opens:
            self.open(frame, node)
        for frame in mark.body_of:
            if frame.is_open:
                self.stack.append(RegionEnd(frame, len(out.codes), len(out.texts), "body"))
        if mark.name_of is not None and mark.name_of.is_open:
            self.own(mark.name_of, mark.name_index, node.start_byte, node.end_byte)
            return True
        return False

    def begin_attribute(self, start: int) -> None:
        """One more of a run of siblings that belong to the definition after them."""
        codes = len(self.out.codes)
        if self.attributes is None or self.attributes[3] != codes:
            self.attributes = (codes, len(self.out.texts), start, -1)

    def directive(self, start: int, end: int, code: int) -> None:
        """A comment that changes what is built: code, and of the definition right after it."""
        self.begin_attribute(start)
        self.leaf(code | 1, b" ".join(self.source[start:end].split()), start, end)
        if self.attributes is not None:
            self.attributes = (*self.attributes[:3], len(self.out.codes))

    def open(self, frame: Frame, node: Node) -> None:
        out, level = self.out, len(self.opened)
        codes, texts, frame.start = len(out.codes), len(out.texts), node.start_byte
        if self.attributes is not None and self.attributes[3] == codes and frame.kind != "scope":
            codes, texts, frame.start, _ = self.attributes
            self.attributes = None
        frame.codes, frame.texts = (codes, codes), (texts, texts)
        frame.damaged = damaged(node) or node.start_byte < self.error_end
        frame.level = level
        frame.label = self.label_at(level) if self.labels else b""
        frame.docs += self.docs_before(codes, frame.start)
        if frame.group is not None:
            frame.label, frame.docs = frame.group.label, [*frame.group.docs, *frame.docs]
            frame.start = frame.group.start
        if frame.chained:
            frame.previous = None if frame.has_value else self.chains.get(level)
            self.chains[level] = frame
        frame.reach_start = frame.previous.reach_start if frame.previous is not None else frame.start
        frame.is_open = True
        for name, named in names_of(frame):
            self.active.setdefault(name, []).append(named)
        for name in frame.locals:
            self.shadows.setdefault(name, []).append(frame.depth)
        (self.frames[-1].children if self.frames else out.top).append(frame)
        self.frames.append(frame)
        self.stack.append(FrameEnd(frame, node.end_byte))

    def label_at(self, level: int) -> bytes:
        """The access label in force: of this level, or of one around it that is still inside the same definition."""
        outer = next((frame.level for frame in reversed(self.frames) if frame.kind != "group"), -1)
        return next((self.labels[at] for at in range(level, outer, -1) if at in self.labels), b"")

    def docs_before(self, codes: int, start: int) -> list[tuple[int, int]]:
        """Doc comments right before a definition, in order."""
        kept: list[tuple[int, int]] = []
        for at, first, last in reversed(self.comments):
            if at < codes:
                break
            if self.recipe.doc_adjacent and first < start and self.source.count(b"\n", last, start) > 1:
                break
            kept.append((first, last))
            start = min(start, first)
        self.comments.clear()
        return kept[::-1]

    def close(self, frame: Frame, end: int) -> None:
        out = self.out
        frame.codes = (frame.codes[0], len(out.codes))
        frame.texts = (frame.texts[0], len(out.texts))
        frame.end = end
        frame.is_open = False
        for name, _ in names_of(frame):
            self.active[name].pop()
            if not self.active[name]:
                del self.active[name]
        for name in frame.locals:
            self.shadows[name].pop()
        self.frames.pop()
        out.closed.append(frame)

    # ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def depth(self) -> int:
        return next((frame.depth for frame in reversed(self.frames) if frame.kind != "group"), 0)

    def own(self, frame: Frame, index: int, start: int, end: int) -> None:
        """The own name of `frame`, as how many definitions outwards it is."""
        self.out.owns[len(self.out.texts)] = frame
        self.leaf(OWN + (self.depth() - frame.depth) * 16 + min(index, 15), b"", start, end)

    def own_name(self, node: Node, text: bytes) -> bool:
        """Whether an identifier refers to a definition around it, and if so says it as such."""
        parent = self.opened[-1] if self.opened else None
        if isinstance(parent, Node):
            at = self.recipe.member.get(parent.kind_id, ())
            if any(is_field(parent, member, node) and child_at(parent, said) for said, member, _ in at):
                return self.own_member(parent, node, text)
            if any(is_field(parent, name, node) for name in self.recipe.not_bare.get(parent.kind_id, ())):
                return False
        if node.kind_id not in self.recipe.bare_kinds:
            return False
        frame = self.meant(parent, node, text)
        if frame is None:
            return False
        if (self.shadows.get(text) or NOWHERE)[-1] >= frame.depth:
            return False
        self.own(frame, frame.names.index(text), node.start_byte, node.end_byte)
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

    def own_member(self, parent: Node, node: Node, text: bytes) -> bool:
        """`self.name`, `cls.name`, `OwnClass.name` inside a member of that class."""
        around = self.opened[-2].kind_id if len(self.opened) > 1 else -1
        for receiver_field, member_field, within in self.recipe.member[parent.kind_id]:
            if not is_field(parent, member_field, node) or (within and around not in within):
                continue
            receiver = child_at(parent, receiver_field)
            if receiver is None or receiver.end_byte - receiver.start_byte > LONGEST_NAME:
                continue
            said = self.source[receiver.start_byte : receiver.end_byte]
            for frame in self.active[text][: -SAME_NAMES - 1 : -1]:
                owner = frame.parent
                if owner is None or owner.kind not in CONTAINER:
                    continue
                if said in self.recipe.receivers or said in owner.names or said in frame.selves:
                    self.own(frame, frame.names.index(text), node.start_byte, node.end_byte)
                    return True
        return False

    # ── kinds with a rule of their own ──────────────────────────────────────────────────────────────────────────────

    def special(self, node: Node, kind: int, what: int) -> int:
        """Applies a kind's rule. Gives the position after the node, or −1 when it is to be walked as a plain one."""
        start, end = node.start_byte, node.end_byte
        code = self.recipe.codes[kind]
        if what == SKIP:
            return self.skip(start, end, code)
        if what == ATOM:
            self.out.textual.add(len(self.out.texts))
            self.leaf(code | 1, self.source[start:end], start, end)
            return end
        if what == NUMBER:
            spell = literals.NUMBERS[self.recipe.numbers[kind]]
            self.leaf(code | 1, spell(self.source[start:end]), start, end)
            return end
        if what in (STRING, TEXT, CONCAT):
            parent = self.opened[-1].kind_id if self.opened else -1
            made = self.concat(node, parent) if what == CONCAT else self.string(node, parent, what)
            return self.made(made, start) if made is not None else -1
        if what == RELEX:
            return self.made(self.relexed(node), start)
        if what == PARENS:
            items = unwrap(self.recipe, node, self.opened[-1] if self.opened else None)
            if items is None:
                return -1
            self.stack.extend(reversed(items))
            return start
        if what == OPENER:
            self.openers.append(self.frames[-1] if self.frames else None)
        elif what == TAIL:
            self.tail(start, end)
        return -1

    def skip(self, start: int, end: int, code: int) -> int:
        directive, doc = self.recipe.directive, self.recipe.doc
        if directive is not None and directive.match(self.source, start, end):
            self.directive(start, end, code)
        elif doc is not None and doc.match(self.source, start, end):
            self.comments.append((len(self.out.codes), start, end))
            self.directive_within(start, end, code)
        return end

    def directive_within(self, start: int, end: int, code: int) -> None:
        """Annotations in a documentation: they count as code, what is said around them does not."""
        within = self.recipe.directive_within
        found = [match[0] for match in within.finditer(self.source, start, end)] if within is not None else []
        if found:
            self.begin_attribute(start)
            text = b" ".join(tight(STARS.sub(b" ", each)) for each in found)
            self.leaf(code | 1, text, start, end)
            if self.attributes is not None:
                self.attributes = (*self.attributes[:3], len(self.out.codes))

    def relexed(self, node: Node) -> Made:
        """A node that the grammar takes as text and that holds code, as its tokens."""
        kind, code, start, end = node.kind_id, self.recipe.codes[node.kind_id], node.start_byte, node.end_byte
        lexer = LEXERS[self.recipe.relex[kind]]
        items: list[Item] = []
        at = start
        for first, last, text, textual in lexer(self.source[start:end]):
            items.append((at, start + first))
            at = start + last
            items.append(Made(code, kind, None, text, start + first, at, textual=textual))
        items.append((at, end))
        return Made(code, kind, items, b"", start, end)

    def tail(self, start: int, end: int) -> None:
        """The body of a here-document: it belongs to the definition that opened it, wherever it stands."""
        owner = self.openers.pop(0) if self.openers else None
        if owner is not None and not owner.is_open:
            owner.extra_bytes.append((start, end))
            self.stack.append(RegionEnd(owner, len(self.out.codes), len(self.out.texts), "extra"))

    def string(self, node: Node, parent: int, what: int) -> Made | None:
        """A literal as one leaf, or as segments around the code in it."""
        recipe, kind = self.recipe, node.kind_id
        dialect = "verbatim"
        if what == STRING:
            found = recipe.strings_under.get((parent, kind)) or recipe.strings.get(kind)
            if found is None:
                return None
            dialect = found
        children = node.named_children
        code = [c for c in children if what == TEXT or c.kind_id in recipe.string_code] if children else []
        return assemble(recipe.codes[kind], self.source, node, code, dialect)

    def concat(self, node: Node, parent: int) -> Made | None:
        """Adjacent literals, merged where their dialect allows it."""
        dialect = self.recipe.strings[node.kind_id]
        runs: list[list[Made]] = [[]]
        items: list[Item] = []
        for child in node.named_children:
            what = self.recipe.act[child.kind_id]
            made = self.string(child, parent, STRING) if what == STRING else None
            if made is None:
                if what != SKIP:
                    items += merge(dialect, runs.pop())
                    items.append(child)
                    runs.append([])
                continue
            runs[-1].append(made)
        items += merge(dialect, runs[-1])
        only = items[0] if len(items) == 1 else None
        if isinstance(only, Made):
            return only
        return Made(self.recipe.codes[node.kind_id], node.kind_id, items, b"", node.start_byte, node.end_byte)


def names_of(frame: Frame) -> Iterator[tuple[bytes, Frame]]:
    """The names a definition answers to inside itself, its own before those of the class it is qualified with."""
    for name in frame.names:
        yield name, frame
    if frame.owner is not None and frame.owner.names[0] not in frame.names:
        yield frame.owner.names[0], frame.owner


def tight(annotation: bytes) -> bytes:
    """Without layout, but inside of quotes."""
    parts = QUOTED.split(annotation)
    parts[::2] = [BESIDE_MARK.sub(rb"\1", BLANKS_RUN.sub(b" ", part)) for part in parts[::2]]
    return b"".join(parts)


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


def assemble(code: int, source: bytes, node: Node, inside: list[Node], dialect: str) -> Made:
    start, end = node.start_byte, node.end_byte
    bounds = [start, *(at for child in inside for at in (child.start_byte, child.end_byte)), end]
    segments = literals.STRINGS[dialect]([source[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)])
    if not inside:
        return Made(code, node.kind_id, None, segments[0], start, end, textual=True)
    items: list[Item] = []
    for index, segment in enumerate(segments):
        if segment:
            items.append(Made(SEGMENT, -1, None, segment, bounds[2 * index], bounds[2 * index + 1], textual=True))
        if index < len(inside):
            items.append(inside[index])
    return Made(code, node.kind_id, items, b"", start, end)


def merge(dialect: str, literals_in_order: list[Made]) -> list[Item]:
    """Neighbours joined: their segments become one, the code between them stays in order."""
    merged: list[Made] = []
    for right in literals_in_order:
        left = merged[-1] if merged else None
        joined = join_made(dialect, left, right) if left is not None else None
        if joined is None:
            merged.append(right)
        else:
            merged[-1] = joined
    return list(merged)


def join_made(dialect: str, left: Made, right: Made) -> Made | None:
    a, b = left.items or [left], right.items or [right]
    last, first = a[-1], b[0]
    if not isinstance(last, Made) or not isinstance(first, Made) or not isinstance(a[0], Made):
        return None
    whole = literals.JOINS[dialect](a[0].text, last.text, first.text, len(a) == 1)
    if whole is None:
        return None
    if left.items is None and right.items is None:
        return Made(left.code, left.kind_id, None, whole, left.start, right.end, textual=True)
    seam = Made(SEGMENT, -1, None, whole, last.start, first.end, textual=True)
    return Made(left.code, left.kind_id, [*a[:-1], seam, *b[1:]], b"", left.start, right.end)

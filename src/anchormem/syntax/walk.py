"""The one walk over a tree: the normalised form of a whole file, with every definition a range in it.

The form is, for every node, its kind, then in byte order its children and every run of non-blank bytes between them;
every leaf as its source text. What is dropped or respelled is decided by the recipe's closed tables alone. An explicit
stack: nesting depth costs memory, never frames.
"""

from typing import Final

from tree_sitter import Node

from anchormem.syntax import literals, noise, spelling
from anchormem.syntax.definitions import Definitions
from anchormem.syntax.frames import Frame, Mark, Plan
from anchormem.syntax.items import Made
from anchormem.syntax.kinds import ERROR_KIND
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
    PARENS,
    RELEX,
    SKIP,
    STRING,
    TAIL,
    TEXT,
    WRAP,
    Recipe,
)
from anchormem.syntax.stream import Stream

BLANKS: Final = b" \n\t"  # what most gaps are made of
PLAINLY: Final = -1  # a rule's answer: walk the node as one without a rule


class FrameEnd:
    """On the stack after everything of a definition."""

    __slots__ = ("end", "frame")

    def __init__(self, frame: Frame, end: int) -> None:
        self.frame = frame
        self.end = end


class RegionEnd:
    """On the stack after a body or the body of a here-document: which range of the stream that was."""

    __slots__ = ("codes", "into", "texts")

    def __init__(self, out: Stream, into: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
        self.codes = len(out.codes)
        self.texts = len(out.texts)
        self.into = into


class AttributeEnd:
    """On the stack after an attribute."""

    __slots__ = ()


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
        self.definitions = Definitions(source, recipe, self.out, self.opened)

    def run(self, root: Node) -> Stream:  # noqa: C901, PLR0912, PLR0915 # the hot loop stays in one frame for speed
        source, recipe, marks, marked, out = self.source, self.recipe, self.marks, self.marked, self.out
        codes, texts, starts = out.codes, out.texts, out.starts
        act, kind_codes, rules = recipe.act, recipe.codes, noise.rules_of(recipe)
        opened, stack, names = self.opened, self.stack, self.definitions.names
        active, refer = names.active, names.refer
        labels, chains = self.definitions.labels, self.definitions.chains
        pop, push, extend = stack.pop, stack.append, stack.extend
        code_of, say, at = codes.append, texts.append, starts.append
        pos = 0
        if recipe.mask:
            self.open_root(root)
        else:
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
                        if text not in active or not refer(item, text):
                            code_of(kind_codes[kind] | 1)
                            say(text)
                            at(start)
                        continue
                    done = self.special(item, kind, what)
                    if done != PLAINLY:
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
                if labels or chains:
                    self.definitions.leave_level()
            else:
                pos = self.other(item, pos)
        return out

    def gap(self, start: int, end: int) -> None:
        """Bytes that no node covers: layout is dropped, anything else counts."""
        text = self.parsed[start:end]
        if text.isspace():
            return
        kept = self.recipe.layout.sub(b"", text)
        if kept and self.recipe.mask:
            self.hidden(text, start)
        elif kept:
            self.out.leaf(GAP, kept, start, end)

    def hidden(self, text: bytes, start: int) -> None:
        """What the parser was not shown, as its tokens: of the definition around it, or of the one right after it."""
        from anchormem.syntax import macros  # noqa: PLC0415 — where the language has a mask

        frames = self.definitions.frames
        free = not (frames and frames[-1].kind == "group")
        next_from = macros.start_of_next(text) if self.recipe.mask in macros.ATTACHING else len(text)
        for first, last, said, _ in macros.LEXERS[self.recipe.mask](text):
            is_next = free and first >= next_from
            if is_next:
                self.definitions.begin_attribute(start + first)
            self.out.leaf(GAP, said, start + first, start + last)
            if is_next:
                self.definitions.end_attribute()

    def open_root(self, root: Node) -> None:
        """A root begins with what the parser saw first; what it was not shown before that is in it all the same."""
        if root.kind_id == ERROR_KIND:
            self.error(root.start_byte, root.end_byte)
        self.out.codes.append(self.recipe.codes[root.kind_id])
        self.opened.append(root)
        self.stack.append(root.end_byte)
        self.stack.extend(reversed(root.children))

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
            self.definitions.close(item.frame, item.end)
        elif isinstance(item, RegionEnd):
            item.into.append(((item.codes, len(self.out.codes)), (item.texts, len(self.out.texts))))
        elif isinstance(item, AttributeEnd):
            self.definitions.end_attribute()
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
            self.out.leaf(item.code | 1, item.text, item.start, item.end)
            return item.end
        self.out.codes.append(item.code)
        self.opened.append(item)
        self.stack.append(item.end)
        self.stack.extend(reversed(item.items))
        return pos

    def arrive(self, node: Node, mark: Mark) -> bool:
        """At a node the plan marked. True when nothing of it is left to walk."""
        definitions, start, end = self.definitions, node.start_byte, node.end_byte
        if mark.doc:
            definitions.document(start, end)
            return True
        if mark.directive:
            definitions.directive(start, end, self.recipe.codes[node.kind_id])
            return True
        if mark.attribute:
            definitions.begin_attribute(start)
            self.stack.append(AttributeEnd())
        if mark.label:
            definitions.label(start, end)
        for frame in mark.opens:
            definitions.open(frame, node)
            self.stack.append(FrameEnd(frame, end))
        for frame in mark.body_of:
            if frame.is_open:
                self.stack.append(RegionEnd(self.out, frame.regions))
        if mark.name_of is not None and mark.name_of.is_open:
            definitions.names.say(mark.name_of, mark.name_index, start, end)
            return True
        return False

    def special(self, node: Node, kind: int, what: int) -> int:
        """Applies a kind's rule. Gives the position after the node, or PLAINLY."""
        start, end = node.start_byte, node.end_byte
        if what == SKIP:
            self.definitions.comment(start, end, self.recipe.codes[kind])
            return end
        if what in (STRING, TEXT, CONCAT, RELEX, ATOM, NUMBER):
            made = self.spelled(node, kind, what)
            return self.made(made, start) if made is not None else PLAINLY
        if what == PARENS:
            items = noise.unwrap(self.recipe, node, self.opened[-1] if self.opened else None)
            if items is not None:
                self.stack.extend(reversed(items))
                return start
        elif what == WRAP:
            return self.wrapper(node, kind)
        elif what == ERROR:
            self.error(start, end)
        elif what == OPENER:
            self.definitions.opener()
        elif what == TAIL:
            owner = self.definitions.tail(start, end)
            if owner is not None:
                self.stack.append(RegionEnd(self.out, owner.extras))
        return PLAINLY

    def wrapper(self, node: Node, kind: int) -> int:
        """A name in a node of its own; an expression in its place is walked as any other."""
        only = node.child(0)
        if only is not None and only.child_count:
            return PLAINLY
        start, end = node.start_byte, node.end_byte
        text = self.source[start:end]
        if text not in self.definitions.names.active or not self.definitions.names.refer(node, text):
            self.out.leaf(self.recipe.codes[kind] | 1, text, start, end)
        return end

    def spelled(self, node: Node, kind: int, what: int) -> Made | None:
        recipe, source, start, end = self.recipe, self.source, node.start_byte, node.end_byte
        parent = self.opened[-1].kind_id if self.opened else -1
        if what == STRING:
            return spelling.string(recipe, source, node, parent)
        if what == CONCAT:
            return spelling.adjacent(recipe, source, node, parent)
        if what == TEXT:
            return spelling.text(recipe, source, node)
        if what == RELEX:
            return spelling.relexed(recipe, source, node)
        text = source[start:end]
        if what == NUMBER:
            text = literals.NUMBERS[recipe.numbers[kind]](text)
        return Made(recipe.codes[kind], kind, None, text, start, end, textual=what == ATOM)

    def error(self, start: int, end: int) -> None:
        counted = self.definitions.error_end
        self.out.error_bytes += max(0, end - max(start, counted))
        self.definitions.error_end = max(counted, end)

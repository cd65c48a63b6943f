"""The open definitions of a walk: where they begin and end in the stream, and what outside a node belongs to them.

Outside are attributes and directives before a definition, documentation, the access label in force, the member before
it that its value follows from, the bodies of here-documents it opened.
"""

import re
from typing import Final

from tree_sitter import Node

from anchormem.syntax.frames import Frame
from anchormem.syntax.items import Made
from anchormem.syntax.kinds import ERROR_KIND
from anchormem.syntax.names import Names
from anchormem.syntax.recipe import Recipe
from anchormem.syntax.stream import Stream

QUOTED: Final = re.compile(rb'("[^"]*")')
BESIDE_MARK: Final = re.compile(rb" *([(){},=]) *")
BLANKS_RUN: Final = re.compile(rb"\s+")
STARS: Final = re.compile(rb"\n[ \t]*\*")  # down the side of a block comment


class Definitions:
    def __init__(self, source: bytes, recipe: Recipe, out: Stream, opened: list[Node | Made]) -> None:
        self.source = source
        self.recipe = recipe
        self.out = out
        self.opened = opened
        self.names = Names(source, recipe, out, opened)
        self.frames: list[Frame] = []
        self.comments: list[tuple[int, int, int]] = []  # codes at the time, start, end
        self.attributes: tuple[int, int, int, int] | None = None  # codes, texts, start; codes when they ended
        self.labels: dict[int, bytes] = {}  # by level: how many nodes are open
        self.chains: dict[int, Frame] = {}
        self.openers: list[Frame | None] = []
        self.error_end = 0

    def open(self, frame: Frame, node: Node) -> None:
        out, level = self.out, len(self.opened)
        codes, texts, frame.start = len(out.codes), len(out.texts), node.start_byte
        if self.attributes is not None and self.attributes[3] == codes and (frame.kind != "scope" or frame.body):
            codes, texts, frame.start, _ = self.attributes
            self.attributes = None
        frame.codes, frame.texts = (codes, codes), (texts, texts)
        frame.damaged = node.has_error or node.kind_id == ERROR_KIND or node.start_byte < self.error_end
        frame.level = level
        frame.label = self.label_at(level) if self.labels else b""
        frame.docs += self.docs_before(codes, frame.start) if self.comments else []
        if frame.group is not None:
            frame.label, frame.docs = frame.group.label, [*frame.group.docs, *frame.docs]
            frame.start = frame.group.start
        if frame.chained:
            frame.previous = None if frame.has_value else self.chains.get(level)
            self.chains[level] = frame
        frame.reach_start = frame.previous.reach_start if frame.previous is not None else frame.start
        frame.is_open = True
        self.names.enter(frame)
        (self.frames[-1].children if self.frames else out.top).append(frame)
        self.frames.append(frame)

    def close(self, frame: Frame, end: int) -> None:
        out = self.out
        frame.codes = (frame.codes[0], len(out.codes))
        frame.texts = (frame.texts[0], len(out.texts))
        frame.end = end
        frame.is_open = False
        self.names.leave(frame)
        self.frames.pop()
        out.closed.append(frame)

    def leave_level(self) -> None:
        level = len(self.opened) + 1
        self.labels.pop(level, None)
        self.chains.pop(level, None)

    def label(self, start: int, end: int) -> None:
        self.labels[len(self.opened)] = b"".join(self.source[start:end].split())

    def label_at(self, level: int) -> bytes:
        """The access label in force: of this level, or of one around it that is still inside the same definition."""
        outer = next((frame.level for frame in reversed(self.frames) if frame.kind != "group"), -1)
        return next((self.labels[at] for at in range(level, outer, -1) if at in self.labels), b"")

    def document(self, start: int, end: int) -> None:
        if self.frames:
            self.frames[-1].docs.append((start, end))

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

    def comment(self, start: int, end: int, code: int) -> None:
        """A comment: dropped, unless it is a directive; documentation waits for what it may document."""
        directive, doc = self.recipe.directive, self.recipe.doc
        if directive is not None and directive.match(self.source, start, end):
            self.directive(start, end, code)
        elif doc is not None and doc.match(self.source, start, end):
            self.comments.append((len(self.out.codes), start, end))
            self.directive_within(start, end, code)

    def directive(self, start: int, end: int, code: int) -> None:
        """A comment that changes what is built: code, and of the definition right after it."""
        self.begin_attribute(start)
        self.out.leaf(code | 1, b" ".join(self.source[start:end].split()), start, end)
        self.end_attribute()

    def directive_within(self, start: int, end: int, code: int) -> None:
        """Annotations in a documentation: they count as code, what is said around them does not."""
        within = self.recipe.directive_within
        found = [match[0] for match in within.finditer(self.source, start, end)] if within is not None else []
        if found:
            self.begin_attribute(start)
            self.out.leaf(code | 1, b" ".join(tight(STARS.sub(b" ", each)) for each in found), start, end)
            self.end_attribute()

    def begin_attribute(self, start: int) -> None:
        """One more of a run of siblings that belong to the definition after them."""
        codes = len(self.out.codes)
        if self.attributes is None or self.attributes[3] != codes:
            self.attributes = (codes, len(self.out.texts), start, -1)

    def end_attribute(self) -> None:
        if self.attributes is not None:
            self.attributes = (*self.attributes[:3], len(self.out.codes))

    def opener(self) -> None:
        """The head of a here-document."""
        self.openers.append(self.frames[-1] if self.frames else None)

    def tail(self, start: int, end: int) -> Frame | None:
        """The body of a here-document: the definition that opened it, where that has ended already."""
        owner = self.openers.pop(0) if self.openers else None
        if owner is None or owner.is_open:
            return None
        owner.extra_bytes.append((start, end))
        return owner


def tight(annotation: bytes) -> bytes:
    """Without layout, but inside of quotes."""
    parts = QUOTED.split(annotation)
    parts[::2] = [BESIDE_MARK.sub(rb"\1", BLANKS_RUN.sub(b" ", part)) for part in parts[::2]]
    return b"".join(parts)

"""From a stream to digests: for every definition its body, signature and documentation, for the file its normal hash.

A definition enters its parent as (name, digest). The serialisation is unambiguous: counts, codes, lengths, then text.
"""

import re
import struct
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

import xxhash

from anchormem.model import Digest
from anchormem.syntax.frames import CONTAINER, LENDING, Frame, Span
from anchormem.syntax.stream import Stream

COUNTS = struct.Struct("<cII")
Piece = tuple[Span, Span]  # a range of codes and the range of texts that goes with it

BUILDERS = frozenset({"constructor", "destructor"})
NO_SIGNATURE = frozenset({"section", "key"})


class Digests(NamedTuple):
    body: Digest
    signature: Digest | None
    doc: Digest | None


class Share(NamedTuple):
    pieces: list[Piece]
    places: dict[Frame, int]  # of its declarators
    digest: Digest


class Printer:
    """The stream as flat buffers, so that a range costs one update each."""

    def __init__(self, stream: Stream) -> None:
        self.codes = memoryview(array("I", stream.codes)).cast("B")
        lengths = array("I", map(len, stream.texts))
        self.offsets = [0, *accumulate(lengths)]
        self.lengths = memoryview(lengths).cast("B")
        self.text = memoryview(b"".join(stream.texts))
        self.shown: dict[Frame, Digests] = {}
        self.shares: dict[Frame, Share] = {}  # by group
        self.lent: dict[Frame, Digest] = {}  # the heads of blocks without a symbol

    def add(self, state: xxhash.xxh3_128, pieces: Iterable[Piece]) -> None:
        for (c0, c1), (t0, t1) in pieces:
            state.update(COUNTS.pack(b"p", c1 - c0, t1 - t0))
            state.update(self.codes[4 * c0 : 4 * c1])
            state.update(self.lengths[4 * t0 : 4 * t1])
            state.update(self.text[self.offsets[t0] : self.offsets[t1]])

    def whole(self, codes: Span, texts: Span, children: Iterable[Frame]) -> xxhash.xxh3_128:
        """A range in which every child stands as its name and digest."""
        state = xxhash.xxh3_128()
        at = (codes[0], texts[0])
        for child in children:
            self.add(state, [((at[0], child.codes[0]), (at[1], child.texts[0]))])
            told(state, names_in(child), self.shown[child].body)
            at = (child.codes[1], child.texts[1])
        self.add(state, [((at[0], codes[1]), (at[1], texts[1]))])
        return state

    def print(self, frame: Frame, source: bytes) -> Digests:
        state = xxhash.xxh3_128(b"body")
        state.update(self.whole(frame.codes, frame.texts, frame.children).digest())
        told(state, [frame.label], b"")
        self.around(state, frame)
        signature = None if frame.kind in NO_SIGNATURE else self.signature(frame)
        doc = doc_digest(frame, source)
        digests = Digests(state.digest(), signature, doc)
        self.shown[frame] = digests
        return digests

    def around(self, state: xxhash.xxh3_128, frame: Frame) -> None:
        """What outside a definition changes its meaning: the head of its block, shared tokens, here-documents, the
        member before it.
        """
        self.lend(state, frame)
        if frame.group is not None:
            share = self.share(frame.group)
            state.update(share.digest)
            if frame.declared and any(t1 - t0 > 1 for _, (t0, t1) in share.pieces[1:]):
                # C keeps a bit field's width and a member's default beside its declarator: whose it is must count.
                told(state, [str(share.places[frame]).encode()], b"")
        self.add(state, frame.extras)
        if frame.previous is not None:
            told(state, [b"after", *frame.previous.names], self.shown[frame.previous].body)

    def lend(self, state: xxhash.xxh3_128, frame: Frame) -> None:
        """The heads of the blocks around that have no symbol to hold them: `impl<T: Copy> A for B<T>`."""
        for lender in frame.lenders():
            known = self.lent.get(lender)
            if known is None:
                head = xxhash.xxh3_128(b"lent")
                self.add(head, (piece for piece in outside(lender) if piece[0][0] < piece[0][1]))
                known = self.lent[lender] = head.digest()
            state.update(known)

    def share(self, group: Frame) -> "Share":
        """What all declarators of a declaration share: its tokens outside of them."""
        known = self.shares.get(group)
        if known is None:
            pieces = list(outside_members(group))
            state = xxhash.xxh3_128(b"shared")
            self.add(state, pieces)
            for child in group.children:
                if child.group is not group and child in self.shown:  # a type declared on the way: its members' names
                    told(state, names_in(child), self.shown[child].body)
            places = {child: place for place, child in enumerate(members_of(group))}
            known = self.shares[group] = Share(pieces, places, state.digest())
        return known

    def signature(self, frame: Frame) -> Digest:
        state = xxhash.xxh3_128(b"signature")
        self.add(state, outside(frame))
        told(state, [frame.label], b"")
        self.lend(state, frame)
        if frame.group is not None:
            state.update(self.share(frame.group).digest)
        for child in members(frame):
            if frame.kind in CONTAINER or frame.kind in LENDING or child.kind == "accessor":
                told(state, names_in(child), self.shown[child].signature or b"")
            elif not within(frame.regions, child):
                told(state, names_in(child), self.shown[child].body)  # a field that a constructor's parameter declares
        return state.digest()


def outside_members(group: Frame) -> Iterator[Piece]:
    """A group's range without its declarators."""
    at = (group.codes[0], group.texts[0])
    for child in members_of(group):
        if child.codes[0] > at[0]:
            yield (at[0], child.codes[0]), (at[1], child.texts[0])
        at = (child.codes[1], child.texts[1])
    if group.codes[1] > at[0]:
        yield (at[0], group.codes[1]), (at[1], group.texts[1])


def members_of(group: Frame) -> list[Frame]:
    return [child for child in group.children if child.group is group]


def names_in(child: Frame) -> list[bytes]:
    """What a child is called in its parent's digest: a constructor bears the name of its class, which is dropped."""
    parent = child.parent if child.owner is None else None
    if parent is not None and child.kind in BUILDERS and child.names[0].lstrip(b"~") in parent.names:
        return []
    return child.told_names()


def told(state: xxhash.xxh3_128, names: Iterable[bytes], digest: bytes) -> None:
    for name in names:
        state.update(COUNTS.pack(b"n", len(name), len(digest)))
        state.update(name)
    state.update(COUNTS.pack(b"d", 0, len(digest)))
    state.update(digest)


def members(frame: Frame) -> Iterator[Frame]:
    """The definitions directly inside, those of a shared declaration one by one."""
    waiting = frame.children[::-1]
    while waiting:
        child = waiting.pop()
        if child.kind == "group":
            waiting += child.children[::-1]
        else:
            yield child


def outside(frame: Frame) -> Iterator[Piece]:
    """A definition's range without its bodies and without nested definitions."""
    holes = sorted([*frame.regions, *((child.codes, child.texts) for child in frame.children)])
    at = (frame.codes[0], frame.texts[0])
    for (c0, c1), (t0, t1) in holes:
        if c0 < at[0]:
            at = max(at, (c1, t1))
            continue
        yield (at[0], c0), (at[1], t0)
        at = (c1, t1)
    yield (at[0], frame.codes[1]), (at[1], frame.texts[1])


def within(regions: Iterable[Piece], child: Frame) -> bool:
    return any(codes[0] <= child.codes[0] and child.codes[1] <= codes[1] for codes, _ in regions)


# What stands around documentation and is layout: quotes, comment marks, the stars down a block comment.
DOC_OPENS = re.compile(rb"""[rRuU]?(?:\"\"\"|'''|"|')|//[/!]*|/\*[*!]*|\*(?!/)|\#+""")
DOC_CLOSES = re.compile(rb"""(?:["']+|\**\*/)$""")


def doc_digest(frame: Frame, source: bytes) -> Digest | None:
    """Documentation as its lines without marks and the blanks around them."""
    if not frame.docs:
        return None
    lines = [unmarked(line.strip()) for start, end in frame.docs for line in source[start:end].splitlines()]
    return xxhash.xxh3_128_digest(b"\n".join(line for line in lines if line))


def unmarked(line: bytes) -> bytes:
    opens = DOC_OPENS.match(line)
    line = line[opens.end() :] if opens is not None else line
    closes = DOC_CLOSES.search(line) if line.endswith((b'"', b"'", b"/")) else None
    return (line[: closes.start()] if closes is not None else line).strip()

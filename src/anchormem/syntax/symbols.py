"""The definitions of a walked tree as symbols: where they reach, what they are called, their digests.

Knows nothing of how the stream came about, nor who asks.
"""

import re
from bisect import bisect_left, bisect_right
from functools import partial

import xxhash

from anchormem.model import Digest, Symbol
from anchormem.syntax.fingerprint import Digests
from anchormem.syntax.frames import VALUE, Frame, join, placed
from anchormem.syntax.parsed import Parsed
from anchormem.syntax.twins import disambiguators

LONGEST_HEAD = 200
SILENT = frozenset({"scope", "group", "lends"})  # frames without a symbol


def print_all(parsed: Parsed) -> dict[Frame, Digests]:
    """Every definition's digests, inner before outer."""
    for frame in parsed.stream.closed:
        parsed.printer.print(frame, parsed.source)
    return parsed.printer.shown


def symbols_of(parsed: Parsed) -> list[tuple[Symbol, Frame]]:
    """Every symbol with the definition it is of, in source order."""
    shown = print_all(parsed)
    named = [
        (join(frame.prefix, path), frame, index)
        for frame in parsed.plan.frames
        if frame in shown and frame.kind not in SILENT
        for index, path in enumerate(frame.name_paths)
    ]
    told = disambiguators([(qualified, frame) for qualified, frame, _ in named], partial(parameter_list, parsed))
    breaks = [match.start() for match in re.finditer(rb"\n", parsed.source)]
    return [
        (symbol_of(parsed, frame, index, qualified, form, shown[frame], breaks), frame)
        for (qualified, frame, index), form in zip(named, told, strict=True)
    ]


def symbol_of(
    parsed: Parsed, frame: Frame, index: int, qualified: str, form: str, digests: Digests, breaks: list[int]
) -> Symbol:
    start, end = reach(frame)
    return Symbol(
        name=frame.names[index].decode(errors="replace"),
        qualified=qualified,
        disambiguator=form,
        kind=frame.kind,
        start_byte=start,
        end_byte=end,
        start_line=bisect_right(breaks, start - 1) + 1,
        end_line=bisect_right(breaks, max(start, end - 1) - 1) + 1,
        body=one_of_several(digests.body, frame, index),
        signature=one_of_several(digests.signature, frame, index) if digests.signature else None,
        doc=digests.doc,
        raw=raw_of(parsed, frame, start, end),
        tokens=frame.texts[1] - frame.texts[0],
        head=head_of(parsed, frame),
        damaged=frame.damaged,
    )


def reach(frame: Frame) -> tuple[int, int]:
    """The bytes a definition covers: its wrappers, for a member whose value follows from others those too.

    One declarator of several covers no other: the first has what is shared before it, the others have themselves.
    """
    start, group = frame.reach_start, frame.group
    if group is None:
        return start, max([frame.end, *(end for _, end in frame.extra_bytes)])
    if len(group.children) == 1:
        return min(start, group.start), group.end
    return (min(start, group.start) if frame is group.children[0] else frame.node.start_byte), frame.end


def raw_of(parsed: Parsed, frame: Frame, start: int, end: int) -> Digest:
    """The text as it is, with what lies outside it and still counts."""
    state = xxhash.xxh3_128(parsed.source[start:end])
    if frame.label:
        state.update(b"\0label\0" + frame.label)
    for lender in frame.lenders():
        state.update(b"\0lent\0" + parsed.source[lender.start : lender.body[0].start_byte])
    group = frame.group
    if group is not None and len(group.children) > 1:
        first, last = group.children[0], group.children[-1]
        state.update(b"\0shared\0" + parsed.source[group.start : first.node.start_byte])
        state.update(b"\0shared\0" + parsed.source[last.end : group.end])
    return state.digest()


def one_of_several(digest: Digest, frame: Frame, index: int) -> Digest:
    """`a, b = 1, 2` defines two names: which one, and beside which others."""
    if len(frame.names) == 1:
        return digest
    others = frame.names_digest() ^ placed(index, frame.names[index])
    return xxhash.xxh3_128_digest(digest + index.to_bytes(4, "little") + others.to_bytes(16, "little"))


def parameter_list(parsed: Parsed, frame: Frame) -> str:
    """`(int a, String b)`: its tokens with the same blanks whatever the layout, "" for what has none."""
    if frame.parameters is None:
        return ""
    stream = parsed.stream
    first = bisect_left(stream.starts, frame.parameters.start_byte, frame.texts[0], frame.texts[1])
    last = bisect_left(stream.starts, frame.parameters.end_byte, first, frame.texts[1])
    said = ""
    for token in range(first, last):
        written = stream.texts[token] or parsed.source[stream.starts[token] : stream.end(token)]
        text = written.decode(errors="replace")
        said += " " + text if SPACED.search(said[-1:] + text[:1]) else text
    said = " ".join(said.split())
    return said if not said or said.startswith("(") else f"({said})"


# Between which two characters a parameter list shows a blank: words, and what follows a comma or a colon.
SPACED = re.compile(r"\w\w|[,:][^,:)]|[\])>*&\"']\w")


def head_of(parsed: Parsed, frame: Frame) -> str:
    """One line for a person: the definition up to its body, of a value its beginning."""
    start, end = frame.node.start_byte, min(frame.node.end_byte, frame.node.start_byte + 4 * LONGEST_HEAD)
    if frame.regions and frame.kind not in VALUE:
        first = frame.regions[0][1][0]
        end = min(end, parsed.stream.end(first - 1)) if first else end
    text = parsed.source[start:end]
    if frame.group is not None:
        shared = parsed.source[frame.group.node.start_byte : frame.group.children[0].node.start_byte]
        text = shared + text
    return " ".join(text.decode(errors="replace").split()).rstrip(" {:=;")[:LONGEST_HEAD]

"""Notes that people and agents keep in Markdown, taken apart into single claims with the headings they stand under.

One list item, with what goes on in it, is one note; so is a paragraph, and a row of a table. Knows nothing of files,
of anchors and of what becomes of a note.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final, Literal
from unicodedata import east_asian_width

from tree_sitter import Node

from anchormem import languages
from anchormem.errors import Refused
from anchormem.syntax.depth import is_too_deep
from anchormem.syntax.folding import fold
from anchormem.syntax.parsed import LARGEST, readable
from anchormem.syntax.tree import tree_of

COLONS: Final = ":\uff1a"  # the wide one of Chinese and Japanese too
LONGEST_LEAD: Final = 100  # characters; a longer paragraph before a list is a claim of its own

_MARKERS: Final = ("list_marker_", "task_list_marker_", "block_continuation")
_CODE: Final = ("fenced_code_block", "indented_code_block")
_HEADINGS: Final = ("atx_heading", "setext_heading")
_QUOTED: Final = ("block_continuation", "block_quote_marker")
_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(.{1,200}?)(?<!`)\1(?!`)", re.DOTALL)
_PIPE: Final = re.compile(r"(?<!\\)\|")
_ALERT: Final = re.compile(r"^\[!\w+\]\s*")  # `> [!NOTE]`
_TITLE: Final = re.compile(r"^(?:title|name)\s*[:=]\s*(.+)$", re.MULTILINE)
# A line of a table of contents, or a link's definition that the grammar took for text.
_ONLY_LINKS: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*\[[^\]]*\]\(#[^)]*\)\s*|\[[^\]^][^\]]*\]:\s*\S+")
_INCLUDE: Final = re.compile(r"(?:@[\w./~-]+\s*)+")  # Claude Code reads another file here
_UNSEEN: Final = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)  # comments and tags
_STATE: Final = re.compile(r"(?:status|date|created|updated)\s*:\s*(?:[^\W\d]+|\d[\w ./:-]{0,30})", re.IGNORECASE)
_IMAGE: Final = re.compile(r"\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?")


@dataclass(frozen=True, slots=True)
class Note:
    """`headings`: what it stands under, outermost first, a short line that leads to its list at the end. `line`: where
    it begins, from 1. `named`: what stands in backticks in headings and text, in order, code blocks left out.
    """

    headings: tuple[str, ...]
    text: str
    line: int
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What stands at a `line` and is no note."""

    line: int
    why: Literal["html", "links", "one_word"]


def notes_of(source: bytes) -> tuple[Note, ...]:
    """The notes of a Markdown text in UTF-8, in order. See `read`."""
    return read(source)[0]


def read(source: bytes) -> tuple[tuple[Note, ...], tuple[LeftOut, ...]]:
    """The notes of a Markdown text in UTF-8, in order, and what was left out. Line ends do not matter, nor where lines
    are wrapped.

    Left out: HTML, link definitions, tables of contents, images, single words; and, not told, front matter but for its
    title, and comments. Raises Refused for a text over 512 KB or nested too deeply, GrammarMissing.
    """
    folded = fold(source)
    if len(folded) > LARGEST:
        raise Refused(f"the notes have {len(folded):,} bytes", f"give a file of up to {LARGEST:,} bytes")
    if is_too_deep(folded, "markdown"):
        raise Refused("the notes are nested too deeply", "give a file that a person can read")
    grammar = languages.load("markdown").grammar
    tree = tree_of(grammar, readable(folded.removesuffix(b"\n") + b"\n"))
    if tree is None:
        raise Refused("the notes are too hard to read", "give a file that a person can read")
    reader = _Reader()
    for leaf in _leaves(tree.root_node):
        reader.take(leaf)
    reader.close()
    return tuple(reader.notes), tuple(sorted(reader.left, key=lambda one: one.line))


# ── the blocks of a document, in order ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A block that holds text. `depth`: list items around it. `opens`: the depth of the outermost item that begins with
    it, 0 for none. `mark`: what stands before it.
    """

    node: Node
    depth: int = 0
    opens: int = 0
    mark: str = ""


def _leaves(root: Node) -> Iterator[_Leaf]:
    waiting = [_Leaf(root)]
    while waiting:
        at = waiting.pop()
        match at.node.type:
            case "document" | "section" | "block_quote" | "list":
                inner = [_Leaf(child, at.depth) for child in at.node.named_children]
            case "list_item":
                depth = at.depth + 1
                blocks = [child for child in at.node.named_children if not child.type.startswith(_MARKERS)]
                inner = [_Leaf(child, depth) for child in blocks]
                if inner:
                    inner[0] = _Leaf(blocks[0], depth, at.opens or depth, _mark(at.node))
            case _:
                yield at
                continue
        if at.opens and inner and at.node.type != "list_item":
            inner[0] = _Leaf(inner[0].node, at.depth, at.opens, at.mark)
        waiting += reversed(inner)


def _mark(item: Node) -> str:
    marker = _text(item.named_children[0])
    tasks = (_text(child) for child in item.named_children if child.type.startswith("task_list_marker_"))
    return f"{'-' if marker.strip() in '-*+' else marker.strip()} {''.join(f'{task.lower()} ' for task in tasks)}"


def _text(node: Node) -> str:
    """The source of a node without the marks of lists and quotes around it."""
    text = node.text or b""
    pieces: list[bytes] = []
    done, waiting = node.start_byte, [node]
    while waiting:
        one = waiting.pop()
        if one.type in _QUOTED:
            pieces.append(text[done - node.start_byte : one.start_byte - node.start_byte])
            done = one.end_byte
        else:
            waiting += reversed(one.named_children)
    return b"".join((*pieces, text[done - node.start_byte :])).decode("utf-8", "replace")


# ── from blocks to notes ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Reader:
    """Takes one block after the other. `prose`: what of the note at hand may name code. `leads`: it is one paragraph
    that may be no note but the line that leads to a list.
    """

    notes: list[Note] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    lead: str = ""
    lines: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    line: int = 0
    leads: bool = False

    def take(self, leaf: _Leaf) -> None:
        kind = leaf.node.type
        if self.leads and (leaf.opens or kind == "pipe_table"):
            self.lead = self.lines[0].strip(f"{COLONS}*_ ")
            self.lines, self.prose = [], []
        self.leads = False
        if kind.endswith("_metadata"):
            self.headings = [(1, found[1].strip().strip("\"'"))] if (found := _TITLE.search(_text(leaf.node))) else []
        elif kind in _CODE:
            self.add(leaf, _code(leaf.node))
        elif kind == "pipe_table" and not leaf.depth:
            self.table(leaf.node)
        elif kind in _HEADINGS and not leaf.depth:
            self.heading(leaf.node)
        elif kind == "thematic_break":
            self.end()
        elif kind in ("paragraph", "pipe_table", *_HEADINGS):
            self.paragraph(leaf)
        elif kind == "html_block" and re.search(r"\w", _UNSEEN.sub("", _text(leaf.node))):
            self.left.append(LeftOut(leaf.node.start_point.row + 1, "html"))

    def heading(self, node: Node) -> None:
        self.end()
        level = _level(node)
        text = _heading(node)
        self.headings = [one for one in self.headings if one[0] < level] + ([(level, text)] if text else [])

    def paragraph(self, leaf: _Leaf) -> None:
        node = leaf.node
        text = _text(node).strip() if node.type == "pipe_table" else _joined(_text(node))
        if node.type in _HEADINGS:
            text = _heading(node)
        if not leaf.depth:
            self.end()
            text = _ALERT.sub("", text)
            self.leads = text.rstrip("*_ ").endswith(tuple(COLONS)) and len(text) <= LONGEST_LEAD and "\n" not in text
        elif leaf.opens == 1:
            self.close()
        self.add(leaf, text, prose=text)

    def table(self, node: Node) -> None:
        """Each row by itself, its cells called by what heads them."""
        self.close()
        rows = [child for child in node.named_children if child.type in ("pipe_table_header", "pipe_table_row")]
        head, *body = ([cell.strip().replace("\\|", "|") for cell in _cells(row)] for row in rows)
        for row, cells in zip(rows[1:], body, strict=True):
            titled = zip_longest(head[: len(cells)], cells, fillvalue="")
            told = "; ".join(f"{title}: {cell}" if title else cell for title, cell in titled if cell)
            self.add(_Leaf(row), told, prose=told)
            self.close()
        self.lead = ""

    def add(self, leaf: _Leaf, text: str, prose: str = "") -> None:
        """Text that goes on with the note at hand, or begins one."""
        if not self.lines:
            self.line = leaf.node.start_point.row + 1
        by = "  " * (leaf.depth - 2)
        inner = f"{by}  " if leaf.depth > 1 else ""
        mark = leaf.mark if leaf.depth > 1 else leaf.mark.partition(" ")[2]  # its task mark stays
        first, *more = text.split("\n")
        self.lines += [f"{by if mark else inner}{mark}{first}", *(f"{inner}{line}" for line in more)]
        self.prose.append(prose)

    def end(self) -> None:
        """The note at hand and the list it may stand in are over."""
        self.close()
        self.lead = ""

    def close(self) -> None:
        """Keeps the note at hand when it says something."""
        text = "\n".join(line.rstrip() for line in self.lines).strip()
        if text and (why := _says_nothing(text)):
            self.left.append(LeftOut(self.line, why))
        elif text:
            headings = (*(heading for _, heading in self.headings), *([self.lead] if self.lead else []))
            prose = "\n".join((*headings, *self.prose))
            named = (found[2].strip() for found in _SPAN.finditer(prose))
            self.notes.append(Note(headings, text, self.line, tuple(dict.fromkeys(filter(None, named)))))
        self.lines, self.prose, self.leads = [], [], False


def _says_nothing(text: str) -> Literal["", "links", "one_word"]:
    """Why it is no note: a table of contents, an inclusion, images, a single word such as the state of a record."""
    if _STATE.fullmatch(text.replace("*", "")):
        return "one_word"
    if _INCLUDE.fullmatch(text) or all(_ONLY_LINKS.fullmatch(line) for line in text.split("\n")):
        return "links"
    words = re.findall(r"\w+", _IMAGE.sub("", text))
    if words:
        return "one_word" if len(words) == 1 and words[0].isascii() else ""
    return "links" if _IMAGE.search(text) else "one_word"


def _level(node: Node) -> int:
    marks = (re.search(r"_h([1-6])_", child.type) for child in node.children)
    return next((int(found[1]) for found in marks if found), 1)


def _heading(node: Node) -> str:
    inner = next((child for child in node.named_children if child.type in ("inline", "paragraph")), None)
    text = _joined(_text(inner)).replace("\n", " ") if inner else ""
    return re.sub(r"(?:^|(?<=\s))#+\s*$", "", text).strip().strip("*").strip()


def _code(node: Node) -> str:
    text = _text(node).strip("\n")
    return text.rstrip() if node.type == "fenced_code_block" else "\n".join(f"    {line}" for line in _dedented(text))


def _dedented(text: str) -> list[str]:
    lines = text.rstrip().split("\n")
    first = re.match(r"[ \t]*", lines[0])
    return [line.removeprefix(first[0] if first else "") for line in lines]


def _cells(row: Node) -> list[str]:
    text = _text(row).strip().removeprefix("|")
    return _PIPE.split(text.removesuffix("|") if not text.endswith("\\|") else text)


def _joined(text: str) -> str:
    """The lines of a paragraph as one, but where a break is meant; without a blank inside of CJK."""
    made, hard = "", False
    for line in text.split("\n"):
        told = line.strip()
        broken = hard
        hard = line.endswith(("  ", "\\"))
        told = told.removesuffix("\\").rstrip() if hard else told
        if made and told:
            made += "\n" if broken else "" if _is_wide(made[-1]) and _is_wide(told[0]) else " "
        made += told
    return made


def _is_wide(letter: str) -> bool:
    """Written without blanks between words: Chinese and Japanese, not Korean."""
    return east_asian_width(letter) in ("W", "F") and not "\uac00" <= letter <= "\ud7a3"

"""Texts that are not to be parsed: what would make a scanner overwrite its memory, or a query take forever.

Two scanners keep their open blocks in 1024 bytes and do not look where those end: 254 blocks of Markdown, 252 of YAML.
What is counted here is never less than what they keep, and refused far below. The library's query looks, at each
token, for the next named one among its siblings: a long row of brackets that nobody closed costs its square.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from tree_sitter import Node

DEEPEST: Final = 200
MARKS: Final = rb"(?m)^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]))[ \t]*)+"
MARK: Final = rb">|[-+*.)]"
LINES: Final = rb"(?m)^( *)((?:[-?:](?=[ \n])[ \t]*)*)([^ \n])?"


def markdown(folded: bytes) -> bool:
    """Quotes and list items open at one line: its marks, and two columns for each item that goes on."""
    return any(deep_marks(found[0]) > DEEPEST for found in re.finditer(MARKS, folded))


def deep_marks(opening: bytes) -> int:
    return len(re.findall(MARK, opening)) + (opening.count(b" ") + 4 * opening.count(b"\t")) // 2


def yaml(folded: bytes) -> bool:
    """Blocks open at one line: a sequence and a mapping for each indentation around it, and its own indicators."""
    around: list[int] = []
    for found in re.finditer(LINES, folded):
        if found[3] is None and not found[2]:
            continue
        column = len(found[1])
        while around and around[-1] >= column:
            around.pop()
        around.append(column)
        if 2 * len(around) + len(found[2]) > DEEPEST:
            return True
    return False


TOO_DEEP: Final[Mapping[str, Callable[[bytes], bool]]] = {"markdown": markdown, "yaml": yaml}


def is_too_deep(folded: bytes, language: str) -> bool:
    """Whether a scanner could run over the end of what it keeps."""
    return language in TOO_DEEP and TOO_DEEP[language](folded)


MOST_IN_A_ROW: Final = 10_000  # tokens without a name beside each other: a fifth of a second
WORDLESS: Final = rb"(?:[^\w\s]\s*+)++"
WORDS_AND_BLANKS: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ \t\n\r\v\f"


def is_crowded(root: Node, folded: bytes) -> bool:
    """Whether some node holds a longer row of such tokens. Looks at the tree only where the text has one."""
    if len(folded.translate(None, WORDS_AND_BLANKS)) <= MOST_IN_A_ROW:
        return False
    if not any(found.end() - found.start() > MOST_IN_A_ROW for found in re.finditer(WORDLESS, folded)):
        return False
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.child_count - node.named_child_count > MOST_IN_A_ROW and longest_row(node) > MOST_IN_A_ROW:
            return True
        waiting += [child for child in node.children if child.child_count]
    return False


def longest_row(node: Node) -> int:
    longest = row = 0
    for child in node.children:
        row = 0 if child.is_named else row + 1
        longest = max(longest, row)
    return longest

"""A parse that ends: where the grammar does not get over an error, no tree instead of minutes.

Some texts of five kilobytes with one bracket too many keep a parser busy for minutes and take gigabytes.
"""

import time
from typing import Final

import tree_sitter

LEAST: Final = 1.0  # seconds of this thread
A_BYTE: Final = 1e-5  # seconds more; a sound text takes a tenth to a hundredth of it
LONGER: Final = 4  # times the wait, when the machine gave this thread less


def tree_of(grammar: tree_sitter.Language, source: bytes) -> tree_sitter.Tree | None:
    """None when the parser was at it too long for the size of the text, however busy the machine."""
    allowed = wait = LEAST + A_BYTE * len(source)
    while True:
        begun = time.thread_time()
        # A new one each time: a parse that goes on where it was stopped can end with another tree. The timeout is of
        # the wall clock; what is to replace it only works without the texts of the nodes.
        parser = tree_sitter.Parser(grammar, timeout_micros=int(wait * 1e6))
        try:
            return parser.parse(source)
        except ValueError:
            if time.thread_time() - begun > allowed / 2:
                return None
            wait *= LONGER

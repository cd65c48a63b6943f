"""One language as loaded: its row, its grammar, its compiled query. A value without behaviour.

The only module beside `registry` that names tree-sitter in this room.
"""

from collections.abc import Mapping
from typing import NamedTuple

import tree_sitter


class Language(NamedTuple):
    name: str
    grammar: tree_sitter.Language
    query: tree_sitter.Query
    separator: str  # between the parts of a qualified name as the language writes it: "::", ".", "\\"
    scalars: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    epoch: str

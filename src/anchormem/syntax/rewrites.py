"""The few rules of formatter noise that no table can say; a language file names them with `hash.rewrite: rule:kind`.

A rule takes a node and its children as the walk is to see them, and gives those children back, changed or not. It knows
node kinds only by the names the grammars that need it share.
"""

from collections.abc import Callable, Mapping

from tree_sitter import Node

from anchormem.syntax.items import Item
from anchormem.syntax.recipe import Recipe

Rule = Callable[[Recipe, Node, list[Item]], list[Item]]

REWRITES: Mapping[str, Rule] = {}

"""What the walk sees of a node's children: nodes as parsed, nodes made up for it, and byte ranges that are dropped."""

from tree_sitter import Node

from anchormem.syntax.recipe import SKIP, Recipe


class Made:
    """A node the walk is to see instead of what the parser gave: `items` None makes it a leaf that says `text`.

    `textual`: a quote may hold a part of it. `of`: the node it respells, whose marks still apply.
    """

    __slots__ = ("code", "end", "items", "kind_id", "of", "start", "text", "textual")

    def __init__(
        self,
        code: int,
        kind_id: int,
        items: "list[Item] | None",
        text: bytes,
        start: int,
        end: int,
        *,
        textual: bool = False,
        of: Node | None = None,
    ) -> None:
        self.code = code
        self.kind_id = kind_id
        self.items = items
        self.text = text
        self.start = start
        self.end = end
        self.textual = textual
        self.of = of

    @property
    def start_byte(self) -> int:
        return self.start

    @property
    def end_byte(self) -> int:
        return self.end


Item = Node | Made | tuple[int, int]


def span(item: Node | Made) -> tuple[int, int]:
    return item.start_byte, item.end_byte


def kind_of(item: Item) -> int:
    return -1 if isinstance(item, tuple) else item.kind_id


def matters(recipe: Recipe, item: Item) -> bool:
    return not isinstance(item, tuple) and recipe.act.get(item.kind_id) != SKIP


def bare(node: Node, inner: Node) -> list[Item]:
    """`inner` in the place of the node that holds it."""
    return [(node.start_byte, inner.start_byte), inner, (inner.end_byte, node.end_byte)]

"""What one run of a language's query finds in a tree: definitions with all that was captured for them, uses, imports.

Not nested yet: that is `plan`. A definition stays a bundle of matches until somebody needs its frame, because most
bundles are values inside functions, of which only the names matter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import tree_sitter
from tree_sitter import Node

from anchormem.syntax.declarators import Declared, declared, is_alone
from anchormem.syntax.frames import PROSE, VALUE, Frame, Mark, join
from anchormem.syntax.recipe import Recipe

Captures = dict[str, list[Node]]

MOST_PENDING: Final = 512  # half-made matches the query may carry: each costs time at every node
DEEPEST_MATCH: Final = 2000  # nodes around a match; the library keeps depths in 16 bits and hangs beyond
FLAGS: Final = frozenset({"attribute", "directive", "label", "doc"})  # captures that only mark their node


class Match(NamedTuple):
    pattern: int
    kind: str
    captures: Captures
    settings: Mapping[str, str | None]
    told: Declared | None  # what a declarator says


@dataclass(slots=True)
class Bundle:
    """All matches of one definition node; the earliest pattern of the file tells its kind."""

    node: Node
    matches: list[Match] = field(default_factory=list)
    group: Node | None = None

    @property
    def kind(self) -> str:
        return min(self.matches, key=lambda match: match.pattern).kind

    def is_plain_value(self) -> bool:
        """A value whose name stands in a capture: inside a function it need not become a frame."""
        if any(match.told is not None or "outward" in match.settings for match in self.matches):
            return False
        return self.kind in VALUE

    def names(self, source: bytes) -> set[bytes]:
        nodes = [n for match in self.matches for key in ("name", "name.kept") for n in match.captures.get(key, ())]
        return {source[node.start_byte : node.end_byte] for node in nodes}


@dataclass(slots=True)
class Harvest:
    source: bytes
    recipe: Recipe
    bundles: dict[int, Bundle] = field(default_factory=dict)  # by definition node
    covers: dict[int, Node] = field(default_factory=dict)  # what is covered → by what
    tagged: dict[int, Mapping[str, str | None]] = field(default_factory=dict)  # wrapper → tag and kind
    locals: list[Node] = field(default_factory=list)
    fences: dict[int, Node] = field(default_factory=dict)
    calls: list[tuple[Node, Node | None]] = field(default_factory=list)
    imports: dict[int, tuple[Node, str, dict[str, None]]] = field(default_factory=dict)
    bases: list[tuple[int, Node, str]] = field(default_factory=list)  # deriving node, base, relation
    rest: list[tuple[int, str]] = field(default_factory=list)  # file-scoped namespaces: from where, name
    marks: dict[int, Mark] = field(default_factory=dict)
    marked: set[int] = field(default_factory=set)
    firsts: dict[int, int] = field(default_factory=dict)  # parent → its first statement, where it has several

    def mark(self, node: Node) -> Mark:
        found = self.marks.get(node.id)
        if found is None:
            found = self.marks[node.id] = Mark()
            self.marked.add(node.start_byte)
        return found

    def take(self, pattern: int, captures: Captures) -> None:
        if "local" in captures:
            self.locals += captures["local"]
        elif "reference.call" in captures:
            self.calls.append((captures["reference.call"][0], next(iter(captures.get("receiver", ())), None)))
        elif "fence" in captures:
            self.fences |= {node.id: node for node in captures["fence"]}
        elif "cover" in captures:
            self.covers |= {node.id: captures["cover"][0] for node in captures["covered"]}
        elif "tagged" in captures:
            self.tagged.setdefault(captures["tagged"][0].id, self.recipe.settings[pattern])
        elif "scope.rest" in captures:
            name = dotted(self.text(captures["name"][0]), self.recipe)
            self.rest.append((captures["scope.rest"][0].end_byte, name))
        else:
            self.take_by_name(pattern, captures)

    def take_by_name(self, pattern: int, captures: Captures) -> None:
        for name, nodes in captures.items():
            if name.startswith("definition.") or name in {"scope", "lends"}:
                for node in nodes:
                    self.take_definition(pattern, name.removeprefix("definition."), node, captures)
            elif name in FLAGS:
                for node in nodes:
                    setattr(self.mark(node), name, True)
            elif name == "doc.first":
                for node in nodes:
                    self.mark(node).doc |= self.is_first_of_several(node, captures["within"][0])
            elif name.startswith("inherit."):
                rel, deriving = name.removeprefix("inherit."), captures["derived"][0].id
                self.bases += [(deriving, node, rel) for node in nodes]
        if "import.module" in captures or "import.name" in captures:
            self.take_import(captures)

    def take_definition(self, pattern: int, kind: str, node: Node, captures: Captures) -> None:
        settings = self.recipe.settings[pattern]
        spelled = captures.get("declarator.function") or captures.get("declarator.value")
        told = declared(spelled[0]) if spelled else None
        if spelled and (told is None or (told.parameters is not None) != ("declarator.function" in captures)):
            return
        group = captures["group"][0] if "group" in captures else None
        if group is not None and "alone" in settings and is_alone(group, node):
            node, group = group, None
        bundle = self.bundles.get(node.id)
        if bundle is None:
            bundle = self.bundles[node.id] = Bundle(node)
        bundle.group = bundle.group or group
        if told is not None:
            kind = told.kind or kind
        bundle.matches.append(Match(pattern, kind, captures, settings, told))

    def take_import(self, captures: Captures) -> None:
        """Matches of one statement gather under its `@import` node, or under the module's node where there is none."""
        modules = captures.get("import.module", [])
        owner = captures.get("import", modules)[0]
        module = self.text(modules[0]).strip("\"'<>`") if modules else ""
        known = self.imports.setdefault(owner.id, (owner, module, {}))
        known[2].update(dict.fromkeys(map(self.text, captures.get("import.name", []))))

    def is_first_of_several(self, node: Node, parent: Node) -> bool:
        """A docstring counts as code where nothing else is in the body."""
        if parent.id not in self.firsts:
            comments = self.recipe.comments
            statements = [child for child in parent.named_children if child.kind_id not in comments]
            self.firsts[parent.id] = statements[0].id if len(statements) > 1 else -1
        return self.firsts[parent.id] == node.id

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode(errors="replace")

    def frame(self, bundle: Bundle) -> Frame:
        """The frame of a bundle: names of all its matches, parts of those that agree about its kind."""
        kind = bundle.kind
        frame = Frame(kind, bundle.node)
        for match in bundle.matches:
            self.name(frame, match)
            frame.selves.update(map(self.bytes, match.captures.get("self", ())))
            frame.chained |= "chained" in match.settings
            frame.outward |= "outward" in match.settings
            tag = " ".join(" ".join(map(self.text, match.captures.get("tag", ()))).split())
            frame.tag = frame.tag or tag or match.settings.get("tag") or ""
            if match.kind == kind:
                self.parts(frame, match)
        for node in self.wrapped(bundle.node):
            told = self.tagged.get(node.id, {})
            frame.tag, frame.kind = frame.tag or told.get("tag") or "", told.get("kind") or frame.kind
        return frame

    def wrapped(self, node: Node) -> Iterator[Node]:
        """A node and its wrappers, from the inside."""
        yield node
        while (cover := self.covers.get(node.id)) is not None:
            node = cover
            yield node

    def bytes(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def name(self, frame: Frame, match: Match) -> None:
        told = match.told
        qualifier = "".join(dotted(self.text(n), self.recipe) for n in match.captures.get("qualifier", [])[:1])
        if told is not None:
            qualifier = join(*told.scopes)
            if told.name.start_byte not in frame.name_starts:
                frame.declared = True
                frame.add_name(told.name, told.text, join(qualifier, told.text), kept=told.kind == "operator")
        for key in ("name", "name.kept"):
            for node in match.captures.get(key, ()):
                if node.start_byte not in frame.name_starts:
                    written = (match.settings.get("prefix") or "") + self.written(node, match.kind)
                    path = join(qualifier, written)
                    frame.add_name(node, written.rpartition(".")[2], path, kept=key == "name.kept")
        if qualifier and frame.owner is None:
            frame.owner = Frame("scope", frame.node, names=[qualifier.rpartition(".")[2].encode()])

    def written(self, name: Node, kind: str) -> str:
        text = self.text(name).strip("\"'`")
        return " ".join(text.split()) if kind in PROSE else dotted(text.lstrip(":"), self.recipe)

    def parts(self, frame: Frame, match: Match) -> None:
        for key in ("body", "value"):
            for region in match.captures.get(key, ()):
                if all(region.id != known.id for known in frame.body):
                    frame.body.append(region)
        frame.has_value |= "value" in match.captures
        told = match.told.parameters if match.told is not None else None
        frame.parameters = frame.parameters or next(iter(match.captures.get("parameters", ())), None) or told


def harvest(root: Node, source: bytes, recipe: Recipe) -> Harvest:
    found = Harvest(source, recipe)
    cursor = tree_sitter.QueryCursor(recipe.language.query, match_limit=MOST_PENDING)
    cursor.set_max_start_depth(DEEPEST_MATCH)
    for pattern, captures in cursor.matches(root):
        found.take(pattern, captures)
    return found


def dotted(name: str, recipe: Recipe) -> str:
    """A name as the language writes it, with dots between its parts and without blanks."""
    name = "".join(name.split())
    separator = recipe.language.separator
    return name.strip(separator).replace(separator, ".") if separator != "." else name

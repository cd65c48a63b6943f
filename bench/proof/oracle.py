"""What Python's own `ast` and `tokenize` say of a file: its definitions, each with a normal form made here.

The judge of the history proof: it shares no code and no table with what it judges. Two definitions are equal when
their syntax trees are (own and enclosing names left open, documentation aside) and their literals are spelled alike.
"""

import ast
import hashlib
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from proof.spelling import Token, spelled, tokens_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Text that says nothing of its own in a dump: how a string was prefixed, comments that a type checker reads.
SILENT_FIELDS = {"kind", "type_comment", "type_ignores"}


@dataclass(frozen=True, slots=True)
class Definition:
    """`kind`: function, class or value. `words`: its code tokens in order, documentation and layout left out; `rows`:
    the line of each.
    """

    qualified: str
    kind: str
    body: str
    signature: str
    words: tuple[str, ...]
    rows: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.qualified.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Module:
    definitions: tuple[Definition, ...]
    whole: str

    def called(self, qualified: str) -> list[Definition]:
        return [one for one in self.definitions if one.qualified == qualified]


@lru_cache(maxsize=4096)
def read(source: bytes) -> Module | str:
    """The file as Python understands it, or why it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            tokens = tokens_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    _indent_forgotten(tree)
    return _Reader(tree, tokens).module()


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class _Reader:
    def __init__(self, tree: ast.Module, tokens: list[Token]) -> None:
        self.tree = tree
        documented = sorted(_documentation(tree))
        self.tokens = [one for one in tokens if not _within(documented, one.start)]
        self.starts = [one.start for one in self.tokens]
        self.inner: dict[ast.AST, str] = {}  # of each function and class read so far its name and body

    def module(self) -> Module:
        definitions = tuple(self.definitions(self.tree.body, ()))
        whole = said(self.tree, {}, (), self.inner) + repr(spelled(self.tokens))
        return Module(definitions, _digest(whole))

    def between(self, start: tuple[int, int], end: tuple[int, int]) -> list[Token]:
        return self.tokens[bisect_left(self.starts, start) : bisect_left(self.starts, end)]

    def definitions(self, body: Iterable[ast.stmt], around: tuple[Named, ...]) -> Iterator[Definition]:
        """Every definition, a nested one before the one it is in."""
        for statement in body:
            if isinstance(statement, NAMED):
                yield from self.definitions(statement.body, (*around, statement))
                made = self.named(statement, around)
                self.inner[statement] = f"{made.name}={made.body}"
                yield made
            elif (target := _target(statement, local=_is_local(around))) is not None:
                yield self.value(statement, target, around)
            else:
                for inner in _blocks(statement):
                    yield from self.definitions(inner, around)

    def named(self, node: Named, around: tuple[Named, ...]) -> Definition:
        start, end = _start(node), _end(node)
        names = _own(node.name, around)
        tokens = self.between(start, end)
        return Definition(
            ".".join([*(one.name for one in around), node.name]),
            "class" if isinstance(node, ast.ClassDef) else "function",
            _digest(said(node, names, around, self.inner, own=node), repr(spelled(tokens))),
            self.signature(node, around),
            *words_of(tokens, names),
        )

    def value(self, node: ast.stmt, target: ast.Name, around: tuple[Named, ...]) -> Definition:
        start, end = (node.lineno, node.col_offset), _end(node)
        names, tokens = _own(target.id, around), self.between(start, end)
        body = said(node, names, around, self.inner) + repr(spelled(tokens))
        return Definition(
            ".".join([*(one.name for one in around), target.id]),
            "value",
            _digest(body),
            self.declaration(node, names, around),
            *words_of(tokens, names),
        )

    def declaration(self, node: ast.stmt, names: Mapping[str, int], around: tuple[Named, ...]) -> str:
        """A value without its initialiser."""
        if not isinstance(node, ast.AnnAssign):
            return _digest("value")
        note = node.annotation
        start = (note.lineno, note.col_offset)
        return _digest("value", said(note, names, around, self.inner), repr(spelled(self.between(start, _end(note)))))

    def signature(self, node: Named, around: tuple[Named, ...]) -> str:
        names = _own(node.name, around)
        first = node.body[0]  # a decorated one begins before the line that `ast` names
        head = self.between(_start(node), _start(first) if isinstance(first, NAMED) else _position(first))
        parts = [type(node).__name__, repr(spelled(head))]
        parts += [said(getattr(node, each), names, around, {}) for each in node._fields if each not in ("name", "body")]
        if isinstance(node, ast.ClassDef):
            parts += [f"{name}={form}" for name, form in self.members(node.body, (*around, node))]
        return _digest(*parts)

    def members(self, body: Iterable[ast.stmt], around: tuple[Named, ...]) -> Iterator[tuple[str, str]]:
        """What a class says of each member, in order."""
        for statement in body:
            if isinstance(statement, NAMED):
                yield statement.name, self.signature(statement, around)
            elif (target := _target(statement, local=False)) is not None:
                yield target.id, self.declaration(statement, _own(target.id, around), around)
            elif isinstance(statement, ast.Assign):
                for each in statement.targets:
                    if isinstance(each, ast.Tuple):
                        yield ",".join(one.id for one in each.elts if isinstance(one, ast.Name)), "values"
            else:
                for inner in _blocks(statement):
                    yield from self.members(inner, around)


# ── where things are ────────────────────────────────────────────────────────────────────────────────────────────────


def _start(node: Named) -> tuple[int, int]:
    first = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
    return (first, 0) if node.decorator_list else (node.lineno, node.col_offset)


def _position(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement, in source order."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        inner = getattr(statement, field, [])
        for one in inner if isinstance(inner, list) else ():
            if isinstance(one, ast.ExceptHandler | ast.match_case):
                yield one.body
        if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
            yield inner


def _is_local(around: tuple[Named, ...]) -> bool:
    return bool(around) and isinstance(around[-1], FUNCTIONS)


def _target(statement: ast.stmt, *, local: bool) -> ast.Name | None:
    """The one name that an assignment defines; inside a function only where it names a function."""
    if isinstance(statement, ast.AnnAssign):
        target: ast.expr = statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    else:
        return None
    if local and not isinstance(statement.value, ast.Lambda):
        return None
    return target if isinstance(target, ast.Name) else None


def _documentation(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and _text_of(node):
            yield (node.body[0].lineno, node.body[0].col_offset), _end(node.body[0])


def _has_doc(node: ast.Module | Named) -> bool:
    """A plain string first, unless nothing else is in the body: then it is what the body says, however indented."""
    return len(node.body) > 1 and _text_of(node) is not None


def _text_of(node: ast.Module | Named) -> ast.Constant | None:
    first = node.body[0] if node.body else None
    value = first.value if isinstance(first, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _indent_forgotten(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            text = _text_of(node)
            if text is not None:
                text.value = "\n".join(line.strip() for line in str(text.value).strip().splitlines())


def _within(spans: list[tuple[tuple[int, int], tuple[int, int]]], at: tuple[int, int]) -> bool:
    index = bisect_left(spans, (at, (1 << 60, 0))) - 1
    return index >= 0 and at < spans[index][1]


# ── the form of a tree ──────────────────────────────────────────────────────────────────────────────────────────────


def _own(name: str, around: tuple[Named, ...]) -> dict[str, int]:
    """Names left open: the definition's own (0) and those around it, by how far outwards."""
    return {one: depth for depth, one in reversed(list(enumerate([name, *(each.name for each in around[::-1])])))}


def said(
    node: object,
    names: Mapping[str, int],
    around: tuple[Named, ...],
    inner: Mapping[ast.AST, str],
    own: ast.AST | None = None,
) -> str:
    """A tree as text: kinds and fields, no positions, no documentation, open names as numbers, `inner` as given."""
    if isinstance(node, list):
        return "[" + ",".join([said(one, names, around, inner, own) for one in node]) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Name):
        return f"<{names[node.id]}>" if node.id in names else f"{type(node.ctx).__name__} {node.id}"
    if node in inner and node is not own:
        return inner[node]
    if isinstance(node, ast.Attribute) and _is_own_member(node, names, around):
        return f"{said(node.value, names, around, inner)}.<{names[node.attr]}>"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        bound = _bound(node)
        names = {name: depth for name, depth in names.items() if name not in bound}
    fields = {name: getattr(node, name, None) for name in node._fields if name not in SILENT_FIELDS}
    if node is own:
        fields["name"] = ""
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and _has_doc(node):
        fields["body"] = node.body[1:]
    parts = [f"{name}={said(value, names, around, inner, own)}" for name, value in fields.items()]
    return f"{type(node).__name__}{_spelled_apart(node)}({','.join(parts)})"


def _spelled_apart(node: ast.AST) -> str:
    """What one tree stands for and two spellings that no formatter exchanges do not."""
    if isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        return " elif" if node.orelse[0].col_offset == node.col_offset else " else if"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and node.slice.elts:
        first = node.slice.elts[0]
        bare = (first.lineno, first.col_offset) == (node.slice.lineno, node.slice.col_offset)
        return "" if bare else " of a tuple"
    return ""


def _is_own_member(node: ast.Attribute, names: Mapping[str, int], around: tuple[Named, ...]) -> bool:
    """`self.name`, `cls.name`, `Class.name` of a definition in that class that is being said, or is around it."""
    depth = names.get(node.attr, -1)
    if depth < 0 or depth >= len(around) or not isinstance(node.value, ast.Name):
        return False
    owner = around[len(around) - 1 - depth]
    return isinstance(owner, ast.ClassDef) and node.value.id in ("self", "cls", owner.name)


def _bound(node: Function | ast.Lambda) -> set[str]:
    """Parameters and locals of a function; those of functions inside it too, which errs towards shadowing."""
    held = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    body = node.body if isinstance(node.body, list) else [node.body]
    for inner in (one for statement in body for one in ast.walk(statement)):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            held.add(inner.id)
    return held


def words_of(tokens: Iterable[Token], names: Iterable[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Code tokens as they count in a quote, and their lines: open names as one mark, no comma before a closer."""
    open_names = set(names)
    words: list[str] = []
    rows: list[int] = []
    for one in tokens:
        if one.text in (")", "]", "}") and words and words[-1] == ",":
            words.pop()
            rows.pop()
        words.append("<own>" if one.is_name and one.text in open_names else one.norm)
        rows.append(one.start[0])
    return tuple(words), tuple(rows)

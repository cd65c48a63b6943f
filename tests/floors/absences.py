"""What must be absent where, as one table: a row finds its subject in a syntax tree and names who may have it."""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

_WALL_CLOCK = {
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime"},
    "datetime": {"now", "today", "utcnow"},
}
_BROAD = {"Exception", "BaseException"}


@dataclass(frozen=True, slots=True)
class Absence:
    """`finds` gives the lines where the subject occurs. `may`: path prefixes under src/anchormem that are free to."""

    subject: str
    finds: Callable[[ast.Module], Iterator[int]]
    may: tuple[str, ...]
    planted: str  # source in which it must be found
    innocent: str  # source that looks like it and is not


def imports_of(*roots: str) -> Callable[[ast.Module], Iterator[int]]:
    """Lines that import one of these top-level packages, whatever the form."""

    def find(tree: ast.Module) -> Iterator[int]:
        for node in ast.walk(tree):
            names: Iterable[str] = ()
            if isinstance(node, ast.Import):
                names = (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
            if any(name == root or name.startswith(f"{root}.") for name in names for root in roots):
                yield node.lineno  # type: ignore[attr-defined]  # only import statements have names here

    return find


def calls_of(*names: str) -> Callable[[ast.Module], Iterator[int]]:
    """Lines that call one of these plain names, or `module.attribute` where a name is dotted."""

    def find(tree: ast.Module) -> Iterator[int]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                yield node.lineno

    return find


def _either(*finders: Callable[[ast.Module], Iterator[int]]) -> Callable[[ast.Module], Iterator[int]]:
    def find(tree: ast.Module) -> Iterator[int]:
        for finder in finders:
            yield from finder(tree)

    return find


def _wall_clock(tree: ast.Module) -> Iterator[int]:
    """Readings of the time of day; waiting and measuring durations is something else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value).rpartition(".")[2]
            owner = "datetime" if owner == "date" else owner
            if node.attr in _WALL_CLOCK.get(owner, ()):
                yield node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module == "time" and _WALL_CLOCK["time"] & _imported(node):
            yield node.lineno


def _imported(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}


def _broad_except(tree: ast.Module) -> Iterator[int]:
    """Handlers and `suppress` of everything; one that only cleans up and raises again swallows nothing."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            broad = any(kind is None or ast.unparse(kind) in _BROAD for kind in caught)
            if broad and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None):
                yield node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "suppress":
            yield from (node.lineno for argument in node.args if ast.unparse(argument) in _BROAD)


ABSENCES = (
    Absence("sqlite3", imports_of("sqlite3", "_sqlite3"), ("store/",), "import sqlite3", "import sqlite"),
    Absence(
        "tree-sitter",
        imports_of("tree_sitter", "tree_sitter_language_pack"),
        ("languages/", "syntax/"),
        "from tree_sitter import Node",
        "from anchormem.syntax import tree",
    ),
    Absence(
        "child processes",
        _either(imports_of("subprocess", "pty"), calls_of("os.system", "os.popen", "os.execv", "os.spawnv", "os.fork")),
        ("project/", "agents/", "cli/verify.py", "cli/update.py", "cli/utf8.py"),
        "def f():\n    import subprocess as s",
        "import os\nos.getppid()",
    ),
    Absence("print", calls_of("print"), ("cli/",), "print('x')", "pprint('x')"),
    Absence(
        "mcp",
        imports_of("mcp", "mcp_types", "anyio", "pydantic"),
        ("server/",),
        "from mcp.server import Server",
        "import anchormem.mcp",
    ),
    Absence("asyncio", imports_of("asyncio"), ("server/",), "import asyncio", "import asyncore"),
    Absence(
        "the clock",
        _wall_clock,
        ("workspace/", "tools/", "server/", "agents/", "cli/"),
        "import datetime\ndatetime.datetime.now()",
        "import time\ntime.monotonic()",
    ),
    Absence(
        "a broad except",
        _broad_except,
        ("cli/", "server/"),
        "try:\n    x()\nexcept (ValueError, Exception):\n    pass",
        "try:\n    x()\nexcept ValueError:\n    pass",
    ),
    Absence(
        "the network",
        imports_of("socket", "http", "urllib.request", "ssl", "ftplib", "httpx2", "requests"),
        ("cli/update.py", "ui/"),
        "from urllib import request",
        "from urllib.parse import urlsplit",
    ),
)

# Rooms that only think: bytes and values in, values out.
PURE = ("reason/", "syntax/", "text/")
IMPURE = _either(
    imports_of("os", "pathlib", "shutil", "tempfile", "glob", "io", "sqlite3", "subprocess", "socket", "random"),
    calls_of("open"),
)

"""Which files of this checkout an import means, by its spelling: relative, dotted, with or without suffix.

Syntactic: no language's full rules of lookup, only the places where each usually finds a module.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename, dirname, join, normpath, splitext

from anchormem.model import Import
from anchormem.store import facts, files
from anchormem.workspace.session import Workspace

_SUFFIXES = {
    ".py": (".py", "/__init__.py", ".pyi"),
    ".rs": (".rs", "/mod.rs"),
    ".go": (),
    ".rb": (".rb",),
    ".php": (".php",),
    ".java": (".java",),
    ".cs": (".cs",),
    ".sh": (".sh",),
    **dict.fromkeys(
        (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"),
        (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.tsx", "/index.js", "/index.jsx"),
    ),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), ()),
}
_ROOTS = ("", "src", "lib", "app", "include", "src/main/java")
_OWN = ("crate", "self", "super", "")
MOST_WORKING = 20
MOST_IMPORTS = 60
MOST_IMPORTERS = 200


def of(ws: Workspace, working: Sequence[str]) -> frozenset[str]:
    """Files that the working set imports or that import it, the working set itself left out."""
    near: set[str] = set()
    for path in working[:MOST_WORKING]:
        near |= imported_by(ws, path)
        near |= importers_of(ws, path)
    return frozenset(near - set(working))


def imported_by(ws: Workspace, path: str) -> set[str]:
    """Files of this checkout that `path` imports."""
    spelled = {spelling for one in facts.imports_of(ws.store, path)[:MOST_IMPORTS] for spelling in spellings(one, path)}
    return set(files.get(ws.store, spelled)) - {path}


def importers_of(ws: Workspace, path: str) -> set[str]:
    """Files of this checkout that import `path`."""
    stem = splitext(basename(path))[0]
    keys = {stem, basename(dirname(path))} - {""}
    uses = facts.importers_of(ws.store, keys, limit=MOST_IMPORTERS)
    return {use.path for use in uses if use.path != path and path in set(spellings(use.imported, use.path))}


def spellings(one: Import, at: str) -> Iterator[str]:
    """The paths that an import written in the file `at` may mean."""
    suffixes = _SUFFIXES.get(splitext(at)[1].lower(), ())
    for module in _modules(one):
        for folder in _folders(module, at):
            for stem in _stems(module, at):
                target = normpath(join(folder, stem))
                if target.startswith(("../", "/")) or target in ("..", "."):
                    continue
                yield target
                for suffix in suffixes:
                    yield target + suffix


def _modules(one: Import) -> Iterator[str]:
    """The module, and each name brought in from it as a module of its own (`from package import module`)."""
    yield one.module
    if "/" not in one.module:
        joint = "::" if "::" in one.module else "\\" if "\\" in one.module else "."
        for name in one.names[:10]:
            yield one.module + name if one.module.endswith(".") else f"{one.module}{joint}{name}"


def _folders(module: str, at: str) -> Iterable[str]:
    """Where the path begins: at the importing file for relative spellings, else there, above, in the usual roots."""
    here = dirname(at)
    if module.startswith(("./", "../")):
        return (here,)
    if module.startswith("."):
        up = len(module) - len(module.lstrip(".")) - 1
        for _ in range(up):
            here = dirname(here)
        return (here,)
    above = [here]
    while here:
        here = dirname(here)
        above.append(here)
    roots = [join(folder, root) for folder in above[-2:] for root in _ROOTS[1:]]
    return dict.fromkeys([*above, *roots])


def _stems(module: str, at: str) -> Iterator[str]:
    """The module as a path, whole, and (for `crate::a::Thing`, `com.firm.Thing.member`) without its last part."""
    if "/" in module or at.endswith((".c", ".h", ".cc", ".cpp", ".hpp", ".hh", ".cxx", ".hxx")):
        yield module
        return
    parts = [part for part in re.split(r"::|[.\\]", module.lstrip(".")) if part not in _OWN]
    if parts:
        yield "/".join(parts)
    if len(parts) > 1:
        yield "/".join(parts[:-1])

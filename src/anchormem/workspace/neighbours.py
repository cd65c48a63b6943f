"""Which files of this checkout an import means, by its spelling: relative, dotted, with or without suffix.

Syntactic: no language's full rules of lookup, only the places where each usually finds a module.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from posixpath import basename, dirname, join, normpath, splitext
from typing import NamedTuple

from anchormem import languages
from anchormem.model import Import
from anchormem.store import facts, files
from anchormem.workspace.session import Workspace

_SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.tsx", "/index.js", "/index.jsx")
_SUFFIXES = {
    ".py": (".py", "/__init__.py", ".pyi"),
    ".rs": (".rs", "/mod.rs"),
    ".rb": (".rb",),
    ".php": (".php",),
    ".java": (".java",),
    ".cs": (".cs",),
    ".sh": (".sh",),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), _SCRIPTS),
}
_HEADERS = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx")
_FOLDER_FILES = ("/__init__", "/index", "/mod")  # what stands for its folder
_ROOTS = ("src", "lib", "app", "include", "src/main/java")
_OWN = ("crate", "self", "super", "")
_FAMILIES = {
    **dict.fromkeys(("javascript", "typescript", "tsx"), "javascript"),
    **dict.fromkeys(("c", "cpp", "c_or_cpp"), "c"),
}
MOST_WORKING = 20
MOST_IMPORTS = 60
MOST_IMPORTERS = 200
MOST_NAMES = 10


class Target(NamedTuple):
    """A path without suffix that an import names. `whole`: from the root; else it may begin in any folder."""

    path: str
    whole: bool


def speak(ws: Workspace, one: str, other: str) -> bool:
    """Whether code of one file can call code of the other: one family of languages, or a language no name tells."""
    families = [_family(path, tuple(ws.config.extensions.items())) for path in (one, other)]
    return "" in families or families[0] == families[1]


@lru_cache(maxsize=4096)
def _family(path: str, extensions: tuple[tuple[str, str], ...]) -> str:
    language = languages.language_of(path, b"", dict(extensions)) or ""
    return _FAMILIES.get(language, language)


def of(ws: Workspace, working: Sequence[str]) -> frozenset[str]:
    """Files that the working set imports or that import it, the working set itself left out."""
    near: set[str] = set()
    for path in working[:MOST_WORKING]:
        near |= imported_by(ws, path)
        near |= importers_of(ws, path)
    return frozenset(near - set(working))


def imported_by(ws: Workspace, path: str) -> set[str]:
    """Files of this checkout that `path` imports."""
    imports = facts.imports_of(ws.store, path)[:MOST_IMPORTS]
    spelled = {spelling for one in imports for target in targets(one, path) for spelling in _spellings(target, path)}
    return set(files.get(ws.store, spelled)) - {path}


def importers_of(ws: Workspace, path: str) -> set[str]:
    """Files of this checkout that import `path`."""
    stem = splitext(basename(path))[0]
    keys = {stem, basename(dirname(path))} - {""}
    uses = facts.importers_of(ws.store, keys, limit=MOST_IMPORTERS)
    return {use.path for use in uses if use.path != path and means(use.imported, use.path, path)}


def means(one: Import, at: str, path: str) -> bool:
    """Whether an import written in the file `at` may mean the file `path`."""
    stem = path if path.endswith(_HEADERS) else _stem(path)
    return any(
        stem == target.path or (not target.whole and stem.endswith(f"/{target.path}")) for target in targets(one, at)
    )


@lru_cache(maxsize=4096)
def _stem(path: str) -> str:
    """The path as an import names it: without suffix, and a folder for the file that stands for it."""
    stem = splitext(path)[0]
    for name in _FOLDER_FILES:
        if stem.endswith(name):
            return stem.removesuffix(name)
    return stem


def targets(one: Import, at: str) -> Iterator[Target]:
    """The module, and each name brought in from it that may be a module of its own (`from package import module`)."""
    module = one.module
    if module.startswith("."):
        base = _relative(module, at)
        if base is None:
            return
        yield Target(base, whole=True)
        yield from (Target(join(base, name), whole=True) for name in _modules(one.names, at))
    elif "/" in module or at.endswith(_HEADERS):
        yield Target(normpath(module), whole=False)
    else:
        parts = [part for part in re.split(r"::|[.\\]", module) if part not in _OWN]
        if parts:
            yield Target("/".join(parts), whole=False)
            yield from (Target("/".join((*parts, name)), whole=False) for name in _modules(one.names, at))
        if len(parts) > 1 and not parts[-1][:1].islower():
            yield Target("/".join(parts[:-1]), whole=False)


def _modules(names: Sequence[str], at: str) -> Iterable[str]:
    """Names that may be files. In Python and Rust a name spelled with a capital is a thing inside the module."""
    small_only = at.endswith((".py", ".pyi", ".rs"))
    return [name for name in names[:MOST_NAMES] if not small_only or name[:1].islower()]


def _relative(module: str, at: str) -> str | None:
    """The path of `./x`, `../x`, `.x`, `..x`; None where it leads out of the root."""
    here = dirname(at)
    if module.startswith(("./", "../")):
        found = normpath(join(here, module))
        suffix = splitext(found)[1]
        return None if found.startswith("..") else found.removesuffix(suffix) if suffix in _SUFFIXES else found
    rest = module.lstrip(".")
    for _ in range(len(module) - len(rest) - 1):
        if not here:
            return None
        here = dirname(here)
    return join(here, rest.replace(".", "/")) if rest else here


def _spellings(target: Target, at: str) -> Iterator[str]:
    """The files a target may be: beside the importing file, above it, and in the usual roots."""
    suffixes = ("",) if at.endswith(_HEADERS) else _SUFFIXES.get(splitext(at)[1].lower(), ())
    for folder in ("",) if target.whole else _folders(dirname(at)):
        place = f"{folder}/{target.path}" if folder else target.path
        for suffix in suffixes:
            yield place + suffix


@lru_cache(maxsize=4096)
def _folders(here: str) -> tuple[str, ...]:
    above = [here]
    while here:
        here = dirname(here)
        above.append(here)
    roots = [join(folder, root) for folder in above[-2:] for root in _ROOTS]
    return tuple(dict.fromkeys((*above, *roots)))

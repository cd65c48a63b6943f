"""The doctor's checks of this machine alone: each a function and a row, each able to fail. Knows no repository."""

import shlex
import sys
from importlib import metadata
from pathlib import Path

from anchormem import languages
from anchormem.errors import AnchormemError
from anchormem.workspace.finding import Check, Finding

PACK = "tree-sitter-language-pack"
PINNED = "0.13.0"
LOWEST_PYTHON = (3, 11)


def interpreter(start: Path) -> Finding:  # noqa: ARG001 — every check of the machine takes a path
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < LOWEST_PYTHON:
        return Finding("", "fail", f"Python {version} is too old", "install anchormem with Python 3.11 or newer")
    return Finding("", "ok", f"Python {version} at {sys.executable}")


def grammars(start: Path) -> Finding:  # noqa: ARG001 — every check of the machine takes a path
    """1.x of the pack carries no grammar and downloads each: without a network there is none."""
    fix = f"{shlex.quote(sys.executable)} -m pip install '{PACK}=={PINNED}'"
    try:
        version = metadata.version(PACK)
    except metadata.PackageNotFoundError:
        return Finding("", "fail", f"{PACK} is not installed: only files can be anchored", fix)
    if version.split(".")[0] != "0":
        return Finding("", "fail", f"{PACK} {version} carries no grammars: only files can be anchored", fix)
    missing = [name for name in languages.names() if not _loads(name)]
    if missing:
        return Finding("", "fail", f"no grammar for {', '.join(missing)}: their symbols cannot be anchored", fix)
    return Finding("", "ok", f"{len(languages.names())} languages, {PACK} {version}")


def _loads(name: str) -> bool:
    try:
        languages.load(name)
    except AnchormemError:
        return False
    return True


MACHINE: tuple[tuple[str, Check], ...] = (("interpreter", interpreter), ("grammars", grammars))

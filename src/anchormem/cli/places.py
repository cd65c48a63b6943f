"""Paths as a person writes them, from the current directory, turned into paths from the project's root.

Only spells them anew: what may be named is decided at the project's one gate. Knows nothing of what a path is for.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from os.path import lexists, normpath, realpath
from pathlib import Path

from anchormem.errors import UsageError
from anchormem.workspace.nearest import COLONS

ABOUT = "Paths are relative to the current directory, else to the project's root; absolute ones inside it are taken."

_LISTS = {"recall": "working_set", "affected": "paths", "remember": "anchors", "admin": "anchors"}
_SINGLE = {"map": "target", "admin": "path"}


@dataclass(frozen=True, slots=True)
class Places:
    """The project's root, and the folder that relative paths are written from."""

    root: str
    here: str

    def arguments(self, tool: str, args: Mapping[str, object]) -> Mapping[str, object]:
        """The checked arguments of a tool with every path from the root."""
        spelled = dict(args)
        single, several = _SINGLE.get(tool, ""), _LISTS.get(tool, "")
        if isinstance(text := args.get(single), str) and text:
            spelled[single] = self.named(text)
        if isinstance(values := args.get(several), list):
            spelled[several] = [self._element(value) for value in values]
        return spelled

    def named(self, text: str) -> str:
        """`path` or `path::symbol`."""
        self._refuse_colons(text)
        path, colons, symbol = text.partition("::")
        return f"{self.from_root(path)}{colons}{symbol}"

    def from_root(self, path: str) -> str:
        """What stands at the path from here; else from the root; where nothing stands, the likelier of both."""
        absolute = Path(path).is_absolute()
        full = self._resolved(path) if absolute else normpath(f"{self.here}/{path}")
        inside = self._inside(full)
        if not path or not inside:
            return path
        if absolute or lexists(full):
            return inside
        at_root = f"{self.root}/{path}"
        lost = not lexists(at_root) and lexists(os.path.dirname(full)) and not lexists(os.path.dirname(at_root))  # noqa: PTH120 — as text
        return inside if lost else path

    def _element(self, value: object) -> object:
        if isinstance(value, str):
            return self.named(value)
        if not isinstance(value, Mapping):
            return value
        file, symbol = value.get("file"), value.get("symbol")
        if not isinstance(file, str):
            return value
        spelled = {**value, "file": self.named(file)}
        if isinstance(symbol, str) and symbol.startswith(f"{file}::"):  # the full form carries the path once more
            self._refuse_colons(symbol)
            spelled["symbol"] = f"{spelled['file']}{symbol.removeprefix(file)}"
        return spelled

    def _inside(self, full: str) -> str:
        """From the root, `.` for the root itself, "" for what lies outside."""
        if full == self.root:
            return "."
        top = self.root.rstrip(os.sep) + os.sep
        return full[len(top) :].replace(os.sep, "/") if full.startswith(top) else ""

    def _resolved(self, path: str) -> str:
        """An absolute path as it stands, or through symbolic links where only so it is inside the root."""
        plain = normpath(path)
        return plain if self._inside(plain) else f"{realpath(os.path.dirname(plain))}/{os.path.basename(plain)}"  # noqa: PTH119, PTH120 — as text

    def _refuse_colons(self, text: str) -> None:
        if "::" in text and any(lexists(f"{folder}/{text}") for folder in (self.here, self.root)):
            raise UsageError(
                f"a file whose name holds :: cannot be named: {text}",
                COLONS,
            )


def places(root: Path, start: Path) -> Places:
    """Written from the current directory where that is in the project, else from where the search for it began."""
    here = Path.cwd()
    return Places(str(root), str(here if here.is_relative_to(root) else start.resolve()))

"""How a command's words become options: argparse, with our own errors, and flags made from a tool's argument rows.

Knows nothing of any single command.
"""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn, Protocol

from anchormem.errors import UsageError

Options = argparse.Namespace


class Parser(argparse.ArgumentParser):
    """argparse whose errors are ours: it would print its own usage and leave the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"{self.prog} --help explains the options")


class Row(Protocol):
    """What a flag is made from; the argument rows of tools are such."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def choices(self) -> tuple[str, ...]: ...


def parse(parser: Parser, words: Sequence[str]) -> Options:
    """The options of one call; an unknown flag is refused with the nearest known one."""
    options, left = parser.parse_known_intermixed_args(words)
    if not left:
        return options
    known = re.findall(r"(?<![\w-])--[a-z][a-z-]*", parser.format_help())
    near = get_close_matches(left[0].partition("=")[0], known, n=1, cutoff=0.5)
    guess = f", did you mean {near[0]}?" if near else ""
    what = "option" if left[0].startswith("-") else "argument"
    raise UsageError(f"unknown {what} {left[0]!a}{guess}", f"{parser.prog} --help explains the options")


def add_root(parser: Parser) -> None:
    parser.add_argument("--root", metavar="DIR", help="where the search for the project begins (default: here)")


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_rows(parser: Parser, rows: Iterable[Row], *, but: Sequence[str] = ()) -> None:
    """A flag for each argument row but those named. A list is given by repeating its flag."""
    for row in rows:
        if row.name in but:
            continue
        flag = f"--{row.name.replace('_', '-')}"
        about = "; ".join(part for part in (row.about, ", ".join(row.choices)) if part) or None
        if row.type == "boolean":
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=about)
        elif row.type in ("strings", "objects"):
            shown = f"{about or row.name}; may be repeated"
            parser.add_argument(flag, action="append", metavar="X", help=shown)
        else:
            parser.add_argument(flag, metavar="N" if row.type in ("integer", "number") else "X", help=about)


def given(options: Options, rows: Iterable[Row]) -> Mapping[str, object]:
    """What was given for these rows, as a tool's own check wants it."""
    values = {row.name: getattr(options, row.name, None) for row in rows}
    return {name: value[0] if _one_json(value) else value for name, value in values.items() if value not in (None, [])}


def _one_json(value: object) -> bool:
    """A list given once as JSON text is that list, not a list of one text."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) and value[0][:1] in ("[", "{")

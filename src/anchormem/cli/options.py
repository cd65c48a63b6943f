"""How a command's words become options: argparse, with our own errors, and flags made from a tool's argument rows.

Knows nothing of any single command.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn, Protocol

from anchormem.cli.screen import say
from anchormem.errors import UsageError

Options = argparse.Namespace

# What belongs to one anchor, for somebody who takes it for an option.
_OF_ANCHORS = {
    "file": "--anchor takes the path itself",
    "symbol": "--anchor takes path::symbol",
    **dict.fromkeys(("quote", "aspect"), 'it is part of an anchor: --anchor \'{"file": …, "symbol": …, "quote": …}\''),
}
_LITERAL = "\0"  # before a word that stands after `--`; no word of a command line can hold it


class Parser(argparse.ArgumentParser):
    """argparse whose errors are ours: it would print its own usage and leave the process, and hide a full disk."""

    def print_help(self, file: object = None) -> None:  # noqa: ARG002 — argparse's own signature
        say(self.format_help().rstrip())

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"{self._missing(message)}{self.prog} --help explains the options")

    def _missing(self, message: str) -> str:
        """What a place is for that was left empty."""
        places = [one for one in self._actions if not one.option_strings and one.help]
        missing = [one for one in places if message.endswith(f"required: {one.metavar or one.dest}")]
        return "".join(f"{one.metavar or one.dest}: {one.help}; " for one in missing)

    def takes_text(self) -> bool:
        """Whether one of its places is for a sentence."""
        return any(one.dest in ("task", "body") for one in self._actions)

    def spellings(self) -> dict[str, str]:
        """Every option's destination and the word a person knows it by: its flag, or the name of its place."""
        return {
            action.dest: action.option_strings[0] if action.option_strings else str(action.metavar or action.dest)
            for action in self._actions
        }


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


class Checked(Protocol):
    """A tool, as far as its check is concerned."""

    def arguments(self, given: Mapping[str, object], spell: Callable[[str], str]) -> Mapping[str, object]: ...


def parse(parser: Parser, words: Sequence[str]) -> Options:
    """The options of one call; an unknown flag is refused with the nearest known one. `--` ends the options."""
    _refuse_unreadable(words)
    before, after = _split(words)
    options, left = parser.parse_known_intermixed_args([*before, *(f"{_LITERAL}{word}" for word in after)])
    if left:
        raise _unknown(parser, left[0])
    for name, value in vars(options).items():
        setattr(options, name, _bare(value))
    options.spellings = parser.spellings()
    return options


def checked(options: Options, tool: Checked, said: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments as the tool wants them; what is wrong is told in flags, as they were typed."""

    def spell(name: str) -> str:
        return str(options.spellings.get(name, name))

    try:
        return tool.arguments(said, spell)
    except UsageError as error:
        message, hint = (re.sub(r"(?<![\w-])(--[a-z-]+)\[\d+\]", r"\1", text) for text in (error.message, error.hint))
        raise type(error)(message, hint) from None


def wants_json(words: Sequence[str]) -> bool:
    """Whether a program asks, as far as that shows in words that may be wrong."""
    return "--json" in _split(words)[0]


def _split(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end + 1 :]


def _bare(value: object) -> object:
    """Without the mark that kept a word from being read as an option."""
    if isinstance(value, list):
        return [_bare(element) for element in value]
    return value.removeprefix(_LITERAL) if isinstance(value, str) else value


def _refuse_unreadable(words: Sequence[str]) -> None:
    """What is not UTF-8 can be neither stored nor printed. A directory to start from may be called so."""
    for before, word in zip(("", *words), words, strict=False):
        if before == "--root" or word.startswith("--root="):
            continue
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageError(f"not UTF-8: {word!a}", "texts and file names are UTF-8; name the file's folder") from None


def _unknown(parser: Parser, word: str) -> UsageError:
    what = "option" if word.startswith("-") else "argument"
    word = word.removeprefix(_LITERAL)
    wanted = word.partition("=")[0].removeprefix("--")
    known = re.findall(r"(?<![\w-])--([a-z][a-z-]*)", parser.format_help())
    begun = [name for name in known if len(wanted) > 1 and name.startswith(wanted)]
    near = begun or get_close_matches(wanted, known, n=1, cutoff=0.6)
    guess = f", did you mean --{near[0]}?" if near and what == "option" else ""
    hint = f"{parser.prog} --help explains the options"
    if what == "argument" and parser.takes_text():
        hint = f"a text of several words stands in quotes; {hint}"
    elif wanted in _OF_ANCHORS and "anchor" in known:
        hint = f"{_OF_ANCHORS[wanted]}; {hint}"
    return UsageError(f"unknown {what} {word!a}{guess}", hint)


def add_root(parser: Parser) -> None:
    parser.add_argument("--root", metavar="DIR", help="where the search for the project begins (default: here)")


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_anchors(parser: Parser, about: str = "") -> None:
    """`--anchor`, in the short form or as an object, which alone can hold a quote or an aspect."""
    shown = (
        f'{about}a file or a symbol in it; or JSON {{"file", "symbol", "quote"}} to watch only a snippet, or'
        ' {"file", "symbol", "aspect"} with aspect body, signature or exists; may be repeated'
    )
    parser.add_argument("--anchor", dest="anchors", action="append", metavar="PATH[::SYMBOL]", help=shown)


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

"""The one error boundary, and what a word on the command line leads to: a command's module, imported when called.

Knows nothing of what a command does.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from keyword import iskeyword
from typing import Protocol, cast

from anchormem import __version__
from anchormem.cli import COMMANDS
from anchormem.cli.options import Options, Parser, parse, wants_json
from anchormem.cli.screen import say, unwritten
from anchormem.cli.utf8 import spell_out
from anchormem.errors import AnchormemError, Cancelled, UsageError

# What other programs call it: somebody who types one of these gets told our word.
ELSEWHERE = {
    "add": "remember",
    "ask": "recall",
    "delete": "admin forget",
    "edit": "remember --update",
    "init": "index",
    "note": "remember",
    "query": "recall",
    "remove": "admin forget",
    "search": "recall",
    "setup": "install",
    "show": "admin get",
    "sync": "import",
}


class _Module(Protocol):
    """What every command's module has."""

    def add_arguments(self, parser: Parser) -> None: ...

    def run(self, options: Options) -> int: ...


def obey(words: Sequence[str]) -> int:
    """Runs one command. 0: done. 1: failed, or findings. 2: the call itself is wrong."""
    spell_out(as_json=wants_json(words))
    try:
        return _flushed(list(words))
    except AnchormemError as error:
        return _failed(error, as_json=wants_json(words), words=words)
    except KeyboardInterrupt:
        return _failed(Cancelled("interrupted"), as_json=False)
    except BrokenPipeError:
        _silence(1)  # the reader left
        return 1
    except Exception as error:  # noqa: BLE001 — the one error boundary of the command line
        return _failed(_unforeseen(error), as_json=False)


def _flushed(words: list[str]) -> int:
    """Runs the command and writes out what it printed, so that a full disk is found here and not after the end."""
    if sys.stdout is None:
        raise AnchormemError("standard output is closed", "nothing was done; send it somewhere, /dev/null at least")
    try:
        return _run(words)
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            _silence(1)
            raise unwritten(error) from None


def _silence(stream: int) -> None:
    """What could not be written goes nowhere: the interpreter's last flush must not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def _run(words: list[str]) -> int:
    if not words:
        print(_help(), file=sys.stderr)
        return 2
    name, rest = words[0], words[1:]
    if name == "help" and rest:
        return _run([rest[0], "--help"])
    if name in ("-h", "--help", "help"):
        say(_help())
        return 0
    if name in ("-V", "--version"):
        say(f"anchormem {__version__}")
        return 0
    summary = COMMANDS.get(name)
    if summary is None:
        raise _unknown(name)
    module = cast("_Module", import_module(f"anchormem.cli.{_file(name)}"))
    parser = Parser(prog=f"anchormem {name}", description=summary, allow_abbrev=False)
    module.add_arguments(parser)
    return module.run(parse(parser, rest))


def _file(name: str) -> str:
    """The file of a command, named as Python can name one."""
    return f"{name.replace('-', '_')}{'_' if iskeyword(name) else ''}"


def _help() -> str:
    width = max(len(name) for name in COMMANDS)  # not `map`: that is a module of this package once imported
    rows = (f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
    return "\n".join(
        (
            "usage: anchormem <command> [options]",
            "",
            "A memory for coding agents that knows when it has gone out of date.",
            "",
            *rows,
            "",
            "anchormem <command> --help explains one; anchormem --version says which this is.",
        )
    )


def _unknown(name: str) -> UsageError:
    what = "option" if name.startswith("-") else "command"
    meant = _meant(name)
    guess = f", did you mean {meant}?" if meant else ""
    return UsageError(f"unknown {what} {name!a}{guess}", "anchormem --help lists the commands")


def _meant(name: str) -> str:
    """What was probably meant: a command, an operation of admin, or either by a word that other programs use for it."""
    if name.startswith("-"):
        known = {option: option for option in ("--help", "--version")}
    else:
        from anchormem.workspace.admin import OPS  # noqa: PLC0415 — heavy, and only a slip needs it

        known = {**{op.name: f"admin {op.name}" for op in OPS}, **ELSEWHERE, **{one: one for one in COMMANDS}}
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return known[near[0]] if near else ""


def _failed(error: AnchormemError, *, as_json: bool, words: Sequence[str] = ()) -> int:
    """A line what, a line what to do; for a program, the error as JSON on standard output besides."""
    from anchormem.text.printable import printable  # noqa: PLC0415 — only a failure needs it
    from anchormem.text.secrets import guarded  # noqa: PLC0415 — as above

    error = guarded(error, list(words))
    lines = [f"anchormem: {printable(error.message)}", *([f"  {printable(error.hint)}"] if error.hint else [])]
    with suppress(OSError):  # nowhere to say it is left; the exit code says it
        if as_json and sys.stdout is not None:
            from anchormem.tools.answer import failure  # noqa: PLC0415 — as above

            print(failure(error), flush=True)
    with suppress(OSError):
        if sys.stderr is not None:
            print(*lines, sep="\n", file=sys.stderr, flush=True)
    return error.exit_code


def _unforeseen(error: Exception) -> AnchormemError:
    if os.environ.get("ANCHORMEM_DEBUG"):
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"  # noqa: PTH119 — a name for a person, not a path
    return AnchormemError(
        f"unforeseen {type(error).__name__} at {place}", "nothing was half done; ANCHORMEM_DEBUG=1 shows the traceback"
    )

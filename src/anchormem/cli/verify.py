"""`anchormem verify`: walks what waits for a decision, one memory at a time, and does what the person says.

The only place where a stored command is ever run: shown first, approved by the person, without a shell. When standard
input is no terminal it lists and changes nothing.
"""

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from anchormem.cli.options import Options, Parser, add_json, add_root, add_rows, checked, given
from anchormem.cli.project import opened, show
from anchormem.cli.render import fields, items, memories, memory, names_on_one_line, outline
from anchormem.cli.screen import Style, indented, paint, plain, say
from anchormem.errors import AnchormemError, Refused
from anchormem.model import Reply
from anchormem.tools.admin import TOOL as ADMIN
from anchormem.tools.remember import TOOL as REMEMBER
from anchormem.tools.tool import Tool
from anchormem.tools.verify_queue import TOOL as QUEUE
from anchormem.workspace.session import Workspace

_MOST = {"limit": 200, "budget_tokens": 20_000}
_PROOF_SECONDS = 600
_QUIT = "quit"
_SHOWN_LINES = 20
_SHELL = frozenset("|&;<>()")  # a word made of nothing else; a quoted one is refused with them, to be safe

_DIFF: Mapping[str, Style] = {"+": "green", "-": "red", "@": "cyan"}

_KEYS: Mapping[str, str] = {
    "run": "its proof",
    "keep": "it still holds",
    "edit": "its text",
    "drop": "forget it",
    "skip": "later",
    "quit": "the rest stays",
}
_MEANING: Mapping[str, str] = {
    "run": "shows the command that proved it, asks, runs it, and asks again before its output becomes the new proof",
    "keep": "you say that it still holds: tied to today's code, a verified one becomes explicit",
    "edit": "asks for a new text, ties it to today's code, and keeps the old one in its history",
    "drop": "asks, then forgets it; anchormem admin restore brings it back for 30 days",
    "skip": "leaves it as it is and goes on",
    "quit": "leaves this one and all that follow",
}

Item = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Run:
    """What a proof command gave."""

    output: str
    exit_code: int


def add_arguments(parser: Parser) -> None:
    parser.add_argument("ids", nargs="*", metavar="id", help="only these memories")
    parser.add_argument("--list", action="store_true", help="list, ask nothing")
    add_rows(parser, QUEUE.params)
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    walking = sys.stdin is not None and sys.stdin.isatty() and not (options.list or options.json)
    wanted = {**(_MOST if walking or options.ids else {}), **given(options, QUEUE.params)}
    args = checked(options, QUEUE, wanted)
    with opened(options) as ws:
        if options.ids:
            ADMIN.run(ws, ADMIN.arguments({"op": "get", "ids": options.ids}))  # refuses what is no memory
        reply = _only(QUEUE.run(ws, args), options.ids)
        if walking:
            _walk(ws, [fields(names_on_one_line(item)) for item in items(reply.data)])
            return 0
    show(options, reply, _listed)
    return 0


def _listed(data: object) -> Iterator[str]:
    """The memories, each with the commands that decide it."""
    if not items(data):
        yield from memories(data)
    for item in map(fields, items(data)):
        *lines, blank = memory({key: value for key, value in item.items() if key != "ways"})
        yield from lines
        yield f"  {paint('ways', 'cyan')}, or anchormem verify on a terminal:"
        yield from (f"    {_typed(str(way), item)}" for way in items(item.get("ways")))
        yield blank


def _typed(way: str, item: Item) -> str:
    """The command line of one way out."""
    number, other = plain(str(item.get("id"))), plain(str(fields(item.get("other")).get("id", "ID")))
    match way:
        case "update":
            return f'anchormem remember --update {number} "new text"'
        case "supersede":
            return f'anchormem remember "new text" --kind {item.get("kind")} --supersedes {number}'
        case "reverify":
            return f"anchormem admin reverify {number} --command CMD --output TEXT"
        case "reanchor":
            return f"anchormem admin reanchor {number} --anchor PATH::SYMBOL"
        case "unlink":
            return f"anchormem admin unlink {number} --target {other} --rel contradicts"
        case _:
            return f"anchormem admin {way} {number}"


def _only(reply: Reply, ids: list[str]) -> Reply:
    """The items with these ids or unique beginnings of them; all of them without any."""
    if not ids:
        return reply
    chosen = [item for item in items(reply.data) if str(fields(item).get("id")).startswith(tuple(ids))]
    return Reply(chosen, {**reply.meta, "completeness": {"matched": len(chosen), "returned": len(chosen)}})


def _walk(ws: Workspace, waiting: list[Item]) -> None:
    if not waiting:
        say(paint("nothing waits for a decision", "green"))
    for number, item in enumerate(waiting, 1):
        say("", paint(f"{number} of {len(waiting)}", "dim"), *_shown(item))
        if not _decide(ws, item):
            return


def _shown(item: Item) -> Iterator[str]:
    """The item, its diffs in colour at the end."""
    changes = [fields(change) for change in items(item.get("changes"))]
    yield from memory({key: value for key, value in item.items() if key not in ("changes", "ways")})
    for change in changes:
        yield from outline({key: value for key, value in change.items() if key != "diff"}, "  ")
        yield from (f"    {line}" for line in map(_coloured, str(change.get("diff", "")).splitlines()))


def _coloured(line: str) -> str:
    style = _DIFF.get(line[:1])
    return paint(line, style) if style else plain(line)


# ── deciding ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _decide(ws: Workspace, item: Item) -> bool:
    """Asks until this one is decided or left; False to stop the walk."""
    acts = _acts(item)
    keys = " · ".join(f"{word[0]} {word}: {_KEYS[word]}" for word in (*acts, _QUIT))
    while True:
        say(paint(keys, "dim"))
        answer = _ask("what now (? explains)? ")
        if answer == "?":
            say(*(f"  {word[0]}  {word:5} {_MEANING[word]}" for word in (*acts, _QUIT)))
            continue
        word = next((act for act in (*acts, _QUIT) if answer and act.startswith(answer)), "")
        if answer is None or word == _QUIT:
            return False
        if not word:
            continue
        try:
            if acts[word](ws, item):
                return True
        except AnchormemError as error:
            say(paint(f"  {error.message}", "red"), *([f"  {plain(error.hint)}"] if error.hint else []))


def _acts(item: Item) -> dict[str, Callable[[Workspace, Item], bool]]:
    """What can be done with this one; each gives whether it is thereby decided."""
    ways = items(item.get("ways"))
    acts: dict[str, Callable[[Workspace, Item], bool]] = {}
    if _command(item) and "reverify" in ways:
        acts["run"] = _prove
    if "confirm" in ways:
        acts["keep"] = _keep
    return {**acts, "edit": _edit, "drop": _drop, "skip": lambda _ws, _item: True}


def _ask(question: str) -> str | None:
    """One line from the person, None at the end of input."""
    print(paint(question, "bold"), end="", flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else None


def _yes(question: str) -> bool:
    return (_ask(f"  {question} [y/N] ") or "").lower() in ("y", "yes")


def _keep(ws: Workspace, item: Item) -> bool:
    _act(ws, ADMIN, {"op": "confirm", "ids": [item["id"]]})
    return True


def _edit(ws: Workspace, item: Item) -> bool:
    body = _ask("  new text (empty: leave it): ")
    if not body:
        return False
    _act(ws, REMEMBER, {"update": item["id"], "body": body}, by="human")
    return True


def _drop(ws: Workspace, item: Item) -> bool:
    if not _yes("forget it? it can be restored for 30 days"):
        return False
    _act(ws, ADMIN, {"op": "forget", "ids": [item["id"]]})
    return True


def _act(ws: Workspace, tool: Tool, args: Mapping[str, object], **beside: object) -> None:
    reply = tool.run(ws, {**tool.arguments(args), **beside})
    say(*outline(reply.data, "  "))


# ── proving ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _command(item: Item) -> str:
    return str(item.get("command") or item.get("command_text") or "")


def _prove(ws: Workspace, item: Item) -> bool:
    """Shows the command, runs it when approved, stores its output as evidence when that is approved too."""
    command = _command(item)
    imported = " (it was imported: read it with care)" if item.get("command_text") else ""
    say(f"  in {plain(str(ws.root.path))}{imported}:", f"    {paint(command, 'bold')}")
    words = arguments(command)
    if not _yes("run it?"):
        return False
    done = _run(words, str(ws.root.path))
    say(*indented(plain("\n".join(done.output.splitlines()[-_SHOWN_LINES:])), "    "))
    if done.exit_code:
        say(paint(f"  it failed with exit code {done.exit_code}: nothing was stored", "red"))
        return False
    if not _yes("does this prove the memory?"):
        return False
    evidence = {"command": command, "output": done.output, "exit_code": 0}
    _act(ws, ADMIN, {"op": "reverify", "ids": [item["id"]], **evidence})
    return True


def arguments(command: str) -> list[str]:
    """The argument array of a command line; refused when it takes a shell, which is never started."""
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError as error:
        raise Refused(f"the command cannot be read: {error}", "run it by hand, then admin reverify") from None
    operators = any(_SHELL.issuperset(word) for word in words)
    if not words or operators or "`" in command or "$(" in command or "\n" in command:
        raise Refused("the command needs a shell, and none is started here", "run it by hand, then admin reverify")
    return words


def _run(words: list[str], directory: str) -> _Run:
    try:
        done = subprocess.run(
            words,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_PROOF_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"no end after {_PROOF_SECONDS} s", "run it by hand, then admin reverify") from None
    except OSError as error:
        raise Refused(f"it cannot be started: {error.strerror}", "is it installed, and on PATH?") from None
    return _Run(done.stdout.decode("utf-8", "replace"), done.returncode)

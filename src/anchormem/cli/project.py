"""The project a command works on, opened and closed, and a tool called by hand on the same path as an agent's call.

Knows nothing of any single command.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from anchormem.cli.options import Options, checked
from anchormem.cli.places import places
from anchormem.cli.render import envelope, names_on_one_line
from anchormem.cli.screen import say
from anchormem.errors import UsageError
from anchormem.model import Reply
from anchormem.tools.answer import success
from anchormem.tools.tool import Tool
from anchormem.workspace.session import Workspace, close, open_workspace

Render = Callable[[object], Iterator[str]]


def start(options: Options) -> Path:
    """Where the search for the root begins, absolute."""
    return Path.cwd() / options.root if options.root else Path.cwd()


@contextmanager
def opened(options: Options) -> Iterator[Workspace]:
    """The project's Workspace, for a person's hands."""
    ws = open_workspace(start(options), client="command line")
    try:
        yield ws
    finally:
        close(ws)


def call(options: Options, tool: Tool, given: Mapping[str, object], **beside: object) -> Reply:
    """One tool call. `beside`: what the command adds that no agent may say, such as who is acting."""
    args = checked(options, tool, given)
    with opened(options) as ws:
        spelled = places(ws.root.path, ws.start).arguments(tool.name, args)
        return tool.run(ws, {**spelled, **beside})


def show(options: Options, reply: Reply, render: Render) -> None:
    """The reply for a program when asked for, else for a person."""
    if options.json:
        say(success(reply))
        return
    say(*render(names_on_one_line(reply.data)), *envelope(reply.meta))


def text_or_stdin(text: str) -> str:
    """The text itself; what stands on standard input for `-`."""
    if text != "-":
        return text
    if sys.stdin is None:
        raise UsageError("standard input is closed", "give the text itself, or send it in")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UsageError("standard input is not UTF-8", "send UTF-8 text; iconv converts other encodings") from None

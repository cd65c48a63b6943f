"""The command line: a table of commands, and the way to the one that is meant.

Importing this room loads nothing at all: hook and status line pay for it at every event of an agent.
"""

import sys

TYPE_CHECKING = False  # as of typing, which costs too much to import
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Each is a file of this room.
COMMANDS: "Mapping[str, str]" = {
    "recall": "what is known that bears on a task, checked against the code",
    "remember": "store what was learned, anchored to code",
    "map": "symbols, callers and memories of a file, directory or symbol",
    "affected": "what a change does to symbols and memories",
    "verify": "walk through what waits for a decision",
    "admin": "look after memories: get, list, confirm, forget, restore …",
    "status": "the repository, its store and its memories in figures",
    "index": "bring the index up to date now",
    "seed": "turn notes that you keep already (CLAUDE.md, MEMORY.md) into anchored memories",
    "check": "for CI: would this change leave a decision or verified fact stale?",
    "prove": "would a changed token of your own code be noticed? Edits it in memory and looks",
    "export": "share: the memories of this repository as a file that git carries",
    "import": "take in what teammates shared",
    "merge-driver": "for git: merge two exports memory by memory",
    "stats": "the receipt of tokens saved, with its method, and how often sessions ask",
    "doctor": "is everything installed and sound?",
    "demo": "the life of an anchor in a scratch repository",
    "install": "register with an agent: server, skill, hooks, status line",
    "uninstall": "take all of that out again",
    "update": "bring a newer version, by the tool that installed this one",
    "hook": "what an agent is told when a session starts or a file is edited",
    "statusline": "how many memories there are, on one line",
    "serve": "the MCP server over stdio",
}


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs one command. 0: done. 1: failed, or findings. 2: the call itself is wrong. hook and statusline: always 0."""
    if arguments is None and sys.getfilesystemencoding() != "utf-8":
        from anchormem.cli.utf8 import begin_again  # noqa: PLC0415 — in few places is there need of it

        begin_again()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["hook"]:
        from anchormem.cli.hook import quickly  # noqa: PLC0415 — each command loads what it needs
    elif words[:1] == ["statusline"]:
        from anchormem.cli.statusline import quickly  # noqa: PLC0415 — as above
    else:
        from anchormem.cli.command_line import obey  # noqa: PLC0415 — as above

        return obey(words)
    return quickly(words[1:])

"""`anchormem merge-driver`: called by git to merge two exports. Opens no store: what is merged are two files.

What cannot be merged leaves git's own conflict: exit 1, nothing written.
"""

import sys
from pathlib import Path

from anchormem.cli.options import Options, Parser
from anchormem.cli.render import counted
from anchormem.cli.screen import plain
from anchormem.errors import UsageError
from anchormem.workspace.exported import opened, refuse_newer, whole
from anchormem.workspace.merging import union

_SHOWN = 20  # clashes named
_LEFT = "{} could not be read and stays as it is"


def add_arguments(parser: Parser) -> None:
    parser.epilog = "anchormem export --setup-git makes git call it."
    parser.add_argument("base", metavar="BASE", help="what both come from")
    parser.add_argument("ours", metavar="OURS", help="ours, and where the result is written")
    parser.add_argument("theirs", metavar="THEIRS", help="theirs")


def run(options: Options) -> int:
    base, ours, theirs = (opened(_read(name)) for name in (options.base, options.ours, options.theirs))
    for side in (ours, theirs):
        refuse_newer(side, "one side")
    merge = union(ours.lines, theirs.lines, base=base.lines)
    _write(options.ours, whole(line.text for line in (*merge.lines, *merge.left)))
    said = [f"{name}: {what}" for name, what in merge.clashes[:_SHOWN]]
    said += [_LEFT.format(counted(len(merge.left), "line"))] if merge.left else []
    print(*(f"anchormem: {plain(one)}" for one in said), sep="\n", end="\n" if said else "", file=sys.stderr)
    return 0


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be read: {error}", "git calls this with three files") from None


def _write(name: str, data: bytes) -> None:
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {error.strerror}", "git keeps its own conflict") from None

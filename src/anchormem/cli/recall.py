"""`anchormem recall`: what is known that bears on a task."""

from collections.abc import Iterator
from dataclasses import replace

from anchormem.cli.options import Options, Parser, add_json, add_root, add_rows, given
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show
from anchormem.cli.render import items, memories
from anchormem.cli.screen import paint
from anchormem.tools.recall import TOOL

NOTHING = (
    "nothing known here bears on that; anchormem admin list shows all there is, anchormem seed FILE takes in notes"
)
_ABOUT = {"offset": "with one of --ids: go on in its body from here", "why": "how each was ranked"}


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("task", nargs="?", help="what you are about to do or want to know")
    add_rows(parser, [replace(row, about=_ABOUT.get(row.name, row.about)) for row in TOOL.params], but=("task",))
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    show(options, call(options, TOOL, given(options, TOOL.params)), _found)
    return 0


def _found(data: object) -> Iterator[str]:
    yield from memories(data) if items(data) else (paint(NOTHING, "dim"),)

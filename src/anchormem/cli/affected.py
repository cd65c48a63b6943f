"""`anchormem affected`: what a change does to symbols and memories."""

from collections.abc import Iterator

from anchormem.cli.options import Options, Parser, add_json, add_root, add_rows, given
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show
from anchormem.cli.render import fields, outline
from anchormem.cli.screen import plain
from anchormem.tools.affected import TOOL


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("paths", nargs="*", help="only these")
    add_rows(parser, TOOL.params, but=("paths",))
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    show(options, call(options, TOOL, given(options, TOOL.params)), _shown)
    return 0


def _shown(data: object) -> Iterator[str]:
    """The change as an outline; that there is none is said."""
    if set(fields(data)) == {"base"}:
        yield f"nothing changed since {plain(str(fields(data)['base']))}"
    else:
        yield from outline(data)

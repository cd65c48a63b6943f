"""`anchormem map`: symbols, callers and memories of a place in the code."""

from anchormem.cli.options import Options, Parser, add_json, add_root, add_rows, given
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show
from anchormem.cli.render import outline
from anchormem.tools.map import TOOL


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("target", help="path, symbol, path::symbol or directory")
    add_rows(parser, TOOL.params, but=("target",))
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    show(options, call(options, TOOL, given(options, TOOL.params)), outline)
    return 0

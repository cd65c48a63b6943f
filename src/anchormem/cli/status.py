"""`anchormem status`: the repository, its store and its memories in figures."""

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import call, show
from anchormem.cli.render import outline
from anchormem.tools.admin import TOOL


def add_arguments(parser: Parser) -> None:
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    show(options, call(options, TOOL, {"op": "status"}), outline)
    return 0

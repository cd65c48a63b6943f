"""`anchormem index`: bring the index up to date now."""

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import call, show
from anchormem.cli.render import fields, outline
from anchormem.cli.screen import progress
from anchormem.tools.admin import TOOL


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--full", action="store_true", help="read every file again, whatever its stamps say")
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    reply = call(options, TOOL, {"op": "index", "full": options.full}, progress=progress("indexing"))
    show(options, reply, outline)
    return int(fields(reply.data).get("outcome") in ("busy", "cancelled"))

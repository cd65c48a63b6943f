"""`anchormem import`: what teammates shared, merged into the store; or what limpet exported."""

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show
from anchormem.cli.render import outline
from anchormem.tools.admin import TOOL
from anchormem.workspace.exported import PATH


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("--path", metavar="FILE", help=f"where from (default {PATH}); limpet's own export is read too")
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    said = {"op": "import", **({"path": options.path} if options.path else {})}
    show(options, call(options, TOOL, said), outline)
    return 0

"""`anchormem admin`: every operation of the tool, for a person's hands."""

from anchormem.cli.options import Options, Parser, add_anchors, add_json, add_root, add_rows, given
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show, text_or_stdin
from anchormem.cli.render import outline
from anchormem.cli.screen import progress
from anchormem.tools.admin import TOOL
from anchormem.workspace.admin import OPS


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("op", metavar="operation", help=", ".join(op.name for op in OPS))
    parser.add_argument("ids", nargs="*", metavar="id", help="the memories it is about")
    add_anchors(parser, "reanchor: ")
    add_rows(parser, TOOL.params, but=("op", "id", "ids", "anchors"))
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    said = dict(given(options, TOOL.params))
    if options.output:
        said["output"] = text_or_stdin(options.output)
    beside = {"progress": progress("indexing")} if options.op == "index" else {}
    show(options, call(options, TOOL, said, **beside), outline)
    return 0

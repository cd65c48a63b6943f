"""`anchormem admin`: every operation of the tool, for a person's hands."""

from dataclasses import replace

from anchormem.cli.options import Options, Parser, add_anchors, add_json, add_root, add_rows, given
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show, text_or_stdin
from anchormem.cli.render import outline
from anchormem.cli.screen import progress
from anchormem.tools.admin import TOOL
from anchormem.workspace.admin import OPS

_ABOUT = {
    "full": "read every file again",
    "command": "what proved it",
    "output": "what it printed; - reads standard input",
    "exit_code": "how it ended",
    "target": "the other memory",
    "restore_revision": "the number of the revision to bring back",
    "path": "what is anchored at or below it, or the file of the export",
    "text": "with these words",
    "dry_run": "only say what would go, the default",
}


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.usage = "anchormem admin OPERATION [id ...] [options]"
    parser.add_argument("op", metavar="OPERATION", help=", ".join(op.name for op in OPS))
    parser.add_argument(
        "ids", nargs="*", default=[], metavar="id", help=f"the memories it is about, for {_takers('ids')}"
    )
    add_anchors(parser, "reanchor: ")
    rows = [replace(row, about=f"{_takers(row.name)}: {_ABOUT.get(row.name, '')}".rstrip(": ")) for row in TOOL.params]
    add_rows(parser, rows, but=("op", "id", "ids", "anchors"))
    add_root(parser)
    add_json(parser)


def _takers(name: str) -> str:
    """The operations that take this argument."""
    return ", ".join(op.name for op in OPS if name in op.takes)


def run(options: Options) -> int:
    said = dict(given(options, TOOL.params))
    if options.output:
        said["output"] = text_or_stdin(options.output)
    beside = {"progress": progress("indexing")} if options.op == "index" else {}
    show(options, call(options, TOOL, said, **beside), outline)
    return 0

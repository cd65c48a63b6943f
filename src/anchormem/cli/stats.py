"""`anchormem stats`: tokens saved, all time, with the method, and how many sessions recalled how often."""

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import opened, show
from anchormem.cli.render import outline
from anchormem.workspace import stats


def add_arguments(parser: Parser) -> None:
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    with opened(options) as ws:
        reply = stats.stats(ws, {})
    show(options, reply, outline)
    return 0

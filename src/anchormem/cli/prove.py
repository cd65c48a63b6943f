"""`anchormem prove`: edits tokens of this repository in memory, tells what share is noticed. 1: one was missed."""

from collections.abc import Iterator, Mapping

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import start
from anchormem.cli.render import counted, fields, items
from anchormem.cli.screen import on_one_line, paint, plain, progress, say
from anchormem.errors import UsageError
from anchormem.tools.answer import success
from anchormem.workspace.prove import SECONDS, prove

_LONGEST = 3600  # seconds


def add_arguments(parser: Parser) -> None:
    parser.add_argument("--seconds", type=int, default=SECONDS, metavar="N", help=f"stop after N (default {SECONDS})")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed tries other places (default 1)")
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    if not 1 <= options.seconds <= _LONGEST:
        raise UsageError(f"--seconds {options.seconds} is out of range", f"1 to {_LONGEST}")
    reply = prove(start(options), {"seconds": options.seconds, "seed": options.seed}, progress("proving, second"))
    data = fields(reply.data)
    if options.json:
        say(success(reply))
    else:
        say(*_text(data))
    return int(bool(data.get("missed")))


def _text(data: Mapping[str, object]) -> Iterator[str]:
    for row in items(data.get("languages")):
        told = fields(row)
        yield (
            f"{told.get('language'):12}{counted(told.get('files'), 'file')}, "
            f"{counted(told.get('definitions'), 'definition')}: {told.get('noticed')} of "
            f"{counted(told.get('edits'), 'edit')} noticed, {told.get('passed')} of "
            f"{counted(told.get('comments'), 'comment')} passed over"
        )
    for miss in map(fields, items(data.get("misses"))):
        place = f"{on_one_line(str(miss.get('path')))}:{miss.get('line')}"
        edit = " ".join(str(miss.get("edit")).split())
        yield f"{paint('missed', 'red')}  {place}  {plain(edit)}  {plain(str(miss.get('at')))} {miss.get('expected')}"
    if data.get("unparsed"):
        yield paint(f"{counted(data.get('unparsed'), 'file')} without a part that parses: not tried", "yellow")
    share = f"{data.get('share'):g} % of {counted(data.get('edits'), 'edit')} right"
    yield paint(f"{share}, {counted(data.get('missed'), 'miss', 'misses')} (seed {data.get('seed')})", "dim")

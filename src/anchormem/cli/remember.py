"""`anchormem remember`: store what was learned, said by a person."""

import shlex
from collections.abc import Iterator
from dataclasses import replace

from anchormem.cli.options import Options, Parser, add_anchors, add_json, add_root, add_rows, given
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show, text_or_stdin
from anchormem.cli.render import fields, items, outline
from anchormem.cli.screen import paint, plain
from anchormem.errors import UsageError
from anchormem.reason.envelope import compact
from anchormem.tools.remember import TOOL
from anchormem.tools.tool import KINDS

_ABOUT = {
    "links": 'JSON {"target": id, "rel": "supports"}; rel: supports, contradicts or supersedes',
    "source": "where it comes from (default explicit: somebody says so)",
    "confidence": "0 to 1, capped by its source",
    "private": "never to be shared with the repository",
    "origin": "what it was taken from, such as commit:HASH; once only",
}


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("body", nargs="?", help="one self-contained claim; - reads standard input")
    add_anchors(parser)
    parser.add_argument("--command", metavar="CMD", help="evidence: the command that proved it")
    parser.add_argument("--output", metavar="TEXT", help="evidence: what it printed; - reads standard input")
    parser.add_argument("--exit-code", metavar="N", help="evidence: how it ended (default 0)")
    rows = [replace(row, about=_ABOUT.get(row.name, row.about)) for row in TOOL.params]
    add_rows(parser, rows, but=("body", "anchors", "evidence"))
    add_root(parser)
    add_json(parser)


def run(options: Options) -> int:
    said = dict(given(options, TOOL.params))
    if options.body:
        said["body"] = text_or_stdin(options.body)
    if options.source == "verified":
        if not options.command:
            raise UsageError(
                "--source cannot be verified: evidence makes it so",
                "give --command and --output, and leave --source out",
            )
        del said["source"]  # the evidence says it
    if not (options.kind or options.update):
        raise UsageError("--kind is missing", f"it is one of: {', '.join(KINDS)}")
    evidence = {"command": options.command, "output": options.output, "exit_code": options.exit_code}
    if any(evidence.values()):
        _refuse_half(options)
        evidence["output"] = text_or_stdin(options.output or "")
        said["evidence"] = evidence
    show(options, call(options, TOOL, said, by="human"), _stored)
    return 0


def _refuse_half(options: Options) -> None:
    for name in ("command", "output"):
        if not getattr(options, name):
            raise UsageError(f"--{name} is missing", "evidence is --command with --output, and --exit-code when not 0")


def _stored(data: object) -> Iterator[str]:
    stored = fields(data)
    yield f"remembered {paint(str(stored.get('id', '')), 'bold')}"
    yield from outline({key: value for key, value in stored.items() if key not in ("id", "advice")}, "  ")
    for offer in map(fields, items(stored.get("advice"))):
        yield f"  {paint('advice', 'cyan')}: {plain(str(offer.get('because', '')))}; an anchor for just that:"
        yield f"    --anchor {shlex.quote(plain(compact(offer.get('anchor'))))}"

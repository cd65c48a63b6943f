"""`anchormem doctor`: one screen of checks, each able to fail."""

import json
from dataclasses import asdict

from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import start
from anchormem.cli.screen import Style, paint, plain, say
from anchormem.workspace.checkup import Finding, Verdict, checks, recover

_STYLES: dict[Verdict, Style] = {"ok": "green", "info": "cyan", "warn": "yellow", "fail": "red"}


def add_arguments(parser: Parser) -> None:
    add_root(parser)
    add_json(parser)
    parser.add_argument("--recover", action="store_true", help="set a damaged store aside and put its newest copy back")


def run(options: Options) -> int:
    """1 when a check failed; warnings are none."""
    done = (recover(start(options)),) if options.recover else ()
    findings = (*done, *checks(start(options)))
    if options.json:
        say(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        width = max((len(finding.name) for finding in findings), default=0)
        for finding in findings:
            _show(finding, width)
    return int(any(finding.verdict == "fail" for finding in findings))


def _show(finding: Finding, width: int) -> None:
    say(f"{paint(f'{finding.verdict:4}', _STYLES[finding.verdict])}  {finding.name:{width}}  {plain(finding.message)}")
    if finding.fix:
        say(f"      {'':{width}}  {plain(finding.fix)}")

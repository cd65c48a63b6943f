"""`anchormem doctor`: one screen of checks, each able to fail."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from anchormem.agents import checkup as registered
from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.project import start
from anchormem.cli.screen import Style, paint, plain, say
from anchormem.workspace.checkup import checks, machine, recover
from anchormem.workspace.finding import Finding, Verdict

_STYLES: dict[Verdict, Style] = {"ok": "green", "info": "cyan", "warn": "yellow", "fail": "red"}


def add_arguments(parser: Parser) -> None:
    add_root(parser)
    add_json(parser)
    parser.add_argument("--recover", action="store_true", help="set a damaged store aside and put its newest copy back")


def run(options: Options) -> int:
    """1 when a check failed; warnings are none."""
    done = (recover(start(options)),) if options.recover else ()
    findings = (*done, *registered.checks(), *checks(start(options)))
    if options.json:
        say(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        show(findings)
    return int(failed(findings))


def of_installation(start: Path) -> tuple[Finding, ...]:
    """The checks that an installation answers for, without any repository."""
    return (*machine(start), *registered.checks())


def failed(findings: Iterable[Finding]) -> bool:
    return any(finding.verdict == "fail" for finding in findings)


def show(findings: Sequence[Finding]) -> None:
    width = max((len(finding.name) for finding in findings), default=0)
    for finding in findings:
        _show(finding, width)


def _show(finding: Finding, width: int) -> None:
    say(f"{paint(f'{finding.verdict:4}', _STYLES[finding.verdict])}  {finding.name:{width}}  {plain(finding.message)}")
    if finding.fix:
        say(f"      {'':{width}}  {plain(finding.fix)}")

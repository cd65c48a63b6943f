"""`anchormem install`: the server, the skill, hooks and status line, written into an agent's configuration."""

from collections.abc import Iterable
from pathlib import Path

from anchormem.agents.checkup import concerned
from anchormem.agents.install import Mark, Told, Wish, install
from anchormem.agents.table import AGENTS, CLAUDE, agent
from anchormem.cli import doctor
from anchormem.cli.options import Options, Parser
from anchormem.cli.screen import Style, paint, plain, say

_STYLES: dict[Mark, Style] = {"done": "green", "same": "dim", "kept": "yellow", "plan": "cyan", "fail": "red"}
_HOOKS = ("session", "edits")


def add_arguments(parser: Parser) -> None:
    add_client(parser, f"which agent (default: {CLAUDE.name})")
    parser.add_argument(
        "--hooks",
        nargs="?",
        choices=_HOOKS,
        const=_HOOKS[0],
        default="",
        help="tell each session at its start what is known; edits: besides, what is known before an edit and what went"
        " stale after it",
    )
    parser.add_argument("--statusline", action="store_true", help="show how many memories there are on the status line")
    add_dry_run(parser)


def add_client(parser: Parser, about: str) -> None:
    parser.add_argument("--client", choices=[one.name for one in AGENTS], help=about)


def add_dry_run(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="print the exact differences and change nothing")


def run(options: Options) -> int:
    """1 when a step failed; whatever could be done is done."""
    chosen = agent(options.client or CLAUDE.name)
    wish = Wish(chosen, hooks=options.hooks, status_line=options.statusline, dry_run=options.dry_run)
    code = show(install(wish))
    if wish.dry_run:
        return code
    findings = concerned(doctor.of_installation(Path.cwd()), chosen)
    doctor.show([finding for finding in findings if finding.verdict in ("warn", "fail")])
    return int(code or doctor.failed(findings))


def show(lines: Iterable[Told]) -> int:
    """Prints each line as it comes; 1 when one is a failure."""
    failed = False
    for told in lines:
        failed = failed or told.mark == "fail"
        say(f"{paint(f'{told.mark:4}', _STYLES[told.mark])}  {plain(told.text)}")
        for line in told.detail.splitlines():
            say(f"      {plain(line)}")
    return int(failed)

"""`anchormem uninstall`: everything that install wrote, taken out again; the memories only with `--purge`."""

from collections.abc import Iterator
from pathlib import Path

from anchormem.agents import clones, purge
from anchormem.agents.install import Told, Wish, uninstall
from anchormem.agents.table import CLAUDE, agent
from anchormem.cli.install import add_client, add_dry_run, show
from anchormem.cli.options import Options, Parser
from anchormem.cli.screen import say


def add_arguments(parser: Parser) -> None:
    add_client(parser, "only this agent (default: all of them)")
    parser.add_argument("--purge", action="store_true", help="delete every memory of every repository besides")
    add_dry_run(parser)


def run(options: Options) -> int:
    """1 when a step failed. Twice is fine: then there is nothing to do."""
    chosen = agent(options.client or CLAUDE.name)
    wish = Wish(chosen, dry_run=options.dry_run)
    lines = list(uninstall(wish, everywhere=options.client is None))
    if options.client is None:
        lines += clones.leave(Path(), dry_run=options.dry_run)  # before the stores, which know where they are
    if options.purge:
        lines += _purge(dry_run=options.dry_run)
    if not lines:
        whose = f"the configuration of {chosen.title}" if options.client else "any agent's configuration"
        say(f"nothing of anchormem is left in {whose}")
    elif not options.purge and not options.client and purge.found():
        lines.append(Told("kept", "all memories", "anchormem uninstall --purge deletes them"))
    return show(lines)


def _purge(*, dry_run: bool) -> Iterator[Told]:
    gone = purge.found() if dry_run else purge.purge()
    if gone:
        text = "would be deleted" if dry_run else "deleted"
        yield Told("plan" if dry_run else "done", text, "\n".join(str(path) for path in gone))

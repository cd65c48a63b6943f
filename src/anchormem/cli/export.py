"""`anchormem export`: the memories of this repository as a file beside the code, for git to carry."""

import shlex

from anchormem.agents.program import words
from anchormem.cli.options import Options, Parser, add_json, add_root
from anchormem.cli.places import ABOUT
from anchormem.cli.project import call, show
from anchormem.cli.render import outline
from anchormem.tools.admin import TOOL
from anchormem.workspace.exported import PATH


def add_arguments(parser: Parser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("--path", metavar="FILE", help=f"where to (default {PATH}); ends in .jsonl")
    parser.add_argument(
        "--setup-git", action="store_true", help="besides: let git merge two exports memory by memory, in this clone"
    )
    add_root(parser)
    add_json(parser)


# Where our command is gone or fails, git would keep one side without a word: then both, with its marks.
_OTHERWISE = "git merge-file -L ours -L base -L theirs %A %O %B"


def run(options: Options) -> int:
    said = {"op": "export", **({"path": options.path} if options.path else {})}
    driver = f"{shlex.join(words())} merge-driver %O %A %B || {_OTHERWISE}"
    beside = {"driver": driver} if options.setup_git else {}
    show(options, call(options, TOOL, said, **beside), outline)
    return 0

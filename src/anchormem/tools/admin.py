"""The tool `admin`: one flat set of arguments over the table of operations, each operation checked for its own.

Knows nothing of what an operation does; `workspace.admin.OPS` says which arguments each takes and needs.
"""

from collections.abc import Mapping
from dataclasses import replace

from anchormem.errors import UnknownArgument, UsageError
from anchormem.model import Reply
from anchormem.tools.arguments import Param, Spelling
from anchormem.tools.shapes import ANCHORS, kinds
from anchormem.tools.tool import RELATIONS, Tool
from anchormem.workspace.admin import BY_NAME, OPS
from anchormem.workspace.session import Workspace

STATUSES = ("active", "stale", "invalidated", "unknown", "superseded", "archived", "forgotten")


def _for_its_operation(given: Mapping[str, object], spell: Spelling) -> Mapping[str, object]:
    """`id` folded into `ids`; refuses what this operation does not take and asks for what it needs."""
    args = dict(given)
    op = BY_NAME[str(args.pop("op"))]
    single = args.pop("id", None)
    if single is not None:
        several = args.get("ids", [])
        named = single if isinstance(single, list) else [single]
        args["ids"] = [*named, *several] if isinstance(several, list) else named
    takes = f"{op.name} takes {', '.join(map(spell, op.takes)) or 'no arguments'}"
    for name in args:
        if name not in op.takes:
            others = ", ".join(other.name for other in OPS if name in other.takes)
            raise UnknownArgument(f"admin {op.name} takes no {spell(name)}: that belongs to {others}", takes)
    for name in op.needs:
        if args.get(name) in (None, [], ""):
            raise UsageError(f"admin {op.name} needs {spell(name)}", takes)
    return {"op": op.name, **args}


def run(ws: Workspace, args: Mapping[str, object]) -> Reply:
    """One operation by its name."""
    return BY_NAME[str(args["op"])].run(ws, {key: value for key, value in args.items() if key != "op"})


TOOL = Tool(
    "admin",
    "Use to index, inspect and look after memories: renew (reverify with new evidence, confirm by word), re-anchor,"
    " retire. Acts on single memories need id or ids.",
    (
        Param("op", choices=tuple(op.name for op in OPS), needed=True),
        Param("id", "strings"),
        Param("ids", "strings"),
        Param("full", "boolean", "index"),
        Param("command"),
        Param("output"),
        Param("exit_code", "integer"),
        replace(ANCHORS, about="reanchor", terse=True),
        Param("target", about="unlink"),
        Param("rel", choices=RELATIONS, terse=True),
        Param("restore_revision", "integer", low=1, terse=True),
        replace(kinds(), default=None),
        Param("status", choices=STATUSES, terse=True),
        Param("source", choices=("verified", "explicit", "mined"), terse=True),
        Param("path"),
        Param("text"),
        Param("limit", "integer", low=1, high=500, terse=True),
        Param("offset", "integer", low=0, terse=True),
        Param("dry_run", "boolean", "gc, default true"),
    ),
    run,
    destructive=True,
    also=_for_its_operation,
)

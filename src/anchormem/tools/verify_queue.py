"""The tool `verify_queue`."""

from anchormem.tools.arguments import Param
from anchormem.tools.shapes import budget, kinds
from anchormem.tools.tool import Tool
from anchormem.workspace import verify

TOOL = Tool(
    "verify_queue",
    "Use when memories are flagged stale: what waits for a decision, with diff, proof command and ways out.",
    (
        Param("limit", "integer", "default 20", low=1, high=200, default=20, terse=True),
        kinds(),
        budget(4000),
    ),
    verify.queue,
    read_only=True,
)

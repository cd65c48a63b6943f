"""The tool `recall`."""

from dataclasses import replace

from anchormem.tools.arguments import Param
from anchormem.tools.shapes import budget, kinds
from anchormem.tools.tool import Tool
from anchormem.workspace import recall

TOOL = Tool(
    "recall",
    "Use before reading or changing code: what is known about a task or files, each item checked against today's code."
    " Verify what is flagged stale or invalidated before relying on it.",
    (
        Param("task", about="what you are about to do or want to know", default=""),
        Param("working_set", "strings", "files being worked on", default=[]),
        replace(budget(1200, "whole reply, 256-20000, default 1200"), default=None),  # with ids it is another
        kinds(),
        Param("ids", "strings", "these memories whole", default=[]),
        Param("offset", "integer", low=0, terse=True, default=0),
        Param("why", "boolean", default=False),
    ),
    recall.recall,
    read_only=True,
)

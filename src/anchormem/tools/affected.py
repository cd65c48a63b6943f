"""The tool `affected`."""

from anchormem.tools.arguments import Param
from anchormem.tools.shapes import budget
from anchormem.tools.tool import Tool
from anchormem.workspace import affected

TOOL = Tool(
    "affected",
    "Use before committing: symbols changed, memories at risk, decisions that constrain the change, callers to check.",
    (
        Param("base", about="git ref; default: uncommitted changes", default=""),
        Param("paths", "strings", default=[]),
        budget(4000),
    ),
    affected.affected,
    read_only=True,
)

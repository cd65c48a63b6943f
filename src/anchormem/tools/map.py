"""The tool `map`."""

from anchormem.tools.arguments import Param
from anchormem.tools.shapes import budget
from anchormem.tools.tool import Tool
from anchormem.workspace import map as mapping

TOOL = Tool(
    "map",
    "Use before editing: the symbols of a file or directory, or one symbol with ancestors, descendants and callers"
    " (syntactic), and the memories on them.",
    (
        Param("target", about="path, symbol, path::symbol or directory", needed=True),
        Param("detail", choices=("outline", "signature", "body"), default="outline"),
        budget(2000),
    ),
    mapping.map_target,
    read_only=True,
)

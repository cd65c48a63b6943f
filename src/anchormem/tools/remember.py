"""The tool `remember`."""

from anchormem.tools.arguments import Param
from anchormem.tools.shapes import ANCHORS
from anchormem.tools.tool import KINDS, RELATIONS, Tool
from anchormem.workspace import remember

TOOL = Tool(
    "remember",
    "Use after learning what the code does not say: a decision and why, a fact, a failed attempt, a gotcha, an intent."
    " Anchor it to the code it is about: it goes stale when that changes. Evidence makes it verified.",
    (
        Param("kind", choices=KINDS, default=""),
        Param("body", about="one self-contained claim", low=1, high=65_536, default=""),
        ANCHORS,
        Param(
            "evidence",
            "object",
            fields=(
                Param("command", needed=True),
                Param("output", needed=True),
                Param("exit_code", "integer", default=0),
            ),
        ),
        Param(
            "links",
            "objects",
            high=64,
            fields=(Param("target", needed=True), Param("rel", needed=True, choices=RELATIONS)),
        ),
        Param("supersedes", about="id it replaces", default=""),
        Param("source", choices=("explicit", "mined"), default=""),
        Param("confidence", "number", low=0, high=1, terse=True),
        Param("private", "boolean"),
        Param("origin", high=256, default=""),
        Param("force", "boolean", "despite a near-duplicate", default=False),
        Param("update", about="id to edit in place", default=""),
    ),
    remember.remember,
)

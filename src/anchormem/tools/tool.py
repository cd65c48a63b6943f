"""What a tool is: a name, when to use it, its arguments, and the use case behind it.

Knows nothing of MCP and nothing of the command line; both show the same tools.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from anchormem.model import Reply
from anchormem.tools.arguments import Param, Spelling, as_it_is, check
from anchormem.workspace.session import Workspace

KINDS = ("fact", "decision", "episode", "insight", "intent")
ASPECTS = ("body", "signature", "exists")
RELATIONS = ("supports", "contradicts", "supersedes")

UseCase = Callable[[Workspace, Mapping[str, object]], Reply]


def any_call(given: Mapping[str, object], spell: Spelling) -> Mapping[str, object]:  # noqa: ARG001 — a Tool.also
    """The default of `Tool.also`: nothing more to check than each argument by itself."""
    return given


@dataclass(frozen=True, slots=True)
class Tool:
    """`about` begins with when to use it: some clients show no more. `also` checks arguments against each other."""

    name: str
    about: str
    params: tuple[Param, ...]
    run: UseCase
    read_only: bool = False
    destructive: bool = False
    also: Callable[[Mapping[str, object], Spelling], Mapping[str, object]] = any_call

    def arguments(self, given: Mapping[str, object], spell: Spelling = as_it_is) -> Mapping[str, object]:
        """The checked arguments of one call; raises UsageError before anything has run. `spell`: see `check`."""
        return self.also(check(self.params, given, self.name, spell), spell)

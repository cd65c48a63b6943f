"""What became of the anchored code of one memory, with the diff. Knows nothing of budgets."""

from collections.abc import Mapping

from anchormem.model import Fate, JsonObject, Memory
from anchormem.reason.envelope import lean
from anchormem.workspace.present import seen, where
from anchormem.workspace.session import Workspace
from anchormem.workspace.why import unified_diff


def changes(ws: Workspace, memory: Memory, fates: Mapping[int, Fate], characters: int) -> list[JsonObject]:
    """One entry for each stale anchor that has something to show. `memory` with its anchored text, fates dated."""
    stale = [(anchor, fates[anchor.id]) for anchor in memory.anchors if anchor.id in fates]
    made = (
        lean(
            {
                "at": str(where(anchor, fate)),
                "changed": fate.change.summary,
                "commit": fate.change.commit,
                "diff": seen(cut(unified_diff(ws, anchor), characters)),
            }
        )
        for anchor, fate in stale
        if fate.name == "stale"
    )
    return [entry for entry in made if len(entry) > 1]


def cut(diff: str, characters: int) -> str:
    """The diff's first lines, with a line that counts the rest."""
    if len(diff) <= characters:
        return diff
    lines = diff.splitlines()
    kept: list[str] = []
    used = 0
    for line in lines:
        used += len(line) + 1
        if used > characters:
            break
        kept.append(line)
    kept = kept or [lines[0][:characters]]
    return "\n".join([*kept, f"… {len(lines) - len(kept)} more lines"])

"""The memories that a change is judged by: those of the local store, where there is one, and of the shared export.

Knows nothing of fates.
"""

from dataclasses import dataclass
from pathlib import Path

from anchormem.errors import StoreError
from anchormem.model import Memory
from anchormem.project import disk
from anchormem.project.root import Root
from anchormem.store import listing
from anchormem.workspace import exported
from anchormem.workspace.exported import Line, refuse_newer
from anchormem.workspace.session import close, open_workspace
from anchormem.workspace.tree import Tree


@dataclass(frozen=True, slots=True)
class Judged:
    """`export`: where the shared one was read, "none" without one. `store`: how many memories the local store has."""

    memories: tuple[Memory, ...]
    export: str
    store: int
    warnings: tuple[str, ...]


def gather(start: Path, root: Root, base: Tree, head: Tree) -> Judged:
    """Each memory as it was changed last: in the export of either side, or in the local store.

    The head's export counts before the base's, so that a change which renews a memory passes; one that leaves a line
    out does not. Raises StoreError when there is nothing but a store that cannot be read, Refused for a newer export.
    """
    now, export = _shared(root, head)
    before = base.at(exported.PATH)
    then = _lines(before.data) if before else ()
    known = {memory.id: memory for line in (*then, *now) if (memory := line.memory)}
    faults = sum(line.memory is None for line in now)
    warnings = [f"{faults} of {len(now)} lines of {exported.PATH} are no memories and were left out"] if faults else []
    try:
        own = _own(start)
    except StoreError as failure:
        if export == "none":
            raise
        own = []
        warnings.append(f"the local store was left out: {failure.message}")
    for memory in own:
        if memory.id not in known or changed(memory) >= changed(known[memory.id]):
            known[memory.id] = memory
    return Judged(tuple(known.values()), export, len(own), tuple(warnings))


def changed(memory: Memory) -> int:
    return max(memory.updated_at, memory.forgotten_at)


def _own(start: Path) -> list[Memory]:
    ws = open_workspace(start, write=False)
    try:
        return listing.everything(ws.store) if ws.store.exists else []
    finally:
        close(ws)


def _shared(root: Root, head: Tree) -> tuple[tuple[Line, ...], str]:
    """The export as the head has it; else the file on disk, which may be about to be committed."""
    if (found := head.at(exported.PATH)) is not None:
        return _lines(found.data), f"{exported.PATH} as committed"
    on_disk = disk.read(root, exported.PATH)
    if isinstance(on_disk, disk.Contents):
        return _lines(on_disk.data), f"{exported.PATH} on disk, not committed"
    return (), "none"


def _lines(data: bytes) -> tuple[Line, ...]:
    export = exported.opened(data)
    refuse_newer(export, exported.PATH)
    return export.lines

"""The anchored files as the store has them, ready to be compared with the disk: the cost of a quiet call.

Knows nothing of what a changed file means.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from anchormem.model import FileState
from anchormem.project import disk
from anchormem.project.root import Root
from anchormem.store import anchors, fates
from anchormem.store.db import Store
from anchormem.workspace.look import is_racy

Signature = tuple[int, int, int, int]  # as disk.quick_stats gives it
UNSURE: Signature = (-1, -1, -1, -1)  # equal to no file: has to be read again


@dataclass(frozen=True, slots=True)
class Anchored:
    """`version`: of the store when this was read. `settled`: no anchor waited to be resolved then."""

    version: tuple[int, ...]
    states: Mapping[str, FileState | None]
    settled: bool
    signatures: Mapping[str, Signature | None] = field(init=False)

    def __post_init__(self) -> None:
        signatures = {path: signature(state) for path, state in self.states.items()}
        object.__setattr__(self, "signatures", signatures)

    def moved(self, root: Root) -> list[str]:
        """Paths that have to be read again to know what is there."""
        return moved(root, self.signatures)


def read(store: Store, known: Anchored | None) -> Anchored:
    """As `known` where the store has not changed since, else read anew."""
    version = store.version()
    if known is not None and known.version == version:
        return known
    return Anchored(version, dict(anchors.anchored_paths(store)), not fates.outdated(store))


def signature(state: FileState | None) -> Signature | None:
    if state is None:
        return None
    seen = state.stat
    if is_racy(seen, state.looked_ns):
        return UNSURE
    return (seen.inode, seen.size, seen.mtime_ns, seen.ctime_ns)


def moved(root: Root, signatures: Mapping[str, Signature | None]) -> list[str]:
    there = disk.quick_stats(root, signatures)
    return [path for path, seen in signatures.items() if there.get(path) != seen]


def moved_of(root: Root, states: Mapping[str, FileState | None]) -> list[str]:
    """The same for other files."""
    return moved(root, {path: signature(state) for path, state in states.items()}) if states else []

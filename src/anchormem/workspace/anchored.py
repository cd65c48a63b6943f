"""The anchored files as the store has them, ready to be compared with the disk: the cost of a quiet call.

Knows nothing of what a changed file means.
"""

from collections.abc import Mapping
from typing import NamedTuple

from anchormem.model import FileState
from anchormem.project import disk
from anchormem.project.root import Root
from anchormem.store import anchors, fates
from anchormem.store.db import Store
from anchormem.workspace.look import RACY_NS

Signature = tuple[int, int, int, int]  # as disk.quick_stats gives it
UNSURE: Signature = (-1, -1, -1, -1)  # equal to no file: has to be read again


class Anchored(NamedTuple):
    """`version`: of the store when this was read. `signatures`: by path, None where nothing was seen yet. `settled`: no
    anchor waited to be resolved then.
    """

    version: tuple[int, ...]
    signatures: Mapping[str, Signature | None]
    settled: bool

    def moved(self, root: Root) -> list[str]:
        """Paths that have to be read again to know what is there."""
        return moved(root, self.signatures)


def read(store: Store, known: Anchored | None) -> Anchored:
    """As `known` where the store has not changed since, else read anew."""
    version = store.version()
    if known is not None and known.version == version:
        return known
    signatures = {path: signature(*seen) if seen else None for path, seen in anchors.anchored_paths(store)}
    return Anchored(version, signatures, not fates.outdated(store))


def signature(seen: Signature, looked_ns: int) -> Signature:
    """As it was seen; UNSURE where the file may have changed again after the look without its stat telling."""
    return UNSURE if max(seen[2], seen[3]) > looked_ns - RACY_NS else seen


def moved(root: Root, signatures: Mapping[str, Signature | None]) -> list[str]:
    there = disk.quick_stats(root, signatures)
    return [path for path, seen in signatures.items() if there.get(path) != seen]


def moved_of(root: Root, states: Mapping[str, FileState | None]) -> list[str]:
    """The same for other files."""
    return moved(root, {path: _signature(state) if state else None for path, state in states.items()}) if states else []


def _signature(state: FileState) -> Signature:
    seen = state.stat
    return signature((seen.inode, seen.size, seen.mtime_ns, seen.ctime_ns), state.looked_ns)

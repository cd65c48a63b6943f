"""Files that git's index vouches for: their stat is still the one git recorded when file and index were equal.

So that a comparison with the work tree reads only what may differ. Runs no filter: `ls-files` tells, the disk is asked
for stats alone. Knows nothing of what contents mean.
"""

import os
from collections.abc import Iterable, Iterator

from anchormem.model import Stat
from anchormem.project.process import LONG_SECONDS, run
from anchormem.project.root import Root
from anchormem.project.submodules import MAX_DEPTH, checked_out
from anchormem.project.trees import SUBMODULE

_DEBUG_LINES = 5  # ctime, mtime, dev and ino, uid and gid, size and flags
_WORD = 0xFFFF_FFFF  # the index keeps 32 bits of inode and size

Record = tuple[str, str, Stat]  # path, blob, stat


def vouched(root: Root, stats: Iterable[tuple[str, Stat | None]]) -> dict[str, str]:
    """Path → blob id of those whose recorded stat is the given one, submodules included. A file changed in the very
    tick the index was written is not vouched for, as git itself does not trust it.
    """
    known = {path: (blob, stat) for path, blob, stat in _records(root, "", 0)}
    found: dict[str, str] = {}
    for path, stat in stats:
        recorded = known.get(path)
        if stat is not None and recorded is not None and _same(stat, recorded[1]):
            found[path] = recorded[0]
    return found


def _same(now: Stat, then: Stat) -> bool:
    return (now.inode & _WORD, now.size & _WORD, now.mtime_ns, now.ctime_ns) == (
        then.inode,
        then.size,
        then.mtime_ns,
        then.ctime_ns,
    )


def _records(root: Root, folder: str, depth: int) -> Iterator[Record]:
    written = _written_ns(root)
    _, out = run(root, "ls-files", "-z", "-s", "--debug", seconds=LONG_SECONDS)
    head = b""
    for part in out.split(b"\0"):
        debug, following = (part, b"") if not head else _parted(part)
        if not head:
            head = debug
            continue
        mode, blob, path = _entry(head)
        head = following
        if mode == SUBMODULE:
            inner = checked_out(root, path)
            if inner is not None and depth < MAX_DEPTH:
                yield from _records(inner, f"{folder}{path}/", depth + 1)
            continue
        stat = _stat(debug)
        if stat is not None and stat.mtime_ns < written:
            yield folder + path, blob, stat


def _parted(part: bytes) -> tuple[bytes, bytes]:
    """The debug lines of one entry, and the head of the next (whose name may hold anything)."""
    lines = part.split(b"\n", _DEBUG_LINES)
    return b"\n".join(lines[:_DEBUG_LINES]), lines[_DEBUG_LINES] if len(lines) > _DEBUG_LINES else b""


def _entry(head: bytes) -> tuple[str, str, str]:
    words, _, name = head.partition(b"\t")
    mode, blob, _stage = words.decode("ascii").split(" ")
    return mode, blob, os.fsdecode(name)


def _stat(debug: bytes) -> Stat | None:
    """`ctime: s:ns`, `mtime: s:ns`, `dev: d	ino: i`, …, `size: n	flags: x`; None where the form is another."""
    words = debug.replace(b"\t", b" ").split()
    try:
        named = {words[at]: words[at + 1] for at in range(0, len(words) - 1, 2)}
        return Stat(
            inode=int(named[b"ino:"]),
            size=int(named[b"size:"]),
            mtime_ns=_nanoseconds(named[b"mtime:"]),
            ctime_ns=_nanoseconds(named[b"ctime:"]),
        )
    except (KeyError, ValueError):
        return None


def _nanoseconds(text: bytes) -> int:
    seconds, _, rest = text.partition(b":")
    return int(seconds) * 1_000_000_000 + int(rest)


def _written_ns(root: Root) -> int:
    """When the index was written; 0 where that cannot be told, so that nothing is vouched for."""
    try:
        return 0 if root.git_dir is None else (root.git_dir / "index").stat().st_mtime_ns
    except OSError:
        return 0

"""Locks of whole processes, freed by the system when one dies. Knows nothing of what they guard."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int, *, wait: bool) -> None:
        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(handle: int, *, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def held(path: Path, *, wait: bool = False) -> Iterator[bool]:
    """True inside when the lock file is ours alone; False when somebody else has it (with `wait`: never).

    Where no lock file can be made there is nobody to exclude: True.
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError:
        yield True
        return
    try:
        try:
            _take(handle, wait=wait)
        except OSError:
            mine = False
        else:
            mine = True
        yield mine
    finally:
        os.close(handle)

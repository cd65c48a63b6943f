"""What killed processes have left for good: whatever lies there that no store has, once the next ones have had the
chance to take it away.

A draft waits for a minute, since its writer may live, and for whoever writes such a file again. So all that is there is
made an hour older, and the day's copies are taken away for the next process to make one; what then stays would grow.
"""

import os
import re
import time
from pathlib import Path

OLD_SECONDS = 3600
COPY = re.compile(r"memory-\d{4}-\d\d-\d\d\.db")
# Beside the logs of the databases among them, which come and go. Of each derived file one unusable one is kept.
STORE = re.compile(
    r"memory\.db|(facts|checkouts/[^/]+)\.db(\.lock|\.set-aside)?|checkouts/[^/]+\.sweep"
    rf"|backups/({COPY.pattern}|memory-before-\d{{4}}\.db)"
)
SHARED = re.compile(r"memory\.jsonl")
LOGS = ("-wal", "-shm", "-journal")


def pass_an_hour(*folders: Path) -> None:
    """For what is on disk, so that nobody can be writing to it still; and no copy of today is there."""
    then = time.time() - OLD_SECONDS
    for folder in folders:
        for path in folder.rglob("*"):
            if COPY.fullmatch(path.name):
                path.unlink()
            elif path.is_file():
                os.utime(path, (then, then))


def stray(store: Path, shared: Path | None = None) -> list[str]:
    """Files in the directory of a store, and in a repository's folder of shared memories, that nobody has a use for."""
    found = [path for path in _names(store) if not STORE.fullmatch(path)]
    found += [path for path in _names(shared) if not SHARED.fullmatch(path)] if shared else []
    return found


def _names(folder: Path) -> list[str]:
    """Every file but the logs of databases that are there."""
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return sorted(path for path in paths if not any(path.removesuffix(log) in paths - {path} for log in LOGS))

"""Everything of ours in the data directory taken away: the stores above all. Whatever else is there stays.

Knows nothing of agents.
"""

import shutil
from pathlib import Path

from anchormem.project.data import data_directory
from anchormem.store import repositories

FILES = ("map.db", "map.db-wal", "map.db-shm", "map.db.set-aside", "told")


def found() -> list[Path]:
    """What would be taken away; the stores first."""
    data = data_directory()
    if not data.is_dir():
        return []
    stores = [one.directory for one in repositories.every(data) if one.directory.is_dir()]
    files = [path for name in FILES if (path := data / name).is_file()]
    copies = [data / "agents"] if (data / "agents").is_dir() else []
    return [*stores, *copies, *files]


def purge() -> list[Path]:
    """What was taken away. The directory itself goes when nothing is left in it."""
    gone = found()
    for path in gone:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    data = data_directory()
    if data.is_dir() and not any(data.iterdir()):
        data.rmdir()
    return gone

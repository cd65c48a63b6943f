"""A file of the project that is ours, written whole or not at all.

Knows nothing of what is in it.
"""

import os
from contextlib import suppress
from pathlib import Path

from anchormem.errors import Refused
from anchormem.project import disk
from anchormem.project.root import Root

LEFT_SECONDS = 60.0  # a temporary file older than that belongs to a process that died


def write(root: Root, path: str, data: bytes) -> bool:
    """Puts `data` at a gated path, its folder made where it is missing; False where it is there already.

    Whoever reads meanwhile sees the old file or the new one, and so does everybody after a crash. Refused.
    """
    held = disk.read(root, path, limit=len(data) + 1)
    if isinstance(held, disk.Contents) and held.data == data:
        return False
    place = root.path / path
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _replaced(place, data)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}", "it was left as it was") from None
    return True


def _replaced(place: Path, data: bytes) -> None:
    temporary = place.with_name(f".{place.name}.{os.getpid()}.anchormem")
    try:
        mode = place.stat().st_mode & 0o777 if place.exists() else 0o666
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _sweep(place, temporary.stat().st_mtime)
        temporary.replace(place)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    _keep(place.parent)


def _sweep(place: Path, now: float) -> None:
    """Takes away what killed processes left. `now` by the clock of the file system, as the ages are."""
    for left in place.parent.glob(f".{place.name}.*.anchormem"):
        with suppress(OSError):
            if now - left.stat().st_mtime > LEFT_SECONDS:
                left.unlink()


def _keep(folder: Path) -> None:
    """The new name survives a crash of the machine, where a folder can be asked for that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

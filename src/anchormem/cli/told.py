"""Which session was told about which file: one small file of lines beside the stores, of bounded length.

Imports next to nothing. Knows nothing of what was told.
"""

# ruff: noqa: PTH105, PTH118, PTH123  # pathlib costs more to import than the whole hook
import os

NAME = "told"
MOST_BYTES = 1 << 16


def first_time(data: str, *what: str) -> bool:
    """Whether `what` is new here; from now on it is not. True where that cannot be kept."""
    path = os.path.join(data, NAME)
    line = f"{what!a}\n".encode()
    try:
        known = _known(path)
        if line in known.splitlines(keepends=True):
            return False
        if len(known) + len(line) > MOST_BYTES:
            _shorten(path, known)
        _append(path, line)
    except OSError:
        return True
    return True


def _known(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(2 * MOST_BYTES)
    except FileNotFoundError:
        return b""


def _append(path: str, line: bytes) -> None:
    """In one write, so that two sessions never mix their lines."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def _shorten(path: str, known: bytes) -> None:
    """Keeps the younger half."""
    fresh = f"{path}.{os.getpid()}"
    half = known[-MOST_BYTES // 2 :]
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, half[half.find(b"\n") + 1 :])
    finally:
        os.close(descriptor)
    os.replace(fresh, path)

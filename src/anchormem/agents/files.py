"""Somebody else's file, changed carefully: under a lock, from what it holds now, whole or not at all, with a copy kept.

Knows nothing of what a file means.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from anchormem.errors import Refused
from anchormem.project.data import data_directory

Edit = Callable[[str], str]

MOST_BYTES = 64 << 20
TRIES = 20  # of somebody else writing between our look and our turn
LOCK_SECONDS = 5.0
STALE_SECONDS = 10.0  # as the locks of Claude Code itself: a holder renews its own more often
KEPT = 10  # copies of one file
PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Change:
    """A file's text before and after; None: there is no such file."""

    path: Path
    before: str | None
    after: str | None


def read(path: Path) -> str | None:
    """The text, None without a file. Refused: what no configuration is."""
    try:
        if not path.is_file():
            if path.exists():
                raise _refused(path, "is no file")
            return None
        if path.stat().st_size > MOST_BYTES:
            raise _refused(path, "is larger than any configuration")
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise _refused(path, "is not UTF-8") from None
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from None


def speaks_of(path: Path, name: str) -> bool:
    """Whether the name occurs in the file at all: one that never names us may be as malformed as it likes."""
    return name in (read(path) or "")


def planned(path: Path, edit: Edit) -> Change:
    """What `edit` would do, and nothing done."""
    before = read(path)
    with named(path):
        after = edit(before or "")
    return Change(path, before, before if before is None and not after else after)


def changed(path: Path, edit: Edit) -> Change:
    """`edit` applied to what the file holds when its turn comes. A link is followed. Refused: nothing was changed."""
    real = Path(os.path.realpath(path))
    seen = planned(real, edit)
    if seen.before == seen.after:
        return Change(path, seen.before, seen.after)
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        with _locked(real):
            for _ in range(TRIES):
                done = _once(real, edit)
                if done is not None:
                    return Change(path, done.before, done.after)
    except OSError as error:
        where = f" ({error.filename})" if error.filename not in (None, str(real)) else ""
        raise _refused(path, f"cannot be written: {error.strerror}{where}") from None
    raise _refused(path, "is changed by another program all the time")


def removed(path: Path) -> None:
    """A file of ours; what is not there is fine."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _refused(path, f"cannot be removed: {error.strerror}") from None


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Puts the file's name before a refusal that knows only its text."""
    try:
        yield
    except Refused as error:
        raise error if error.message.startswith(str(path)) else Refused(f"{path} {error.message}", error.hint) from None


def _once(real: Path, edit: Edit) -> Change | None:
    """One try; None when somebody else wrote meanwhile."""
    seen = planned(real, edit)
    if seen.after == seen.before:
        return seen
    if seen.before is not None and not os.access(real, os.W_OK):
        raise _refused(real, "is read-only")
    if seen.after is None or (seen.before is not None and not seen.after.strip()):
        _keep_copy(real)
        return _gone(real, seen)
    temporary = real.with_name(f".{real.name}.{os.getpid()}.anchormem")
    try:
        _write(temporary, seen.after, real)
        if read(real) != seen.before:
            return None
        if seen.before is not None:
            _keep_copy(real)
        temporary.replace(real)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    if read(real) != seen.after and read(real) == seen.before:
        raise _refused(real, "did not keep what was written")
    return seen


def _gone(real: Path, seen: Change) -> Change | None:
    """An edit that leaves nothing takes the file away."""
    if read(real) != seen.before:
        return None
    real.unlink()
    return Change(real, seen.before, None)


def _write(temporary: Path, text: str, real: Path) -> None:
    mode = real.stat().st_mode & 0o7777 if real.exists() else PRIVATE
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.chmod(mode)


@contextmanager
def _locked(real: Path) -> Iterator[None]:
    """A directory beside the file, as Claude Code itself locks: whoever makes it has the lock."""
    lock = real.with_name(f"{real.name}.lock")
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            if _age(lock) > STALE_SECONDS:
                with suppress(OSError):
                    lock.rmdir()
            elif time.monotonic() > deadline:
                raise _refused(real, f"is held by another program ({lock.name})") from None
            time.sleep(0.02)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.rmdir()
            if not real.exists():
                real.parent.rmdir()  # only an empty one goes


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def copies() -> Path:
    """Where copies are kept: they may hold secrets of other programs, so among files that only their owner reads."""
    return data_directory() / "agents"


def _keep_copy(real: Path) -> None:
    place = copies()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.mkdir(mode=0o700, exist_ok=True)
    stem = "-".join((real.parent.name.lstrip("."), real.name.lstrip("."))).lstrip("-")
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    copy = next(
        one for number in range(100) if not (one := place / f"{stem}.{stamp}{f'-{number}' if number else ''}").exists()
    )
    shutil.copyfile(real, copy)
    copy.chmod(PRIVATE)
    for old in sorted(place.glob(f"{stem}.*"))[:-KEPT]:
        old.unlink(missing_ok=True)


def _refused(path: Path, why: str) -> Refused:
    return Refused(f"{path} {why}", "it was left as it was")

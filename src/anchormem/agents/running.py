"""Servers of ours that run on this machine, and since when. Knows nothing of what they serve."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from anchormem.agents import program

_SERVES = re.compile(rf"(?:^|[\s/\\]){program.NAME}(?:\.exe)?['\"]? serve(?:\s|$)")
_ELAPSED = re.compile(r"^(?:(?:(?P<days>\d+)-)?(?P<hours>\d+):)?(?P<minutes>\d+):(?P<seconds>\d+)$")
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Running:
    """`age`: seconds since it was started. `here`: of this installation, not of another one on this machine."""

    pid: int
    age: int
    here: bool


def servers() -> list[Running] | None:
    """Those of this user; None where the system cannot be asked."""
    ps = shutil.which("ps")
    if ps is None:
        return None
    try:
        done = subprocess.run(
            [ps, "-A", "-ww", "-o", "pid=", "-o", "etime=", "-o", "args="],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode:
        return None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [found for line in lines if (found := _server(line)) is not None]


def installed_at() -> float:
    """When this program was put where it is, in seconds since the epoch; 0 where that is not known."""
    try:
        folder = Path(str(metadata.distribution(program.NAME).locate_file("")))
    except metadata.PackageNotFoundError:
        return 0.0
    return max((path.stat().st_mtime for path in folder.glob(f"{program.NAME}-*.dist-info")), default=0.0)


def _server(line: str) -> Running | None:
    """A line of ps: process, time since its start, and its words, which may hold blanks without any quotes."""
    parts = line.split(None, 2)
    if len(parts) < 3 or not parts[0].isdigit():  # noqa: PLR2004 — the three columns asked for
        return None
    found = _ELAPSED.match(parts[1])
    if not found or not _SERVES.search(parts[2]):
        return None
    days, hours, minutes, seconds = (int(found[name] or 0) for name in ("days", "hours", "minutes", "seconds"))
    here = str(Path(sys.executable).parent) in parts[2]
    return Running(int(parts[0]), ((days * 24 + hours) * 60 + minutes) * 60 + seconds, here)

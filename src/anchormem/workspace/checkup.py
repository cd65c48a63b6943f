"""The doctor's checks of this machine and this repository: each a function and a row, each able to fail."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Verdict = Literal["ok", "info", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. `fix`: the line to type or the thing to do, "" when ok."""

    name: str
    verdict: Verdict
    message: str
    fix: str = ""


Check = Callable[[Path], Finding]


def checks(start: Path) -> tuple[Finding, ...]:
    """Every check, in the order of the table. Takes a path, not a Workspace: an unopenable store is a finding."""
    raise NotImplementedError

"""What a check of the doctor finds, and what the checks of a repository look at. Knows no check."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from anchormem.errors import AnchormemError
from anchormem.project.root import Root
from anchormem.store.db import Store

Verdict = Literal["ok", "info", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. `fix`: the line to type or the thing to do, "" when ok."""

    name: str
    verdict: Verdict
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the checks of one repository look at. `store` None: there is none, or it cannot be opened (`failure`)."""

    root: Root
    data: Path
    directory: Path
    store: Store | None = None
    failure: AnchormemError | None = None
    known: bool = False  # the map of repositories knows this one


Check = Callable[[Path], Finding]
RepositoryCheck = Callable[[Scene], Finding]

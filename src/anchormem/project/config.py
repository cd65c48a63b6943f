"""`.anchormem.json`: the project's own settings. Whatever is wrong with it gives defaults and a warning, never an error.

Knows which language names may be meant, nothing else about languages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from anchormem.model import Stat
from anchormem.project.root import Root

FILE_NAME = ".anchormem.json"


@dataclass(frozen=True, slots=True)
class Config:
    """`extensions`: suffix with its dot (`.blade.php`) → language name. `stamp`: None without a file."""

    extensions: Mapping[str, str] = field(default_factory=dict)
    auto_import: bool = True
    warnings: tuple[str, ...] = ()
    stamp: Stat | None = None


def load(root: Root) -> Config:
    """The settings now. Never raises."""
    raise NotImplementedError


def stamp(root: Root) -> Stat | None:
    """Compare with `Config.stamp` to see cheaply that a reload is due."""
    raise NotImplementedError


def language_for(path: str, extensions: Mapping[str, str]) -> str | None:
    """The configured language of a path, the longest suffix winning; None when none is configured."""
    raise NotImplementedError

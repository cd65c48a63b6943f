"""Which files belong to a project. In git, git decides; outside, a walk with ignore files. Opens no listed file.

Knows nothing of languages or sizes: whoever reads a file finds those out (disk).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from anchormem.project.config import Config
from anchormem.project.root import Root


class Listed(NamedTuple):
    """One file that belongs to the project. `vendored`: anchored and mapped on demand, not parsed otherwise.

    A tracked file may be missing from the disk, and of any size: `disk` says so.
    """

    path: str
    tracked: bool
    vendored: bool


class Skipped(NamedTuple):
    """`reason`: ignored (.anchormemignore) | litter | symlink | not_regular | nested_repository | unreadable | data_directory."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """`files` sorted by path. `skipped` holds the first 200; `skips` counts all by reason. `partial`: some part could not be
    listed (unreadable directory, file limit), so absence proves nothing. `fingerprint`: equal for equal `files`.
    `warnings`: lines for a person (git refused, so a walk was made …).
    """

    files: tuple[Listed, ...]
    skipped: tuple[Skipped, ...]
    skips: Mapping[str, int]
    partial: bool
    fingerprint: str
    warnings: tuple[str, ...] = ()


def list_files(root: Root, config: Config | None = None) -> Listing:
    """Every file that belongs to the project now."""
    raise NotImplementedError


def why_not_listed(root: Root, paths: Iterable[str]) -> dict[str, str]:
    """Of these gated paths, those that do not belong to the project → the reason (`ignored`, `litter`, `missing`, …).

    One process in git however many are asked.
    """
    raise NotImplementedError

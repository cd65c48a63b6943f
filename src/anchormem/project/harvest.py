"""The values of a listing, and what a listing gathers on its way. Asks neither git nor the disk."""

import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

MAX_SKIPPED = 200


class Listed(NamedTuple):
    """One file that belongs to the project. `vendored`: anchored and mapped on demand, not parsed otherwise.

    A tracked file may be missing from the disk, and of any size: `disk` says so.
    """

    path: str
    tracked: bool
    vendored: bool


class Skipped(NamedTuple):
    """`reason`: ignored (.anchormemignore, outside git .gitignore too) | litter | symlink | not_regular |
    nested_repository | submodule (not checked out) | sparse (git was told to leave it out) | unreadable.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """`files` sorted by path. `skipped` holds the first 200; `skips` counts all by reason.

    `partial`: some part could not be listed (unreadable folder, file limit), so absence proves nothing. `withheld`:
    files and folders this checkout's commit has and its disk has not (sparse checkout, submodules not checked out):
    absence below them proves nothing either. `fingerprint`: equal for equal `files`. `warnings`: lines for a person.
    """

    files: tuple[Listed, ...]
    skipped: tuple[Skipped, ...]
    skips: Mapping[str, int]
    partial: bool
    fingerprint: str
    withheld: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Harvest:
    """What a listing has gathered so far."""

    files: list[Listed] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    skips: Counter[str] = field(default_factory=Counter)
    withheld: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    partial: bool = False
    bound: int = MAX_SKIPPED  # skipped entries kept by name

    def skip(self, path: str, reason: str) -> None:
        self.skips[reason] += 1
        if len(self.skipped) < self.bound:
            self.skipped.append(Skipped(path, reason))

    def listing(self) -> Listing:
        files = tuple(sorted(self.files, key=itemgetter(0)))
        return Listing(
            files,
            tuple(self.skipped),
            dict(self.skips),
            self.partial,
            _fingerprint(files),
            tuple(self.withheld),
            tuple(self.warnings),
        )


def _fingerprint(files: tuple[Listed, ...]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(os.fsencode("\0".join([file.path for file in files])))
    digest.update(bytes([file.tracked + 2 * file.vendored for file in files]))
    return digest.hexdigest()

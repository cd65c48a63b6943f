"""What resolving looks at: one anchor, and what its slots and the rest of one checkout show.

Values only. Knows nothing of how they were gathered: no files, no SQL, no tree-sitter.
"""

from dataclasses import dataclass
from typing import Literal

from anchormem.model import Anchor, Digest, Slot, Symbol

# absent: no such file. unparsed: bytes are there, symbols are not (no grammar, too large, not text).
# pending: not read yet, so nothing may be concluded.
FileView = Literal["present", "absent", "unreadable", "unparsed", "pending"]

# Where the commit stands in which the code was last seen. committed: in HEAD's history; elsewhere: not (or missing);
# never: seen, but in no commit; none: a project without git.
Origin = Literal["committed", "elsewhere", "never", "none"]


@dataclass(frozen=True, slots=True)
class Found:
    """A symbol of the slot's qualified name, or (symbol None) the file itself. `quotes`: occurrences of the anchor's quote."""

    slot: Slot
    symbol: Symbol | None
    quotes: int = 0


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one slot shows. `found`: everything under its qualified name, twins included, in source order."""

    slot: Slot
    file: FileView
    epoch: str = ""
    damaged: bool = False  # parse errors anywhere in the file
    found: tuple[Found, ...] = ()
    content: Digest | None = None
    normal: Digest | None = None
    detail: str = ""  # why a file is unparsed or unreadable


@dataclass(frozen=True, slots=True)
class Stamp:
    """The anchor's hashes under the recipe of `epoch`, where that could be proved."""

    epoch: str
    body: Digest | None
    signature: Digest | None = None
    doc: Digest | None = None
    normal: Digest | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A place that is none of the anchor's slots and holds an equal body. `twin`: it did so while the anchor's slot did."""

    slot: Slot
    twin: bool = False


@dataclass(frozen=True, slots=True)
class Successor:
    """Where the code lives on in another shape. `renamed`: the file was renamed and holds the same qualified name."""

    at: str
    renamed: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """`commit`: where the code was last seen, "" when in none."""

    origin: Origin
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one anchor's fate depends on. None in the last four fields: not looked up (see resolve.wants).

    `sightings`: last proven slot, written slot, other proven slots, each once. `stamps`: one per epoch among them.
    `twinned`: some other place held an equal body when the anchor's own was last seen, so that any single place left
    could be either's.
    """

    anchor: Anchor
    sightings: tuple[Sighting, ...]
    stamps: tuple[Stamp, ...] = ()
    follow_by: Digest | None = None  # last body seen fresh (aspect and quote anchors), the written one otherwise
    twinned: bool = False
    elsewhere: tuple[Elsewhere, ...] | None = None
    successor: tuple[Successor, ...] | None = None
    past: Past | None = None

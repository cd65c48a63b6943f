"""What resolving looks at: one anchor, and what its slots and the rest of one checkout show.

Values only. Knows nothing of how they were gathered: no files, no SQL, no tree-sitter.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from anchormem.model import Anchor, Digest, Place, Slot, Symbol

# absent: no such file. unparsed: bytes are there, symbols are not (no grammar, too large, not text).
# pending: not read yet, so nothing may be concluded.
FileView = Literal["present", "absent", "unreadable", "unparsed", "pending"]

# Where the commit stands in which the code was last seen. committed: in HEAD's history; elsewhere: not (or missing);
# never: seen, but in no commit; none: a project without git.
Origin = Literal["committed", "elsewhere", "never", "none"]


class Found(NamedTuple):
    """A symbol under a slot's qualified name; symbol None: the file.

    `exact`: among twins, the one the slot means. `quotes`: occurrences of the anchor's quote. `misread`: a
    file with parse errors still holds the anchored text, whole around or beside this symbol or as far as it goes.
    """

    slot: Slot
    symbol: Symbol | None
    exact: bool = True
    quotes: int = 0
    misread: bool = False


class Sighting(NamedTuple):
    """What one slot shows. `found`: everything under its qualified name, twins included, in source order."""

    slot: Slot
    file: FileView
    damaged: bool = False  # parse errors anywhere in the file
    found: tuple[Found, ...] = ()
    content: Digest | None = None
    normal: Digest | None = None
    detail: str = ""  # why a file is unparsed or unreadable


class Stamp(NamedTuple):
    """The anchor's hashes under today's recipe; as written where the epoch is still the same."""

    body: Digest | None
    signature: Digest | None = None
    doc: Digest | None = None
    normal: Digest | None = None


class Past(NamedTuple):
    """`commit`: where the code was last seen, "" when in none."""

    origin: Origin
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one anchor's fate depends on. None in the last three fields: not looked up (see resolve.wants).

    `sightings`: last proven slot, written slot, other proven slots, each once. `stamp` None: the epoch is another and
    the old text could not be brought under it. `follow_by`: the body (of a file anchor the content) last seen fresh,
    the written one where none is kept. `old_twins`: places that held an equal body while the anchor's slot did, at any
    time; `twinned`: some did when it was last seen. `elsewhere`: places outside the slots that hold `follow_by` now.
    `carried`: files that hold, whole and to the byte, what the file of the last proven slot held, which is gone.
    """

    anchor: Anchor
    sightings: tuple[Sighting, ...]
    stamp: Stamp | None
    follow_by: Digest | None
    old_twins: frozenset[Slot] = frozenset()
    twinned: bool = False
    elsewhere: tuple[Place, ...] | None = None
    carried: frozenset[str] = frozenset()
    successors: tuple[Slot, ...] | None = None
    past: Past | None = None

"""The values that travel between rooms: frozen, slotted, without behaviour beyond printing themselves.

Knows nothing of SQL, git, tree-sitter, MCP or the clock. Times are integers: milliseconds since the epoch, UTC.
Digests are 16 bytes of xxh3-128. Paths are repository-relative POSIX strings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Digest = bytes

MemoryKind = Literal["fact", "decision", "episode", "insight", "intent"]
Source = Literal["verified", "explicit", "mined"]
Aspect = Literal["body", "signature", "exists", "quote", "file"]
Relation = Literal["supports", "contradicts", "supersedes"]
FateName = Literal["fresh", "followed", "stale", "gone", "unknown"]
Status = Literal["active", "stale", "invalidated", "unknown", "superseded"]
FileStatus = Literal["ok", "binary", "too_large", "unreadable"]

# A JSON value as tools pass it around; `object` keeps mypy honest where shapes are checked by hand.
JsonObject = dict[str, object]


Rebuilt = tuple[type, tuple[object, ...]]


def rebuilt(value: "Symbol | Reference") -> Rebuilt:
    """How values that cross processes by the hundred thousand are pickled; a frozen class's own way costs ten times."""
    names: tuple[str, ...] = type(value).__slots__
    return type(value), tuple([getattr(value, name) for name in names])


# ── code ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a symbol is looked for first. `qualified` empty: the file itself."""

    path: str
    qualified: str = ""
    disambiguator: str = ""  # without the leading "@"; empty: the twin without any

    def __str__(self) -> str:
        if not self.qualified:
            return self.path
        at = f"@{self.disambiguator}" if self.disambiguator else ""
        return f"{self.path}::{self.qualified}{at}"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named definition in one file's content (path-free: equal content has equal symbols).

    Bytes and lines cover the definition with its wrappers, in the line-end-folded text; lines count from 1.
    """

    name: str
    qualified: str
    disambiguator: str
    kind: str
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    body: Digest
    signature: Digest | None  # None: this kind has none (sections, keys)
    doc: Digest | None  # None: no documentation
    raw: Digest
    tokens: int
    head: str  # one line for a person, at most 200 characters: `def seed(self, limit=50) -> int`
    damaged: bool = False  # a parse error lies inside

    def __reduce__(self) -> Rebuilt:
        return rebuilt(self)


@dataclass(frozen=True, slots=True)
class Reference:
    """A syntactic use of a name: a call. `within` is the qualified name of the enclosing symbol, "" at file level."""

    name: str
    receiver: str  # text before the last separator: `self.store` of `self.store.put()`, "" for a bare call
    line: int
    within: str

    def __reduce__(self) -> Rebuilt:
        return rebuilt(self)


@dataclass(frozen=True, slots=True)
class Import:
    module: str  # as written: `..pkg.mod`, `./queue`, `std::fmt`, `stdio.h`
    names: tuple[str, ...]  # what is brought in by name, () for the whole module
    line: int


@dataclass(frozen=True, slots=True)
class Inheritance:
    qualified: str  # the deriving symbol
    base: str  # as written, without type arguments
    rel: str  # extends | implements | impl_trait | embeds | mixin
    line: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that is known of one content under one language and epoch. `language` None: no grammar, a file anchor."""

    content: Digest
    language: str | None
    epoch: str
    normal: Digest | None  # normalised hash of the whole file, None where it does not parse
    error_bytes: int  # bytes inside parse errors, 0 when sound
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    inheritance: tuple[Inheritance, ...] = ()


@dataclass(frozen=True, slots=True)
class Stat:
    """What tells cheaply that a file may have changed."""

    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class FileState:
    """One file as this checkout last saw it. `looked_ns`: wall clock at the look (racy times are re-read)."""

    path: str
    stat: Stat
    looked_ns: int
    content: Digest | None
    language: str | None
    status: FileStatus = "ok"


@dataclass(frozen=True, slots=True)
class Place:
    """A symbol (or, with symbol None, a whole file) found somewhere in this checkout."""

    slot: Slot
    symbol: Symbol | None = None


# ── memories ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Evidence:
    command: str
    output: str  # at most 4 KB kept
    digest: Digest  # of the whole output
    exit_code: int
    at: int
    approved: bool = True  # False: imported, its command is text only until a person approves it


@dataclass(frozen=True, slots=True)
class Link:
    target: str
    rel: Relation


@dataclass(frozen=True, slots=True)
class Anchor:
    """The tie between a memory and code, as written. Hashes are never changed by a scan; only `slots` grows."""

    slot: Slot
    aspect: Aspect
    epoch: str
    body: Digest | None = None  # for a file anchor: its content hash
    signature: Digest | None = None
    doc: Digest | None = None
    raw: Digest | None = None
    normal: Digest | None = None  # file anchors: normalised hash
    tokens: int = 0  # evidence for a follow: tokens of a symbol, non-blank bytes of a file
    kind: str = ""  # symbol kind when written
    quote: str = ""  # the snippet as given
    quote_tokens: tuple[str, ...] = ()  # in-context tokens of the snippet
    quote_count: int = 0  # occurrences when written
    damaged: bool = False  # parse errors were inside the symbol when anchored
    file_damaged: bool = False  # parse errors were anywhere in the file when anchored
    commit: str = ""  # HEAD when written, "" without one
    dirty: bool = False  # the file differed from that commit
    text: str | None = None  # anchored text, None when too long or secret-shaped
    slots: tuple[Slot, ...] = ()  # where the hash has been proved, the written slot included
    twins: tuple[Slot, ...] = ()  # other places that held an equal body when written
    id: int = 0  # row of the store, 0 before it is stored


@dataclass(frozen=True, slots=True)
class Memory:
    id: str
    kind: MemoryKind
    body: str
    source: Source
    confidence: float  # the base; what is shown is derived from it
    created_at: int
    updated_at: int
    by: str = "agent"  # human | agent | import
    client: str = ""
    session: str = ""
    origin: str = ""
    private: bool = False
    archived: bool = False
    imported: bool = False
    superseded_by: str = ""
    forgotten_at: int = 0  # 0: not forgotten
    evidence: Evidence | None = None
    links: tuple[Link, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class Revision:
    """A memory as it was before a deliberate act."""

    number: int
    act: str  # update | reverify | confirm | reanchor | supersede | archive | restore | forget | unlink
    at: int
    memory: Memory


# ── what resolving gives ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Change:
    """What changed in the anchored code. `summary`: `50 → 200` or `+3 −1 lines` or `edited`."""

    summary: str = ""
    touches: bool = False
    commit: str = ""  # `1a2b3c4d5e 2026-01-31` when history has it


@dataclass(frozen=True, slots=True)
class Fate:
    """What resolving one anchor in one checkout gives. `at`: where the code is now, None when nowhere."""

    name: FateName
    reason: str = ""
    at: Slot | None = None
    candidates: tuple[str, ...] = ()
    doc_changed: bool = False
    change: Change = field(default_factory=Change)
    detail: str = ""  # for unknown(other_branch): the commit; else free text for `admin get`


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory in one checkout: its status, every reason, and the fate of each anchor by anchor id."""

    status: Status
    reasons: tuple[str, ...]
    confidence: float
    fates: Mapping[int, Fate]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a use case answers: `data` for the question, `meta` the envelope; `text`: both as compact JSON, where it is
    at hand.
    """

    data: object
    meta: JsonObject
    text: str = field(default="", compare=False, repr=False)

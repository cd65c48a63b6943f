"""One file as it is now: stat, digest, language, facts. The one place where bytes from the disk become facts.

Knows nothing of anchors.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from anchormem import languages
from anchormem.model import Digest, FileFacts, FileState, FileStatus
from anchormem.project import decoding, disk
from anchormem.project.disk import Contents
from anchormem.project.root import Root
from anchormem.store import facts
from anchormem.store.db import Store
from anchormem.syntax.facts import content_digest, facts_of

# Two changes of a file within one tick of the clock that stamps it cannot be told apart by its stat.
RACY_NS = 2_000_000_000
HEAD_BYTES = 256  # enough for a shebang

# What a header file may turn out to be; which, only a parse says.
_EITHER: Mapping[str, tuple[str, ...]] = {"c_or_cpp": ("c", "cpp")}


@dataclass(frozen=True, slots=True)
class Look:
    """`state` None: there is no such file. `source`: its text as UTF-8, None where it is no text that can be read."""

    path: str
    state: FileState | None
    source: bytes | None = None


def look(root: Root, path: str, extensions: Mapping[str, str], now_ns: int) -> Look:
    """Reads `path`. The stat is taken before the bytes, so a change meanwhile is seen at the next look."""
    got = disk.read(root, path)
    if isinstance(got, Contents):
        return _seen(path, got, extensions, now_ns)
    if got.stat is None or got.reason in ("missing", "not_regular"):
        return Look(path, None)
    status: FileStatus = "too_large" if got.reason == "too_large" else "unreadable"
    return Look(path, FileState(path, got.stat, now_ns, None, None, status))


def _seen(path: str, got: Contents, extensions: Mapping[str, str], now_ns: int) -> Look:
    digest = content_digest(got.data)
    if not decoding.is_text(got.data):
        return Look(path, FileState(path, got.stat, now_ns, digest, None, "binary"))
    language = languages.language_of(path, got.data[:HEAD_BYTES], extensions)
    source = decoding.for_parsing(got.data)
    return Look(path, FileState(path, got.stat, now_ns, digest, language if source is not None else None), source)


def same_content(one: FileState | None, other: FileState | None) -> bool:
    """Whether two looks saw the same code, whatever the stats say."""
    if one is None or other is None:
        return one is other
    return (one.content, one.status) == (other.content, other.status) and meant(one.language) == meant(other.language)


def meant(language: str | None) -> tuple[str, ...]:
    """The languages a file may be in, for lookups of its facts."""
    return () if language is None else _EITHER.get(language, (language,))


def parse(seen: Look) -> tuple[FileState, FileFacts] | None:
    """State and facts of a look; None where there is nothing to parse. The state's language is what the parse found."""
    if seen.state is None or seen.state.language is None or seen.source is None:
        return None
    found = facts_of(seen.source, seen.state.language)
    if found.language is None or seen.state.content is None:
        return None
    return replace(seen.state, language=found.language), replace(found, content=seen.state.content)


def stored(store: Store, states: Iterable[FileState]) -> dict[tuple[Digest, str], FileFacts]:
    """Facts of today's epoch that need no parse, by content and language; symbols alone, without references."""
    wanted = {(state.content, one) for state in states if state.content for one in meant(state.language)}
    found = facts.get_many(store, wanted, symbols_only=True)
    return {
        (content, language): fact
        for (content, language), fact in found.items()
        if language is not None and fact.epoch == languages.epoch(language)
    }


def choose(state: FileState, known: Mapping[tuple[Digest, str], FileFacts]) -> FileFacts | None:
    """The facts of a state among those known."""
    if state.content is None:
        return None
    return next((known[key] for one in meant(state.language) if (key := (state.content, one)) in known), None)

"""What git remembers of code that is no longer where it was, asked once per pass. Outside git it remembers nothing.

Decides no fate. Contents that the index has met before, or this workspace, are not parsed again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from anchormem import languages
from anchormem.errors import GitFailed
from anchormem.model import Anchor, Digest, FileFacts, Slot
from anchormem.project import decoding, git
from anchormem.reason.scene import Past
from anchormem.store import facts
from anchormem.store.fates import FateRow
from anchormem.syntax import sections
from anchormem.syntax.facts import content_digest, facts_of
from anchormem.workspace.look import HEAD_BYTES, meant
from anchormem.workspace.session import Workspace

KEPT = 400  # old files whose definitions are kept in mind


@dataclass(frozen=True, slots=True)
class Old:
    """A file as committed. `source` None where it cannot be parsed."""

    data: bytes
    source: bytes | None
    language: str | None


class Memory:
    """Answers of git about one checkout, each asked once. `became`: where a lost file went, by it and its commits."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._old: dict[tuple[str, str], Old | None] = {}
        self.became: dict[tuple[str, ...], str] = {}
        self._ancestor: dict[str, bool] = {}
        self._renames: dict[str, dict[str, str]] = {}
        self._touching: dict[str, str] = {}
        self._tips: tuple[str, ...] | None = None

    @property
    def in_git(self) -> bool:
        return self._ws.root.is_git

    def fetch(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Files at (commit, path), all in one question."""
        asked = {pair for pair in wanted if pair[0] and pair not in self._old}
        if not asked or not self.in_git:
            return
        found = git.blobs(self._ws.root, asked)
        for pair in asked:
            data = found.get(pair)
            self._old[pair] = Old(data, *self._source(pair[1], data)) if data is not None else None

    def _source(self, path: str, data: bytes) -> tuple[bytes | None, str | None]:
        language = languages.language_of(path, data[:HEAD_BYTES], self._ws.config.extensions)
        return (decoding.for_parsing(data) if language and decoding.is_text(data) else None), language

    def old(self, commit: str, path: str) -> Old | None:
        """The file as committed; None: not there, no such commit, or no git."""
        self.fetch(((commit, path),))
        return self._old.get((commit, path))

    def facts(self, old: Old) -> FileFacts | None:
        """What is defined in an old file, None where it cannot be parsed. Most are only asked for, and never parsed."""
        if old.source is None:
            return None
        key, kept = (content_digest(old.data), old.language), self._ws.old
        made = kept.pop(key, None) or self._met(*key) or facts_of(old.source, old.language)
        kept[key] = made
        if len(kept) > KEPT:
            del kept[next(iter(kept))]
        return made

    def _met(self, content: Digest, language: str | None) -> FileFacts | None:
        """What the index knows of a content, where it was met before."""
        known = facts.get_many(self._ws.store, {(content, one) for one in meant(language)}, symbols_only=True)
        return next((one for one in known.values() if _is_of_today(one)), None)

    def is_ancestor(self, commit: str) -> bool:
        """Whether HEAD's history holds the commit; a missing one it does not."""
        if commit not in self._ancestor:
            self._ancestor[commit] = git.is_ancestor(self._ws.root, commit)
        return self._ancestor[commit]

    def renamed(self, commit: str, path: str) -> str:
        """Where git says the file went between the commit and HEAD, "" when it says nothing."""
        if not commit or not self.in_git:
            return ""
        if commit not in self._renames:
            known = git.commit_exists(self._ws.root, commit.rstrip("^")) and git.stamp(self._ws.root).head
            self._renames[commit] = git.renames(self._ws.root, commit, "HEAD") if known else {}
        return self._renames[commit].get(path, "")

    def before_last_touch(self, path: str) -> str:
        """The commit before the last one of HEAD's history that touched the file: what was deleted is still there."""
        if path not in self._touching:
            last = git.last_commit_touching(self._ws.root, path) if self.in_git else None
            self._touching[path] = f"{last.id}^" if last else ""
        return self._touching[path]

    def tips(self) -> tuple[str, ...]:
        """The newest commits of the branches here."""
        if self._tips is None:
            self._tips = git.branch_tips(self._ws.root)
        return self._tips


def _is_of_today(known: FileFacts) -> bool:
    return known.language is not None and known.epoch == languages.epoch(known.language)


def commits_of(anchor: Anchor, row: FateRow | None) -> tuple[str, ...]:
    """The commits under which the code was seen, the latest first."""
    seen = row.seen_commit if row else ""
    return tuple(dict.fromkeys(commit for commit in (seen, anchor.commit) if commit))


def past_of(memory: Memory, anchor: Anchor, row: FateRow | None, slots: Iterable[Slot]) -> Past | None:
    """Where the commit stands in which the code was last seen. None: git does not answer."""
    if not memory.in_git:
        return Past("none")
    try:
        commit = _last_commit(memory, anchor, row, tuple(slots))
        if not commit:
            return Past("never")
        return Past("committed" if memory.is_ancestor(commit) else "elsewhere", commit)
    except GitFailed:
        return None


def _last_commit(memory: Memory, anchor: Anchor, row: FateRow | None, slots: tuple[Slot, ...]) -> str:
    commits = commits_of(anchor, row)
    if anchor.commit and not anchor.dirty:
        return commits[0]
    memory.fetch((commit, slot.path) for commit in (*commits, "HEAD") for slot in slots)
    held = (c for c in _candidates(memory, commits, slots) if any(_held(memory, anchor, c, s) for s in slots))
    return next(held, "")


def _candidates(memory: Memory, commits: tuple[str, ...], slots: tuple[Slot, ...]) -> Iterator[str]:
    yield from commits
    yield "HEAD"
    yield from (before for slot in slots if (before := memory.before_last_touch(slot.path)))
    tips = memory.tips()
    memory.fetch((tip, slot.path) for tip in tips for slot in slots)
    yield from tips  # written here, committed there, and no call between


def _held(memory: Memory, anchor: Anchor, commit: str, slot: Slot) -> bool:
    """Whether the commit has the anchored code at a slot: the file, or a symbol of that name or body."""
    old = memory.old(commit, slot.path)
    if old is None:
        return False
    if not slot.qualified:
        return anchor.aspect != "file" or not anchor.dirty or content_digest(old.data) == anchor.body
    known = memory.facts(old)
    if known is None or old.source is None:
        return False
    if any(symbol.qualified == slot.qualified or symbol.body == anchor.body for symbol in known.symbols):
        return True
    return not known.symbols and sections.find_key(old.source, known.language, slot.qualified) is not None

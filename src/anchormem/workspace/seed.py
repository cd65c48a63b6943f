"""Seed: notes that a project or a person keeps already become anchored memories, each once.

Knows nothing of arguments on a command line, nor of how Markdown is read.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from anchormem import languages
from anchormem.errors import NotFound, UsageError
from anchormem.model import Anchor, JsonObject, Memory, Reply
from anchormem.project import decoding, disk, git
from anchormem.project.listing import why_not_listed
from anchormem.project.root import Root
from anchormem.reason import similar
from anchormem.reason.envelope import lean
from anchormem.reason.standing import base_confidence
from anchormem.store import listing, memories
from anchormem.syntax.notes import LeftOut, read
from anchormem.text import secrets
from anchormem.workspace import alike, draft, given, ids
from anchormem.workspace.binding import bind_known, printed
from anchormem.workspace.figures import reply
from anchormem.workspace.freshness import refresh
from anchormem.workspace.named import Names
from anchormem.workspace.noted import Noted, beginning, noted
from anchormem.workspace.present import preview
from anchormem.workspace.remember import settled
from anchormem.workspace.session import Workspace
from anchormem.workspace.sweep import sweep

ANCHORS = ("auto", "file", "none")
MOST_ANCHORS = 12  # of one note; a paragraph that names more is about none of them
SHOWN = 100  # characters of a body
WAIT_MS = 120_000


@dataclass(frozen=True, slots=True)
class _File:
    """`path`: from the root, or the bare name of what lies outside. `shared`: it belongs to the repository."""

    path: str
    data: bytes
    shared: bool
    inside: bool


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is to be done with one note. `why` empty: it is stored; else near_duplicate, secret or too_long."""

    note: Noted
    anchors: tuple[Anchor, ...] = ()
    conflicts: tuple[JsonObject, ...] = ()
    why: str = ""
    of: str = ""  # the memory that says it already, or the rule that struck


def seed(ws: Workspace, notes_file: Path, args: Mapping[str, object]) -> Reply:
    """`notes_file`: Markdown, wherever it lies. `anchor` str auto|file|none, `kind` str "" (as the headings tell),
    `force` bool False, `dry_run` bool False, `by` str "human"; of the caller: `progress` Callable[[int, int], None].

    data: {file, notes, stored: [{id, line, kind, body, anchors, possible_conflicts}], unchanged, refused: [{line, why,
    of, body}], left_out: [{line, why: html|links|one_word}], private, dry_run}, empty ones left out. Notes of files
    that are not the repository's are private. Raises UsageError and NotFound for what cannot be read, Refused for what
    is too large, StoreError.
    """
    file = _read(ws.root, notes_file)
    secrets.check({"file": file.path})
    kind = draft.KINDS.get(given.text(args, "kind"))
    found, left = read(file.data)
    notes = _once(noted(note, file.path, kind) for note in found)
    progress = args.get("progress")
    report = sweep(ws, progress=progress if callable(progress) else None, cancelled=ws.cancelled, wait_ms=WAIT_MS)
    fresh = refresh(ws)
    safe = [_looked_over(note) for note in notes]
    anchors = _anchors(ws, file, [one.note for one in safe if not one.why], given.text(args, "anchor", "auto"))
    dry = given.flag(args, "dry_run")
    verdicts, unchanged = _judge(ws, file, safe, anchors, force=given.flag(args, "force"))
    if not dry:
        _store(ws, file, [one for one in verdicts if not one.why], given.text(args, "by", "human"))
    fresh = fresh if dry else settled(ws, fresh)
    warnings = list(report.warnings)
    if report.outcome != "complete":
        warnings.append("names were looked for in an index that is not whole: run it again")
    told = _told(file, len(notes), verdicts, unchanged, dry_run=dry) | lean({"left_out": list(map(_left, left))})
    return reply(ws, fresh, told, warnings=warnings)


def _read(root: Root, path: Path) -> _File:
    """The notes, wherever a person keeps them. A symbolic link counts as what it leads to."""
    full = path.resolve()
    language = languages.language_of(full.name, b"")
    if language not in (None, "markdown") or ".git" in full.parts:
        reason = "inside .git" if ".git" in full.parts else f"{language} and no notes"
        raise UsageError(f"{path} is {reason}", "give a Markdown file, such as CLAUDE.md or MEMORY.md")
    got = disk.read_named(full)
    if isinstance(got, disk.Unread):
        what = {"missing": "there is no file", "too_large": "too large", "not_regular": "no file"}
        raise (NotFound if got.reason == "missing" else UsageError)(
            f"{what.get(got.reason, 'cannot be read')}: {path}", "give a Markdown file, such as CLAUDE.md or MEMORY.md"
        )
    text = decoding.for_parsing(got.data)
    if text is None:
        raise UsageError(
            f"no text, or over 512 KB: {path}", "give a Markdown file in UTF-8, in parts if it is so large"
        )
    if not full.is_relative_to(root.path):
        return _File(full.name, text, shared=False, inside=False)
    inside = full.relative_to(root.path).as_posix()
    return _File(inside, text, shared=not why_not_listed(root, [inside]), inside=True)


def _once(notes: Iterable[Noted]) -> list[Noted]:
    """Without what the same file says twice in the same place."""
    return list({note.origin: note for note in reversed(list(notes))}.values())[::-1]


def _looked_over(note: Noted) -> _Verdict:
    """Secrets first, so that nothing of such a note is looked up, compared or shown."""
    if found := secrets.find(note.body):
        return _Verdict(note, why="secret", of=found.rule)
    return _Verdict(note, why="too_long" if len(note.body.encode("utf-8", "replace")) > draft.MAX_BODY else "")


def _anchors(ws: Workspace, file: _File, notes: Sequence[Noted], wanted: str) -> Mapping[str, tuple[Anchor, ...]]:
    """The anchors of each note, by origin."""
    if wanted == "none":
        return {}
    names = Names(ws.store, file.path.rpartition("/")[0] if file.inside else "", file.path if file.inside else "")
    named = {note.origin: names.anchors(note.named, symbols=wanted == "auto")[:MOST_ANCHORS] for note in notes}
    bound = bind_known(ws, dict.fromkeys(one for each in named.values() for one in each))
    return {key: tuple(dict.fromkeys(bound[one] for one in each if one in bound)) for key, each in named.items()}


def _judge(
    ws: Workspace, file: _File, notes: Sequence[_Verdict], anchors: Mapping[str, tuple[Anchor, ...]], *, force: bool
) -> tuple[list[_Verdict], int]:
    """What is to be stored or refused, and how many are known. Notes of one file do not stand in each other's way;
    what an earlier state of it said does, and what is known of the same code.
    """
    every = listing.everything(ws.store)
    known = {memory.id for memory in every} | {memory.origin for memory in every}
    new = [one for one in notes if known.isdisjoint((one.note.origin, ids.derived(one.note.origin)))]
    neighbours = _Neighbours(ws, file, every, {one.note.origin for one in notes}, anchors) if new else None
    verdicts = []
    for one in new:
        bound = anchors.get(one.note.origin, ())
        verdicts.append(one if one.why or not neighbours else _compared(one.note, bound, neighbours, force=force))
    return verdicts, len(notes) - len(new)


class _Neighbours:
    """What stands already where notes come to: what an earlier state of their file said, what is anchored where they
    are, and for a note without anchors whatever has none either. Read once for all of them.
    """

    def __init__(
        self,
        ws: Workspace,
        file: _File,
        every: Iterable[Memory],
        own: Collection[str],
        anchors: Mapping[str, Sequence[Anchor]],
    ) -> None:
        standing = [one for one in every if not (one.forgotten_at or one.superseded_by or one.archived)]
        self._kept = {one.id for one in standing if one.origin in own}
        before = (one for one in standing if one.origin.startswith(beginning(file.path)))
        self._earlier = {one.id: one.body for one in before if one.id not in self._kept}
        self._unanchored = alike.in_slots(ws.store, (), besides=self._kept)
        self._at = alike.at_slots(ws.store, (anchor.slot for each in anchors.values() for anchor in each))
        here = {name: body for bodies in self._at.values() for name, body in bodies.items()}
        self._bodies = {**self._earlier, **self._unanchored, **here}
        self._words = alike.Words(self._bodies)

    def of(self, text: str, anchors: Sequence[Anchor]) -> dict[str, str]:
        """The bodies that may say the same."""
        if anchors:
            here = {name for anchor in anchors for name in self._at.get(anchor.slot, ())} - self._kept
        else:
            here = set(self._unanchored)
        return {name: self._bodies[name] for name in self._words.near(text, here | self._earlier.keys())}


def _compared(note: Noted, anchors: tuple[Anchor, ...], neighbours: _Neighbours, *, force: bool) -> _Verdict:
    """Without the headings that two have in common: short notes under long headings are not alike."""
    text = note.body.removeprefix(note.prefix)
    others = {name: body.removeprefix(note.prefix) for name, body in neighbours.of(text, anchors).items()}
    copy = "" if force else similar.near_identical(text, others) or ""
    if copy:
        return _Verdict(note, anchors, why="near_duplicate", of=copy)
    return _Verdict(note, anchors, tuple(alike.conflicts(text, others)))


def _store(ws: Workspace, file: _File, verdicts: Iterable[_Verdict], by: str) -> None:
    """All at once. What another process has seeded meanwhile is there already."""
    at = _written(ws, file)
    with ws.store.writing():
        for one in verdicts:
            if not memories.by_origin(ws.store, one.note.origin):
                memories.insert(ws.store, replace(_memory(ws, one, at), private=not file.shared, by=by))


def _written(ws: Workspace, file: _File) -> int:
    """The day when the notes were committed last: what anybody did since to a memory of theirs is the later word, even
    where a teammate seeds them afterwards. Now, for notes that no commit holds as they are.
    """
    commit = None
    if file.shared and ws.root.is_git and not git.is_dirty(ws.root, file.path, file.data):
        commit = git.last_commit_touching(ws.root, file.path)
    day = int(datetime.fromisoformat(f"{commit.date}T00:00:00+00:00").timestamp()) * 1000 if commit else ws.now()
    return min(day, ws.now())


def _memory(ws: Workspace, one: _Verdict, at: int) -> Memory:
    """Its id follows from its origin: two teammates who seed the same notes have the same memories."""
    return Memory(
        id=ids.derived(one.note.origin),
        kind=one.note.kind,
        body=one.note.body,
        source="mined",
        confidence=base_confidence("mined", None),
        created_at=at,
        updated_at=at,
        client=ws.client,
        session=ws.session,
        origin=one.note.origin,
        anchors=one.anchors,
    )


def _told(file: _File, notes: int, verdicts: Sequence[_Verdict], unchanged: int, *, dry_run: bool) -> JsonObject:
    stored = [one for one in verdicts if not one.why]
    refused = [one for one in verdicts if one.why]
    told = lean({"private": not file.shared, "dry_run": dry_run, "stored": list(map(_stored, stored))})
    told |= lean({"refused": list(map(_refused, refused))})
    return {"file": file.path, "notes": notes, "unchanged": unchanged, **told}


def _stored(one: _Verdict) -> JsonObject:
    return lean(
        {
            "id": ids.derived(one.note.origin),
            "line": one.note.line,
            "kind": one.note.kind,
            "body": preview(one.note.body, SHOWN),
            "anchors": [printed(anchor) for anchor in one.anchors],
            "possible_conflicts": list(one.conflicts),
        }
    )


def _refused(one: _Verdict) -> JsonObject:
    shown = preview(one.note.body, SHOWN) if one.why == "near_duplicate" else ""
    return lean({"line": one.note.line, "why": one.why, "of": one.of, "body": shown})


def _left(one: LeftOut) -> JsonObject:
    return {"line": one.line, "why": one.why}

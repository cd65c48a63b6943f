"""limpet's own export as lines of ours: equal ids for every teammate, trust reset, anchors made anew from their names.

Its hashes are of another recipe. Where git shows that the anchored code is as it was on the memory's day, the anchor is
tied to today's code; elsewhere it stays unknown until somebody confirms or re-anchors it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import get_args

from anchormem.errors import AnchormemError, GitFailed
from anchormem.model import Anchor, Evidence, Link, Memory, MemoryKind, Relation, Slot, Source
from anchormem.project import git
from anchormem.reason.standing import base_confidence
from anchormem.syntax.facts import content_digest, raw_digest
from anchormem.workspace import exported, ids, past
from anchormem.workspace.binding import bind
from anchormem.workspace.exported import Export, Line
from anchormem.workspace.session import Workspace

RECIPE = "limpet"  # the epoch of an anchor that nobody has tied to code yet
HEADER = "limpet_export"

_KINDS: Mapping[str, MemoryKind] = {one: one for one in get_args(MemoryKind)}
_SOURCES: Mapping[str, Source] = {one: one for one in get_args(Source)}
_RELATIONS: Mapping[str, Relation] = {one: one for one in get_args(Relation)}

Said = Mapping[str, object]


def is_export(found: Export) -> bool:
    """Whether a file that is none of ours is limpet's: its header, or a memory with its dates as text."""
    if found.version or any(line.memory for line in found.lines):
        return False
    return any(HEADER in said or _is_theirs(said) for line in found.lines[:20] if (said := _object(line.text)))


def _is_theirs(said: Said) -> bool:
    return isinstance(said.get("created_at"), str) and isinstance(said.get("id"), str) and "kind" in said


def read(ws: Workspace, lines: Sequence[Line]) -> list[Line]:
    """Each line as a memory of ours, or with the reason why it is none. Call after a refresh."""
    told = [(line, said) for line in lines if HEADER not in (said := _object(line.text))]
    successors = {
        ids_of(str(link.get("dst"))): ids_of(str(said.get("id")))
        for _, said in told
        for link in _objects(said.get("links"))
        if link.get("rel") == "supersedes"
    }
    made = _Maker(ws, successors)
    return [made.line(line, said) for line, said in told]


def ids_of(theirs: str) -> str:
    """The same on every machine."""
    return ids.derived(f"{RECIPE}:{theirs}")


class _Maker:
    """Asks git once for each day and file."""

    def __init__(self, ws: Workspace, successors: Mapping[str, str]) -> None:
        self._ws = ws
        self._successors = successors
        self._past = past.Memory(ws)
        self._commits: dict[int, str] = {}

    def line(self, line: Line, said: Said) -> Line:
        if not said:
            return Line(line.text, fault=line.fault or "no JSON object", number=line.number)
        try:
            memory = self._memory(said)
        except (ValueError, KeyError, TypeError, OverflowError) as fault:
            return Line(line.text, fault=f"not as limpet writes it: {fault}"[:200], number=line.number)
        # What goes for a line of ours goes for this one: lengths, shapes, ids.
        checked = exported.opened(exported.line(memory).encode()).lines[0]
        return Line(line.text, memory.id, checked.memory, checked.fault, line.number)

    def _memory(self, said: Said) -> Memory:
        theirs, source = str(said["id"]), _SOURCES[str(said["source"])]
        name = ids_of(theirs)
        created = _ms(said["created_at"])
        updated = _ms(said.get("updated_at") or said["created_at"])
        evidence = _evidence(said)
        source = "explicit" if source == "verified" and evidence is None else source
        return Memory(
            id=name,
            kind=_KINDS[str(said["kind"])],
            body=str(said["body"]),
            source=source,
            confidence=base_confidence(source),
            created_at=created,
            updated_at=updated,
            by="import",
            origin=f"{RECIPE}:{theirs}",
            archived=said.get("archived") is True,
            superseded_by=self._successors.get(name, ""),
            evidence=evidence,
            links=tuple(_links(said)),
            anchors=tuple(self._anchors(said, evidence.at if evidence else created)),
        )

    def _anchors(self, said: Said, at: int) -> Iterator[Anchor]:
        for one in _objects(said.get("anchors")):
            file, symbol = str(one["file"]), _qualified(str(one["file"]), one.get("symbol_fqn"))
            slot = Slot(file, symbol)
            yield self._unchanged(slot, at) or _unknown(slot)

    def _unchanged(self, slot: Slot, at: int) -> Anchor | None:
        """Today's anchor, where git says that its code is as it was then."""
        try:
            (now,) = bind(self._ws, [{"file": slot.path, "symbol": slot.qualified or None}])
            old = self._past.old(self._commit(at), slot.path)
        except AnchormemError:
            return None
        if old is None:
            return None
        if not slot.qualified:
            return now if content_digest(old.data) == now.body else None
        known = self._past.facts(old)
        same = known is not None and any(
            symbol.qualified == now.slot.qualified and symbol.body == now.body for symbol in known.symbols
        )
        return now if same else None

    def _commit(self, at: int) -> str:
        """HEAD's history as of then; "" without one."""
        if at not in self._commits:
            self._commits[at] = git.commit_before(self._ws.root, at // 1000) if self._ws.root.is_git else ""
        if not self._commits[at]:
            raise GitFailed("no commit is so old")
        return self._commits[at]


def _unknown(slot: Slot) -> Anchor:
    never = raw_digest(f"{RECIPE}:{slot}".encode("utf-8", "replace"))  # the hash of no code
    aspect = "body" if slot.qualified else "file"
    return Anchor(slot, "body" if aspect == "body" else "file", RECIPE, body=never, slots=(slot,))


def _qualified(file: str, fqn: object) -> str:
    """`src.scan.queue.ScanQueue.seed` of src/scan/queue.py → `ScanQueue.seed`; "" for a file."""
    if not isinstance(fqn, str):
        return ""
    folder, _, name = file.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return fqn.removeprefix(f"{folder}/{stem}".strip("/").replace("/", ".") + ".")


def _evidence(said: Said) -> Evidence | None:
    command = said.get("evidence_cmd")
    if not isinstance(command, str) or not command.strip():
        return None
    digest = raw_digest(str(said.get("evidence_digest")).encode("utf-8", "replace"))
    at = _ms(said.get("evidence_ran_at") or said["created_at"])
    return Evidence(command, "", digest, 0, at, approved=False)


def _links(said: Said) -> Iterator[Link]:
    for one in _objects(said.get("links")):
        yield Link(ids_of(str(one["dst"])), _RELATIONS[str(one["rel"])])


def _ms(said: object) -> int:
    return int(datetime.fromisoformat(str(said)).timestamp() * 1000)


def _objects(said: object) -> list[Said]:
    return [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []


def _object(text: str) -> Said:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}

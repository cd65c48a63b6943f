"""`anchormem check`: would this change leave something active stale? Both sides are read from git alone."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import splitext

from anchormem.errors import NotARepository, NotFound
from anchormem.model import Anchor, Fate, JsonObject, Memory, Place, Reply, Standing
from anchormem.project import config, git
from anchormem.project.root import Root, find_root
from anchormem.reason.envelope import Envelope, lean, meta
from anchormem.reason.scene import Scene
from anchormem.reason.standing import standing
from anchormem.workspace import difference, exported, given
from anchormem.workspace.judged import gather
from anchormem.workspace.present import preview, where
from anchormem.workspace.tree import Tree, equal_places, fate_in

BODY = 240
INDEX = "index"  # the head side when what is staged is judged
NO_MEMORIES = (
    f"nothing was checked: nothing is remembered here, and there is no {exported.PATH}, which anchormem export writes"
)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*")  # a branch, tag or commit, and no way from one to another


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the comparison. `entries`: all its files; `tree`: what they hold; `renamed`: old path → new path;
    `carried`: those of them that changed nothing on the way, where no other file held the same, or is new and holds it.
    """

    name: str
    entries: Mapping[str, git.Entry]
    blobs: "Blobs"
    tree: Tree
    renamed: Mapping[str, str]
    carried: Mapping[str, str]


def check(start: Path, args: Mapping[str, object]) -> Reply:
    """`base` str "" (compared from where HEAD left it; empty: HEAD), `staged` bool False (head side: the git index, as
    without a base; else the HEAD commit).

    data: {base, head, changed_files (how many differ), export (where it was read, or "none"), store (memories of the
    local one), checked, findings: [{id, kind, body, at, reason, path, line}]}; with findings: exit 1. Raises, for
    exit 2: NotFound naming the fix when the base is missing, NotARepository outside git, StoreError, Refused for an
    export of a newer version.
    """
    root = find_root(start)
    if not root.is_git:
        raise NotARepository(f"{root.path} is not in a git repository", "check compares commits")
    base = given.text(args, "base")
    staged = given.flag(args, "staged") or not base
    base = base or "HEAD"
    commit = _base(root, base)
    then = git.tree_of(root, commit) if commit else {}
    now = git.staged_entries(root, git.hook_index(root)) if staged else git.tree_of(root, git.resolve_ref(root, "HEAD"))
    changed = difference.between(root, then, now)
    head = INDEX if staged else "HEAD"
    renamed = {one.old: one.path for one in changed if one.status == "renamed"}
    sides = _side(root, base, then, {}, {}), _side(root, head, now, renamed, _carried(then, now, renamed))
    found = gather(start, root, *(side.tree for side in sides))
    data: JsonObject = {
        "base": base,
        "head": head,
        "changed_files": len(changed),
        "export": found.export,
        "store": found.store,
    }
    if found.export == "none" and not found.store:
        return Reply({**data, "checked": 0, "findings": []}, meta(Envelope(warnings=(NO_MEMORIES, *found.warnings))))
    judged = [one for one in found.memories if _is_judged(one)]
    findings = _findings(sides, judged, {path for one in changed for path in (one.path, one.old)})
    figures = Envelope(matched=len(judged), returned=len(findings), stale=len(findings), warnings=found.warnings)
    return Reply({**data, "checked": len(judged), "findings": findings}, meta(figures))


def _base(root: Root, ref: str) -> str:
    """The commit where HEAD left the base, so that what others did there since is not laid at this change's door.

    "" where nothing is committed yet.
    """
    if ref == "HEAD":
        return git.head_commit(root)
    try:
        return git.merge_base(root, ref, "HEAD") or git.resolve_ref(root, ref)
    except NotFound as missing:
        raise NotFound(f"the base {ref!r} is not here", _how_to_get(root, ref)) from missing


def _how_to_get(root: Root, ref: str) -> str:
    """What brings a missing base here."""
    if git.is_shallow(root):
        return "this clone is shallow: git fetch --unshallow"
    if _NAME.fullmatch(ref) and ref != "HEAD":
        return f"git fetch origin {ref.removeprefix('origin/')}"
    return "the history does not reach so far back: give a commit that `git log` shows"


class Blobs:
    """Contents of one side, in few questions: what is surely wanted at once, the rest when it is asked for."""

    def __init__(self, root: Root, entries: Mapping[str, git.Entry]) -> None:
        self._root = root
        self._entries = {path: entry for path, entry in entries.items() if entry.mode in difference.FILE_MODES}
        self._contents: dict[str, bytes] = {}
        self._asked: set[str] = set()

    def fetch(self, paths: Iterable[str]) -> None:
        wanted = [self._entries[path] for path in paths if path in self._entries]
        new = [entry for entry in wanted if entry.blob not in self._asked]
        self._asked.update(entry.blob for entry in new)
        self._contents |= git.contents(self._root, new) if new else {}

    def read(self, path: str) -> bytes | None:
        self.fetch((path,))
        entry = self._entries.get(path)
        return self._contents.get(entry.blob) if entry else None


def _side(
    root: Root,
    name: str,
    entries: Mapping[str, git.Entry],
    renamed: Mapping[str, str],
    carried: Mapping[str, str],
) -> Side:
    blobs = Blobs(root, entries)
    return Side(name, entries, blobs, Tree(blobs.read, config.load(root).extensions), renamed, carried)


def _carried(then: Mapping[str, git.Entry], now: Mapping[str, git.Entry], renamed: Mapping[str, str]) -> dict[str, str]:
    old = Counter(entry.blob for entry in then.values())
    new = Counter(entry.blob for path, entry in now.items() if path not in then)
    return {
        before: after
        for before, after in renamed.items()
        if then[before].blob == now[after].blob and old[then[before].blob] == new[now[after].blob] == 1
    }


def _is_judged(memory: Memory) -> bool:
    """Decisions, and facts with evidence, that still stand."""
    counts = memory.kind == "decision" or (memory.kind == "fact" and memory.source == "verified")
    return counts and bool(memory.anchors) and not (memory.archived or memory.superseded_by or memory.forgotten_at)


def _findings(sides: tuple[Side, Side], memories: Iterable[Memory], changed: set[str]) -> list[JsonObject]:
    """What was active and no longer is. A memory none of whose files changed cannot have become so."""
    base, head = sides
    concerned = [memory for memory in memories if not changed.isdisjoint(_paths(memory))]
    for side in sides:
        side.blobs.fetch({path for memory in concerned for path in _paths(memory)})
    found: list[JsonObject] = []
    for memory in concerned:
        if _standing(base, memory).status != "active":
            continue
        now = _standing(head, memory)
        if now.status in ("stale", "invalidated"):
            found += [_finding(head, memory, now, anchor, fate) for anchor, fate in _lost(memory, now)]
    return found


def _paths(memory: Memory) -> set[str]:
    return {slot.path for anchor in memory.anchors for slot in (anchor.slot, *anchor.slots)}


def _standing(side: Side, memory: Memory) -> Standing:
    """Code that left its slots is looked for in all files of its suffix: a twin anywhere makes a follow a guess."""

    def elsewhere(scene: Scene) -> Iterable[Place]:
        suffix = splitext(scene.anchor.slot.path)[1]
        alike = sorted(path for path in side.entries if splitext(path)[1] == suffix)
        side.blobs.fetch(alike)
        return equal_places(side.tree, alike, scene)

    fates = {anchor.id: fate_in(side.tree, anchor, elsewhere, side.renamed, side.carried) for anchor in memory.anchors}
    return standing(memory, fates)


def _lost(memory: Memory, now: Standing) -> list[tuple[Anchor, Fate]]:
    fates = [(anchor, now.fates[anchor.id]) for anchor in memory.anchors]
    return [(anchor, fate) for anchor, fate in fates if fate.name in ("stale", "gone")]


def _finding(side: Side, memory: Memory, now: Standing, anchor: Anchor, fate: Fate) -> JsonObject:
    at = where(anchor, fate)
    symbols = side.tree.symbols(at.path, at.qualified) if at.qualified else ()
    line = next((one.start_line for one in symbols if one.disambiguator == at.disambiguator), 1)
    return lean(
        {
            "id": memory.id,
            "kind": memory.kind,
            "source": memory.source if memory.source != "explicit" else "",
            "body": preview(memory.body, BODY),
            "status": now.status,
            "at": str(at),
            "reason": fate.reason or fate.name,
            "candidates": list(fate.candidates),
            "path": at.path,
            "line": line,
        }
    )

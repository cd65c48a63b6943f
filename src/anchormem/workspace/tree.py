"""One state of the tree that is not the disk's: a commit, the git index, or what the working tree was before a change.

Answers what Ground answers, from bytes, without a store; and the fate an anchor would have there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from anchormem.languages import language_of
from anchormem.model import Anchor, Fate, FileFacts, FileState, Place, Slot, Stat, Symbol
from anchormem.reason.resolve import LOW_ENTROPY_BYTES, is_empty, resolve, wants
from anchormem.reason.scene import FileView, Past, Scene
from anchormem.syntax.folding import content_digest
from anchormem.workspace import sources
from anchormem.workspace.scenes import scene_of
from anchormem.workspace.sources import Source

Read = Callable[[str], bytes | None]
Elsewhere = Callable[[Scene], Iterable[Place]]

_NO_STAT = Stat(0, 0, 0, 0)


class Tree:
    """`read` gives a file's bytes, None where there is none. Each file is parsed once, when it is asked for."""

    def __init__(self, read: Read, extensions: Mapping[str, str]) -> None:
        self._read = read
        self._extensions = extensions
        self._sources: dict[str, Source | None] = {}

    def at(self, path: str) -> Source | None:
        if path not in self._sources:
            data = self._read(path)
            self._sources[path] = None if data is None else sources.of_bytes(path, data, self._extensions)
        return self._sources[path]

    def state(self, path: str) -> FileState | None:
        found = self.at(path)
        if found is None:
            return None
        return FileState(path, _NO_STAT, 0, content_digest(found.data), found.language)

    def view(self, path: str) -> tuple[FileView, str]:
        if self.at(path) is None:
            return "absent", ""
        return ("unparsed", "no symbols can be read") if self.facts(path) is None else ("present", "")

    def facts(self, path: str) -> FileFacts | None:
        found = self.at(path)
        return found.facts if found is not None and found.text is not None and found.facts.language else None

    def source(self, path: str) -> bytes | None:
        found = self.at(path)
        return found.text if found else None

    def symbols(self, path: str, qualified: str) -> Sequence[Symbol]:
        found = self.at(path)
        if found is None or self.facts(path) is None:
            return ()
        held = [one for one in found.facts.symbols if one.qualified == qualified]
        return held or sources.symbols_at(found, Slot(path, qualified))

    def language(self, path: str) -> str | None:
        found = self.at(path)
        return found.language if found else language_of(path, b"", self._extensions)


def fate_in(
    tree: Tree, anchor: Anchor, elsewhere: Elsewhere, renamed: Mapping[str, str], carried: Mapping[str, str]
) -> Fate:
    """The fate of an anchor in a tree. `elsewhere`: places of equal bodies there; `renamed`: old path → new path, and
    `carried` those that changed nothing on the way.

    What is found nowhere is gone: a tree of one commit knows no other branch.
    """
    scene = scene_of(tree, anchor, None)
    while want := wants(scene):
        if want == "elsewhere":
            tried = {sighting.slot for sighting in scene.sightings}
            places = elsewhere(scene) if is_empty(scene) else ()
            found = tuple(place for place in places if place.slot not in tried)
            scene = replace(scene, elsewhere=found, carried=_carried(tree, scene, carried))
        elif want == "successors":
            scene = replace(scene, successors=tuple(_successors(tree, anchor, renamed)))
        else:
            scene = replace(scene, past=Past("committed", anchor.commit))
    return resolve(scene)


def _carried(tree: Tree, scene: Scene, carried: Mapping[str, str]) -> frozenset[str]:
    first = scene.sightings[0]
    moved = tree.at(carried.get(first.slot.path, "")) if first.file == "absent" else None
    is_one = moved is not None and len(moved.data) >= LOW_ENTROPY_BYTES
    return frozenset({carried[first.slot.path]}) if is_one else frozenset()


def _successors(tree: Tree, anchor: Anchor, renamed: Mapping[str, str]) -> Iterable[Slot]:
    """The same name in the renamed file."""
    path = renamed.get(anchor.slot.path)
    if path is None:
        return
    slot = replace(anchor.slot, path=path)
    if not slot.qualified or tree.symbols(path, slot.qualified):
        yield slot


def equal_places(tree: Tree, paths: Iterable[str], scene: Scene) -> Iterable[Place]:
    """Where, among these files, the body (of a file anchor the content) is that the anchor follows by."""
    for path in paths:
        if not scene.anchor.slot.qualified:
            state = tree.state(path)
            if state is not None and state.content == scene.follow_by:
                yield Place(Slot(path))
            continue
        facts = tree.facts(path)
        for one in facts.symbols if facts else ():
            if one.body == scene.follow_by:
                yield Place(Slot(path, one.qualified, one.disambiguator), one)

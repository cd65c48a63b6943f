"""The shared export beside the code, looked at before every call: imported by itself once, afterwards only announced.

Costs one stat and one small question where nothing changed. Needs no Workspace, so that opening one can begin with it.
"""

from contextlib import suppress

from anchormem.errors import AnchormemError, NotFound, Refused, StoreError
from anchormem.model import Stat
from anchormem.project import disk
from anchormem.project.root import Root
from anchormem.store import marks, memories
from anchormem.store.db import Store
from anchormem.workspace import exported, merging
from anchormem.workspace.arrival import Arrival, take_in
from anchormem.workspace.exported import PATH, Export

MOST_BYTES = 100 << 20
IMPORTED_AT = "import.at"  # ms of the last import that succeeded
SEEN = "import.seen:"  # with the root: the file as last looked at, and how many of its memories are newer than here
NEWS = "import.news"  # what was imported by itself, until a reply has said so
FAILED = "!"  # in the place of that number, before the reason why it could not be imported


def opened(root: Root, path: str) -> Export:
    """An export. NotFound, Refused."""
    return judged(read(root, path), path)


def read(root: Root, path: str) -> Export:
    """A file's lines, whatever they are. NotFound, Refused."""
    found = disk.read(root, path, MOST_BYTES)
    if isinstance(found, disk.Unread):
        if found.reason == "missing":
            raise NotFound(f"there is no {path}", "anchormem export writes it, where memories are")
        too_large = f"larger than {MOST_BYTES >> 20} MB" if found.reason == "too_large" else found.reason
        raise Refused(f"{path} cannot be imported: it is {too_large.replace('_', ' ')}", "nothing was changed")
    return exported.opened(found.data)


def judged(export: Export, path: str) -> Export:
    """The same, where it is one. Refused."""
    exported.refuse_newer(export, path)
    if not any(line.memory for line in export.lines) and (export.lines or not export.version):
        raise Refused(f"{path} is no export of anchormem: no line of it is a memory", "nothing was changed")
    return export


def remember(store: Store, root: Root, path: str, *, newer: int = 0, imported_at: int = 0, news: str = "") -> None:
    """Marks the file as looked at. Other files than the shared one are nobody's news."""
    stat = disk.stat(root, PATH)
    if path != PATH or stat is None:
        marks.put(store, {marks.TEXTLESS: "1"} if imported_at else {})
        return
    values = {f"{SEEN}{root.path}": f"{_spelled(stat)} {newer}"}
    marks.put(store, values | ({IMPORTED_AT: str(imported_at), NEWS: news, marks.TEXTLESS: "1"} if imported_at else {}))


def told(store: Store) -> None:
    """A reply has said what was imported."""
    with suppress(StoreError):
        marks.put(store, {NEWS: ""})


def arrived(store: Store, root: Root, now: int, *, auto: bool) -> tuple[str, str]:
    """(what every reply says of the shared export, what the next one says besides), "" for nothing.

    Imports it when no import has succeeded yet. Never raises; what failed is said, and tried again once the file or the
    store is another.
    """
    stat = disk.stat(root, PATH)
    if stat is None or not store.writable:
        return "", ""
    try:
        seen, _, count = marks.get(store, f"{SEEN}{root.path}").partition(" ")
        if seen == _spelled(stat):
            return _news(count), marks.get(store, NEWS)
        export = opened(root, PATH)
        if auto and export.lines and not marks.get(store, IMPORTED_AT):
            done = _done(take_in(store, root, export.lines, now))
            remember(store, root, PATH, imported_at=now, news=done)
            return "", done
        newer = _newer(store, export)
        remember(store, root, PATH, newer=newer)
        return _news(str(newer)), marks.get(store, NEWS)
    except StoreError as failure:
        return f"{PATH} could not be looked at: {failure.message}", ""
    except AnchormemError as failure:
        return _failed(store, root, stat, failure.message), ""


def _news(count: str) -> str:
    if count.startswith(FAILED):
        return count[len(FAILED) :]
    return f"{count} newer shared {'memory' if count == '1' else 'memories'}: anchormem import" if count != "0" else ""


def _failed(store: Store, root: Root, stat: Stat, why: str) -> str:
    """Not tried again before the file is another one."""
    with suppress(StoreError):
        marks.put(store, {f"{SEEN}{root.path}": f"{_spelled(stat)} {FAILED}{why}"})
    return why


def _done(done: Arrival) -> str:
    refused = f"; {len(done.refused)} lines were refused, anchormem import says why" if done.refused else ""
    count = len(done.new) + len(done.changed)
    if not (count or refused):
        return ""
    return f"imported {count} shared {'memory' if count == 1 else 'memories'} from {PATH}{refused}"


def _newer(store: Store, export: Export) -> int:
    """How many of its memories an import would bring or change; dates tell, as they tell an import."""
    here = memories.stamps(store)
    found: dict[str, int] = {}
    for line in export.lines:
        if line.memory is not None:
            found[line.id] = max(found.get(line.id, 0), merging.stamp(line.memory))
    return sum(1 for name, at in found.items() if name not in here or (here[name][0] < at and not here[name][1]))


def _spelled(stat: Stat) -> str:
    """As a process that may import next to nothing spells it too."""
    return f"{stat.inode}:{stat.size}:{stat.mtime_ns}"

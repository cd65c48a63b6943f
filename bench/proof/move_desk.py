"""Who is asked in the proof of moves: the real server over its pipes, or the hall behind it within this process.

Both over a real store. The hall leaves out what no fate needs: another process, explanations, diffs.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self
from unittest import mock

from anchormem.model import Fate
from anchormem.store import fates, memories
from anchormem.workspace import remember
from anchormem.workspace.freshness import refresh
from anchormem.workspace.session import Workspace, close, open_workspace
from anchormem.workspace.sweep import sweep
from proof.move_ground import Tree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from wire import Server

ASKED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of one anchor."""

    fate: str  # `fresh`, `stale:body_edited` …
    at: str
    candidates: tuple[str, ...]
    changed: str


class Desk(Protocol):
    """One memory per anchor; `fates` by memory, as the next call after whatever happened to the tree has them."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def remember(self, tree: Tree, body: str, anchor: Mapping[str, str]) -> str: ...
    def fates(self, tree: Tree, ids: Sequence[str]) -> dict[str, Told]: ...


class ServerDesk:
    """Servers over one store, one a work tree, each started when it is first asked."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._servers: dict[Path, Server] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _server(self, tree: Tree) -> Server:
        if tree.root not in self._servers:
            server = self._servers[tree.root] = self._open.enter_context(Server(tree.root, self._data))
            server.call("admin", op="index")  # of a tree never seen before, what is searched for may wait
        return self._servers[tree.root]

    def remember(self, tree: Tree, body: str, anchor: Mapping[str, str]) -> str:
        stored = self._server(tree).call("remember", kind="fact", body=body, anchors=[anchor], force=True)
        assert isinstance(stored, dict)
        return str(stored["id"])

    def fates(self, tree: Tree, ids: Sequence[str]) -> dict[str, Told]:
        found: dict[str, Told] = {}
        for start in range(0, len(ids), ASKED_AT_ONCE):
            data = self._server(tree).call("admin", op="get", ids=list(ids[start : start + ASKED_AT_ONCE]))
            found |= dict(_told(data))
        return found


def _told(data: object) -> Iterator[tuple[str, Told]]:
    assert isinstance(data, list)
    for memory in data:
        anchor = memory["anchors"][0]
        fate = _word(str(anchor["fate"]), str(anchor.get("reason", "")))
        changed = str(anchor.get("changed", ""))
        yield str(memory["id"]), Told(fate, str(anchor["at"]), tuple(anchor.get("candidates", ())), changed)


def _word(name: str, reason: str) -> str:
    return f"{name}:{reason}" if reason else name


class HallDesk:
    """The workspace itself, one a work tree."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._open: dict[Path, Workspace] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for workspace in self._open.values():
            close(workspace)

    def _hall(self, tree: Tree) -> Workspace:
        if tree.root not in self._open:
            with mock.patch.dict(os.environ, ANCHORMEM_DATA_DIR=str(self._data)):
                self._open[tree.root] = open_workspace(tree.root)
            sweep(self._open[tree.root])
        return self._open[tree.root]

    def remember(self, tree: Tree, body: str, anchor: Mapping[str, str]) -> str:
        wanted = {"kind": "fact", "body": body, "anchors": [anchor], "force": True}
        stored = remember.remember(self._hall(tree), wanted).data
        assert isinstance(stored, dict)
        return str(stored["id"])

    def fates(self, tree: Tree, ids: Sequence[str]) -> dict[str, Told]:
        hall = self._hall(tree)
        fresh = refresh(hall)
        assert not fresh.unsaved, fresh
        held = {memory.id: memory.anchors[0] for memory in memories.get(hall.store, ids)}
        rows = fates.get(hall.store, (anchor.id for anchor in held.values()))
        return {memory: _as_told(rows[anchor.id].fate, str(anchor.slot)) for memory, anchor in held.items()}


def _as_told(fate: Fate, written: str) -> Told:
    return Told(_word(fate.name, fate.reason), str(fate.at or written), fate.candidates, fate.change.summary)

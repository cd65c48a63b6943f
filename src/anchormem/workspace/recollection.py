"""The anchored text of imported memories, which no export carries: taken from git, or from the file as it is here.

Only text whose hash is the anchor's own; so what is told of a change, and what is found again after one, is the same on
every machine. Once after an import; what cannot be had stays away.
"""

import time
from collections.abc import Iterable
from contextlib import suppress

from anchormem.errors import GitFailed, StoreError
from anchormem.model import Anchor, FileFacts
from anchormem.project.paths import MAX_PATH_BYTES
from anchormem.store import anchors, marks
from anchormem.syntax import sections
from anchormem.text import secrets
from anchormem.workspace import shared
from anchormem.workspace.binding import KEPT_TEXT_BYTES
from anchormem.workspace.ground import text_of
from anchormem.workspace.look import look, parse
from anchormem.workspace.past import Memory
from anchormem.workspace.session import Workspace

LONGEST_SECONDS = 5.0  # a note beside a fate is not worth more


def recollect(ws: Workspace) -> None:
    """Does what an import has left to be done. Never raises."""
    if not ws.store.writable or not marks.get(ws.store, shared.TEXTLESS):
        return
    with suppress(StoreError, GitFailed):
        texts = _texts(ws, [one for one in anchors.textless(ws.store) if len(one.slot.path) < MAX_PATH_BYTES])
        with ws.store.writing():
            anchors.put_texts(ws.store, texts)
            marks.put(ws.store, {shared.TEXTLESS: ""})


def _texts(ws: Workspace, wanted: Iterable[Anchor]) -> dict[int, str]:
    deadline, memory = time.monotonic() + LONGEST_SECONDS, Memory(ws)
    known = sorted(wanted, key=lambda one: (one.slot.path, one.commit))
    memory.fetch((one.commit, one.slot.path) for one in known if one.commit)
    here: dict[str, tuple[bytes, FileFacts] | None] = {}
    found: dict[int, str] = {}
    for anchor in known:
        if time.monotonic() > deadline:
            break
        text = _committed(memory, anchor) or _here(ws, here, anchor)
        if text and len(text.encode("utf-8", "replace")) <= KEPT_TEXT_BYTES and not secrets.find(text):
            found[anchor.id] = text
    return found


def _committed(memory: Memory, anchor: Anchor) -> str:
    """As the commit has it that the anchor was written at."""
    old = memory.old(anchor.commit, anchor.slot.path) if anchor.commit and not anchor.dirty else None
    facts = memory.facts(old) if old else None
    return _text(old.source, facts, anchor) if old and old.source is not None and facts is not None else ""


def _here(ws: Workspace, seen: dict[str, tuple[bytes, FileFacts] | None], anchor: Anchor) -> str:
    """As the file has it now."""
    path = anchor.slot.path
    if path not in seen:
        now = look(ws.root, path, ws.config.extensions, ws.now() * 1_000_000)
        parsed = parse(now) if now.source is not None else None
        seen[path] = (now.source, parsed[1]) if parsed and now.source is not None else None
    held = seen[path]
    return _text(*held, anchor) if held else ""


def _text(source: bytes, facts: FileFacts, anchor: Anchor) -> str:
    key = None if facts.symbols else sections.find_key(source, facts.language, anchor.slot.qualified)
    for symbol in (key,) if key else facts.symbols:
        equal = symbol.body == anchor.body or (anchor.raw is not None and symbol.raw == anchor.raw)
        if equal and symbol.qualified == anchor.slot.qualified:
            return text_of(source, symbol)
    return ""

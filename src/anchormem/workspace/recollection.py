"""The anchored text of imported memories, which no export carries: taken from git, or from the file as it is here.

Only text whose hash is the anchor's own; so what is told of a change, and what is found again after one, is the same on
every machine. Once after an import; what cannot be had stays away.
"""

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import groupby

from anchormem.errors import GitFailed, StoreError
from anchormem.model import Anchor, FileFacts
from anchormem.project.paths import MAX_PATH_BYTES
from anchormem.store import anchors, facts, marks
from anchormem.syntax import sections
from anchormem.text import secrets
from anchormem.workspace.binding import KEPT_TEXT_BYTES
from anchormem.workspace.ground import text_of
from anchormem.workspace.intake import take_in
from anchormem.workspace.look import choose, look, stored
from anchormem.workspace.past import Memory
from anchormem.workspace.session import Workspace

LONGEST_SECONDS = 5.0  # in one call: a note beside a fate is not worth more
FILES_AT_ONCE = 50


def recollect(ws: Workspace) -> None:
    """Does what an import has left to be done; what takes too long is gone on with by the next call. Never raises."""
    if not ws.store.writable or not (left := marks.get(ws.store, marks.TEXTLESS)):
        return
    with suppress(StoreError, GitFailed):
        _recollect(ws, left.partition(" ")[2])


def _recollect(ws: Workspace, after: str) -> None:
    """`after`: the last file that an earlier call has dealt with."""
    deadline = time.monotonic() + LONGEST_SECONDS
    wanted = [
        one for one in anchors.textless(ws.store) if after < one.slot.path and len(one.slot.path) < MAX_PATH_BYTES
    ]
    files = [list(group) for _, group in groupby(sorted(wanted, key=_path), _path)]
    for start in range(0, len(files), FILES_AT_ONCE):
        some = files[start : start + FILES_AT_ONCE]
        texts = _texts(ws, some)
        is_last = start + FILES_AT_ONCE >= len(files)
        with ws.store.writing():
            anchors.put_texts(ws.store, texts)
            marks.put(ws.store, {marks.TEXTLESS: "" if is_last else f"1 {_path(some[-1][-1])}"})
        if time.monotonic() > deadline:
            return
    if not files:
        marks.put(ws.store, {marks.TEXTLESS: ""})


def _path(anchor: Anchor) -> str:
    return anchor.slot.path


def _texts(ws: Workspace, files: Sequence[Sequence[Anchor]]) -> dict[int, str]:
    """Of the anchors of some files. The text to the letter, here or in git, before one that only means the same."""
    here = _here(ws, [_path(group[0]) for group in files])
    found: dict[int, str] = {}
    others: list[Anchor] = []
    for anchor in (one for group in files for one in group):
        if text := _text(*here[_path(anchor)], anchor, exact=True) if _path(anchor) in here else "":
            found[anchor.id] = text
        else:
            others.append(anchor)
    memory = Memory(ws)
    memory.fetch((one.commit, one.slot.path) for one in others if one.commit and not one.dirty)
    for anchor in others:
        text = _committed(memory, anchor)
        if not text and _path(anchor) in here:
            text = _text(*here[_path(anchor)], anchor)
        found[anchor.id] = text
    kept = set(filter(_may_be_kept, set(found.values())))
    return {number: text for number, text in found.items() if text in kept}


def _may_be_kept(text: str) -> bool:
    return bool(text) and len(text.encode("utf-8", "replace")) <= KEPT_TEXT_BYTES and not secrets.find(text)


def _committed(memory: Memory, anchor: Anchor) -> str:
    """As the commit has it that the anchor was written at."""
    old = memory.old(anchor.commit, anchor.slot.path) if anchor.commit and not anchor.dirty else None
    facts_ = memory.facts(old) if old else None
    return _text(old.source, facts_, anchor) if old and old.source is not None and facts_ is not None else ""


def _here(ws: Workspace, paths: Iterable[str]) -> dict[str, tuple[bytes, FileFacts]]:
    """The files as they are now; what had to be parsed for it is kept, for whoever looks at them next."""
    now_ns = ws.now() * 1_000_000
    looks = [look(ws.root, path, ws.config.extensions, now_ns) for path in paths]
    parsed = take_in(ws.store, looks, {})[0].facts
    with ws.store.deriving():
        facts.put_many(ws.store, parsed)
    states = {one.path: one.state for one in looks if one.state is not None and one.source is not None}
    known = stored(ws.store, states.values())
    return {
        one.path: (one.source, held)
        for one in looks
        if one.source is not None and one.path in states and (held := choose(states[one.path], known)) is not None
    }


def _text(source: bytes, known: FileFacts, anchor: Anchor, *, exact: bool = False) -> str:
    """What the anchor was made of, where this holds it; `exact`: with its spaces and comments."""
    key = None if known.symbols else sections.find_key(source, known.language, anchor.slot.qualified)
    for symbol in (key,) if key else known.symbols:
        equal = anchor.raw is not None and symbol.raw == anchor.raw
        equal = equal or (symbol.body == anchor.body and not (exact and anchor.raw is not None))
        if equal and symbol.qualified == anchor.slot.qualified:
            return text_of(source, symbol)
    return ""

"""The history of a memory: its states before deliberate acts, as compressed JSON. Knows nothing of why it changed."""

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from anchormem.errors import NotFound
from anchormem.model import Anchor, Evidence, Link, Memory, Revision, Slot
from anchormem.store.db import Store
from anchormem.store.opening import Row

HISTORY = """
SELECT r.number, r.act, r.made_at, r.state
FROM main.memories m CROSS JOIN main.revisions r ON r.memory = m.seq
WHERE m.id = :id ORDER BY r.number
"""
NUMBERED = """
SELECT r.number, r.act, r.made_at, r.state
FROM main.memories m CROSS JOIN main.revisions r ON r.memory = m.seq
WHERE m.id = :id AND r.number = :number
"""
INSERT = """
INSERT INTO main.revisions (memory, number, act, made_at, state)
SELECT :seq, coalesce(max(r.number), 0) + 1, :act, :now, :state FROM main.revisions r WHERE r.memory = :seq
"""
SALT = 8  # random bytes behind a state, by which checkout.settled tells it from every other
DIGESTS = ("body", "signature", "doc", "raw", "normal")


def history(store: Store, memory_id: str) -> list[Revision]:
    """Earlier states, oldest first, numbered from 1.

    To restore one: `memories.replace(store, revision.memory, "restore", now)`.
    """
    return [_revision(row) for row in store.rows(HISTORY, {"id": memory_id})]


def numbered(store: Store, memory_id: str, number: int) -> Revision:
    """One earlier state. NotFound."""
    row = store.row(NUMBERED, {"id": memory_id, "number": number})
    if row is None:
        raise NotFound(f"{memory_id} has no revision {number}", f"see `admin history` of {memory_id}")
    return _revision(row)


def keep(store: Store, seq: int, before: Memory, act: str, now: int) -> None:
    """Adds a state to the history. Within `writing`."""
    store.run(INSERT, {"seq": seq, "act": act, "now": now, "state": packed(before) + os.urandom(SALT)})


def packed(memory: Memory) -> bytes:
    """The whole memory as compressed JSON, digests in hexadecimal."""
    return zlib.compress(json.dumps(asdict(memory), default=bytes.hex, separators=(",", ":")).encode(), 6)


def unpacked(state: bytes) -> Memory:
    """The memory back, whatever follows. Keys it does not know are passed over, missing ones take their defaults."""
    saved = json.loads(zlib.decompressobj().decompress(state))
    evidence = saved.pop("evidence", None)
    links = saved.pop("links", ())
    anchors = saved.pop("anchors", ())
    return Memory(
        **_known(Memory, saved),
        evidence=None
        if evidence is None
        else Evidence(**_known(Evidence, evidence | {"digest": bytes.fromhex(evidence["digest"])})),
        links=tuple(Link(**_known(Link, link)) for link in links),
        anchors=tuple(_anchor(anchor) for anchor in anchors),
    )


def _anchor(saved: dict[str, Any]) -> Anchor:
    values = _known(Anchor, saved)
    for name in DIGESTS:
        if values.get(name) is not None:
            values[name] = bytes.fromhex(values[name])
    values["slot"] = Slot(**values["slot"])
    values["quote_tokens"] = tuple(values.get("quote_tokens", ()))
    for name in ("slots", "twins"):
        values[name] = tuple(Slot(**slot) for slot in values.get(name, ()))
    return Anchor(**values)


def _known(kind: type[Memory | Evidence | Link | Anchor], saved: Mapping[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {name: value for name, value in saved.items() if name in names}


def _revision(row: Row) -> Revision:
    number, act, made_at, state = row
    return Revision(number, act, made_at, unpacked(state))

"""Rows of the memory tables as values, and back. Follows the column order of schema/views.sql."""

import json
import zlib
from collections.abc import Iterable
from posixpath import dirname

from anchormem.model import Anchor, Evidence, Link, Memory, Slot
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, SqlValue

MEMORY_WIDTH = 24  # columns of memory_rows
EMPTY = "[]"
ANCHOR_WIDTH = 22  # of anchor_rows, before memory and position


def memory_of(row: Row, anchors: Iterable[Anchor]) -> Memory:
    """From a row of memory_rows."""
    return Memory(
        id=row[1],
        kind=row[2],
        body=unpacked(row[3]),
        source=row[4],
        confidence=row[5],
        created_at=row[6],
        updated_at=row[7],
        by=row[8],
        client=unpacked(row[9]),
        session=unpacked(row[10]),
        origin=unpacked(row[11]),
        private=bool(row[12]),
        archived=bool(row[13]),
        imported=bool(row[14]),
        superseded_by=row[15],
        forgotten_at=row[16],
        evidence=_evidence_of(row[17:23]),
        links=() if row[23] == EMPTY else tuple(Link(target, rel) for target, rel in json.loads(row[23])),
        anchors=tuple(anchors),
    )


def _evidence_of(row: Row) -> Evidence | None:
    command, output, digest, exit_code, made_at, approved = row
    if command is None:
        return None
    return Evidence(unpacked(command), unpacked(output), digest, exit_code, made_at, bool(approved))


def memory_values(memory: Memory) -> dict[str, SqlValue]:
    """The columns of `memories` by name."""
    return {
        "id": memory.id,
        "kind": memory.kind,
        "body": memory.body,
        "source": memory.source,
        "confidence": memory.confidence,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "author": memory.by,
        "client": memory.client,
        "session": memory.session,
        "origin": memory.origin,
        "private": memory.private,
        "archived": memory.archived,
        "imported": memory.imported,
        "superseded_by": memory.superseded_by,
        "forgotten_at": memory.forgotten_at,
    }


def evidence_values(seq: int, evidence: Evidence) -> dict[str, SqlValue]:
    return {
        "memory": seq,
        "command": evidence.command,
        "output": evidence.output,
        "digest": evidence.digest,
        "exit_code": evidence.exit_code,
        "made_at": evidence.at,
        "approved": evidence.approved,
    }


def anchor_of(row: Row, text: bytes | None = None) -> Anchor:
    """From the first ANCHOR_WIDTH columns of anchor_rows; `text` as anchored_text keeps it."""
    slot = Slot(unpacked(row[1]), unpacked(row[2]), unpacked(row[3]))
    return Anchor(
        id=row[0],
        slot=slot,
        aspect=row[4],
        epoch=row[5],
        body=row[6],
        signature=row[7],
        doc=row[8],
        raw=row[9],
        normal=row[10],
        tokens=row[11],
        kind=row[12],
        quote=unpacked(row[13]),
        quote_tokens=() if row[14] == EMPTY else tuple(unpacked(token) for token in json.loads(row[14])),
        quote_count=row[15],
        damaged=bool(row[16]),
        file_damaged=bool(row[17]),
        commit=row[18],
        dirty=bool(row[19]),
        twins=slots_of(row[20]),
        slots=(slot,) if row[21] is None else slots_of(row[21]),
        text=None if text is None else text_of(text),
    )


def anchor_values(seq: int, position: int, anchor: Anchor) -> dict[str, SqlValue]:
    """The columns of `anchors` by name, but for the id."""
    return {
        "memory": seq,
        "position": position,
        **slot_values(anchor.slot),
        "aspect": anchor.aspect,
        "epoch": anchor.epoch,
        "body": anchor.body,
        "signature": anchor.signature,
        "doc": anchor.doc,
        "raw": anchor.raw,
        "normal": anchor.normal,
        "tokens": anchor.tokens,
        "kind": anchor.kind,
        "quote": anchor.quote,
        "quote_tokens": listed(anchor.quote_tokens),
        "quote_count": anchor.quote_count,
        "damaged": anchor.damaged,
        "file_damaged": anchor.file_damaged,
        "written_commit": anchor.commit,
        "dirty": anchor.dirty,
        "twins": slots_json(anchor.twins),
    }


def slot_values(slot: Slot) -> dict[str, SqlValue]:
    """The columns of a slot by name, with the folder it lies in."""
    return {
        "path": slot.path,
        "qualified": slot.qualified,
        "disambiguator": slot.disambiguator,
        "folder": dirname(slot.path),
    }


def slots_of(text: str) -> tuple[Slot, ...]:
    if text == EMPTY:
        return ()
    return tuple(Slot(unpacked(path), unpacked(name), unpacked(twin)) for path, name, twin in json.loads(text))


def slots_json(slots: Iterable[Slot]) -> str:
    return listed([slot.path, slot.qualified, slot.disambiguator] for slot in slots)


def text_of(stored: bytes) -> str:
    return zlib.decompress(stored).decode("utf-8", "surrogatepass")


def text_stored(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)

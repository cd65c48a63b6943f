"""One line of the shared export: a memory as JSON and back, without what another machine would write differently.

Knows the form of a line, nothing of files, trust or merging.
"""

import json
from collections.abc import Mapping
from typing import get_args

from anchormem.model import Anchor, Aspect, Evidence, Link, Memory, MemoryKind, Relation, Slot, Source

PATH = ".anchormem/memory.jsonl"

_DIGESTS = ("body", "signature", "doc", "raw", "normal")
_PLAIN = ("epoch", "tokens", "kind", "quote", "quote_count", "damaged", "file_damaged", "commit", "dirty")
_KINDS: Mapping[str, MemoryKind] = {one: one for one in get_args(MemoryKind)}
_SOURCES: Mapping[str, Source] = {one: one for one in get_args(Source)}
_RELATIONS: Mapping[str, Relation] = {one: one for one in get_args(Relation)}
_ASPECTS: Mapping[str, Aspect] = {one: one for one in get_args(Aspect)}


def line(memory: Memory) -> str:
    """Keys sorted, defaults left out, no fate, no machine path, no anchored text."""
    default = Memory(memory.id, memory.kind, memory.body, memory.source, memory.confidence, 0, 0)
    made: dict[str, object] = {
        "id": memory.id,
        "kind": memory.kind,
        "body": memory.body,
        "source": memory.source,
        "confidence": memory.confidence,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }
    for name in ("by", "origin", "superseded_by", "archived", "forgotten_at"):
        if getattr(memory, name) != getattr(default, name):
            made[name] = getattr(memory, name)
    if memory.evidence:
        made["evidence"] = {
            "command": memory.evidence.command,
            "output": memory.evidence.output,
            "digest": memory.evidence.digest.hex(),
            "exit_code": memory.evidence.exit_code,
            "at": memory.evidence.at,
        }
    if memory.links:
        made["links"] = [{"target": link.target, "rel": link.rel} for link in memory.links]
    if memory.anchors:
        made["anchors"] = [_anchor(anchor) for anchor in memory.anchors]
    return json.dumps(made, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _anchor(anchor: Anchor) -> dict[str, object]:
    default = Anchor(anchor.slot, anchor.aspect, "")
    made: dict[str, object] = {"slot": _slot(anchor.slot), "aspect": anchor.aspect}
    for name in _DIGESTS:
        digest = getattr(anchor, name)
        if digest is not None:
            made[name] = digest.hex()
    made |= {name: getattr(anchor, name) for name in _PLAIN if getattr(anchor, name) != getattr(default, name)}
    if anchor.quote_tokens:
        made["quote_tokens"] = list(anchor.quote_tokens)
    made |= {
        name: [_slot(slot) for slot in getattr(anchor, name)] for name in ("slots", "twins") if getattr(anchor, name)
    }
    return made


def _slot(slot: Slot) -> list[str]:
    return [slot.path, slot.qualified, slot.disambiguator]


def read(text: str) -> Memory | None:
    """The memory of a line; None for a header, a blank, or anything that is not a whole memory. Never raises."""
    try:
        said = json.loads(text)
        return _memory(said) if isinstance(said, dict) and "id" in said else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _memory(said: Mapping[str, object]) -> Memory:
    evidence = said.get("evidence")
    return Memory(
        id=_text(said, "id"),
        kind=_KINDS[_text(said, "kind")],
        body=_text(said, "body"),
        source=_SOURCES[_text(said, "source")],
        confidence=_number(said, "confidence"),
        created_at=int(_number(said, "created_at")),
        updated_at=int(_number(said, "updated_at")),
        by=_text(said, "by", "agent"),
        origin=_text(said, "origin", ""),
        superseded_by=_text(said, "superseded_by", ""),
        archived=said.get("archived") is True,
        forgotten_at=int(_number(said, "forgotten_at", 0)),
        evidence=_evidence(evidence) if isinstance(evidence, dict) else None,
        links=tuple(Link(_text(one, "target"), _RELATIONS[_text(one, "rel")]) for one in _objects(said, "links")),
        anchors=tuple(_read_anchor(one, number) for number, one in enumerate(_objects(said, "anchors"), 1)),
    )


def _evidence(said: Mapping[str, object]) -> Evidence:
    return Evidence(
        _text(said, "command"),
        _text(said, "output"),
        bytes.fromhex(_text(said, "digest")),
        int(_number(said, "exit_code", 0)),
        int(_number(said, "at", 0)),
        approved=False,
    )


def _read_anchor(said: Mapping[str, object], number: int) -> Anchor:
    """`id` counts within the memory, so that fates can be told apart without a store."""
    tokens = said.get("quote_tokens", [])
    return Anchor(
        slot=_read_slot(said["slot"]),
        aspect=_ASPECTS[_text(said, "aspect")],
        epoch=_text(said, "epoch"),
        body=_digest(said, "body"),
        signature=_digest(said, "signature"),
        doc=_digest(said, "doc"),
        raw=_digest(said, "raw"),
        normal=_digest(said, "normal"),
        tokens=int(_number(said, "tokens", 0)),
        kind=_text(said, "kind", ""),
        quote=_text(said, "quote", ""),
        quote_tokens=tuple(map(str, tokens)) if isinstance(tokens, list) else (),
        quote_count=int(_number(said, "quote_count", 0)),
        damaged=said.get("damaged") is True,
        file_damaged=said.get("file_damaged") is True,
        commit=_text(said, "commit", ""),
        dirty=said.get("dirty") is True,
        slots=_read_slots(said, "slots"),
        twins=_read_slots(said, "twins"),
        id=number,
    )


def _digest(said: Mapping[str, object], name: str) -> bytes | None:
    return bytes.fromhex(_text(said, name)) if name in said else None


def _read_slots(said: Mapping[str, object], name: str) -> tuple[Slot, ...]:
    slots = said.get(name, [])
    return tuple(map(_read_slot, slots)) if isinstance(slots, list) else ()


def _read_slot(said: object) -> Slot:
    if not isinstance(said, list) or not all(isinstance(part, str) for part in said):
        raise TypeError("a slot is a list of path, qualified name and disambiguator")
    return Slot(*said)


def _text(said: Mapping[str, object], name: str, default: str | None = None) -> str:
    value = said.get(name, default)
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text")
    return value


def _number(said: Mapping[str, object], name: str, default: float | None = None) -> float:
    value = said.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name} is no number")
    return value


def _objects(said: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    value = said.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise TypeError(f"{name} is no list of objects")
    return value

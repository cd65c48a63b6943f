"""One memory out of untrusted JSON. Whatever is not exactly a memory raises ValueError with the reason.

Knows what may stand in each field, nothing of lines, files, trust or merging.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TypeVar, get_args

from anchormem.model import Anchor, Aspect, Evidence, Link, Memory, MemoryKind, Relation, Slot, Source

T = TypeVar("T")
Said = Mapping[str, object]

ID = re.compile(r"[abcdefghjkmnpqrstvwxyz][0-9abcdefghjkmnpqrstvwxyz]{9}")
_COMMIT = re.compile(r"[0-9a-f]{0,64}")
_LATEST = 1 << 53  # the largest whole number that every reader of JSON keeps
_MOST = {"anchors": 200, "links": 200, "slots": 50, "twins": 200, "quote_tokens": 5_000}
_LONGEST = {"body": 65_536, "origin": 256, "command": 4_096, "output": 4_096, "quote": 65_536}
_LONG = 4_096  # bytes of any other text

_KINDS: Mapping[str, MemoryKind] = {one: one for one in get_args(MemoryKind)}
_SOURCES: Mapping[str, Source] = {one: one for one in get_args(Source)}
_RELATIONS: Mapping[str, Relation] = {one: one for one in get_args(Relation)}
_ASPECTS: Mapping[str, Aspect] = {one: one for one in get_args(Aspect)}
_KEYS = frozenset({one.name for one in fields(Memory)} - {"by", "client", "session", "private", "imported"})
_ANCHOR_KEYS = frozenset({one.name for one in fields(Anchor)} - {"id", "text"})


def memory(name: str, said: Said) -> Memory:
    """The memory that an object with this id says. Of a tombstone: its id and times."""
    forgotten = _whole(said, "forgotten_at", 0)
    if forgotten:
        return Memory(name, "fact", "", "explicit", 0.0, forgotten, forgotten, by="import", forgotten_at=forgotten)
    evidence = said.get("evidence")
    body = _text(said, "body")
    if not body.strip():
        raise ValueError("the body is blank")
    return Memory(
        id=name,
        kind=_one_of(_KINDS, said, "kind"),
        body=body,
        source=_one_of(_SOURCES, said, "source"),
        confidence=_number(said, "confidence"),
        created_at=_whole(said, "created_at"),
        updated_at=_whole(said, "updated_at"),
        by="import",
        origin=_text(said, "origin", ""),
        superseded_by=_other(name, _text(said, "superseded_by", "")),
        archived=_flag(said, "archived"),
        evidence=_evidence(_object(evidence, "evidence")) if evidence is not None else None,
        links=tuple(
            dict.fromkeys(
                Link(_other(name, _text(one, "target")), _one_of(_RELATIONS, one, "rel"))
                for one in _objects(said, "links")
            )
        ),
        anchors=tuple(_read_anchor(one, number) for number, one in enumerate(_objects(said, "anchors"), 1)),
    )


def _other(own: str, name: str) -> str:
    if name and (name == own or not ID.fullmatch(name)):
        raise ValueError("it names itself" if name == own else "it names what is no id")
    return name


def _evidence(said: Said) -> Evidence:
    digest = _digest(said, "digest")
    command, code = _text(said, "command"), _whole(said, "exit_code", 0)
    if digest is None or not command.strip() or code:
        raise ValueError("evidence is a command that succeeded, and a digest of what it said")
    return Evidence(command, _text(said, "output"), digest, code, _whole(said, "at", 0), approved=False)


def _read_anchor(said: Said, number: int) -> Anchor:
    """`id` counts within the memory, so that fates can be told apart without a store."""
    slot, aspect = _read_slot(said.get("slot")), _one_of(_ASPECTS, said, "aspect")
    tokens = _list(said, "quote_tokens")
    if not all(isinstance(token, str) for token in tokens):
        raise ValueError("quote_tokens are texts")
    made = Anchor(
        slot=slot,
        aspect=aspect,
        epoch=_text(said, "epoch", ""),
        body=_digest(said, "body"),
        signature=_digest(said, "signature"),
        doc=_digest(said, "doc"),
        raw=_digest(said, "raw"),
        normal=_digest(said, "normal"),
        tokens=_whole(said, "tokens", 0),
        kind=_text(said, "kind", ""),
        quote=_text(said, "quote", ""),
        quote_tokens=tuple(map(str, tokens)),
        quote_count=_whole(said, "quote_count", 0),
        damaged=_flag(said, "damaged"),
        file_damaged=_flag(said, "file_damaged"),
        commit=_text(said, "commit", ""),
        dirty=_flag(said, "dirty"),
        slots=tuple(dict.fromkeys((slot, *map(_read_slot, _list(said, "slots"))))),
        twins=tuple(map(_read_slot, _list(said, "twins"))),
        id=number,
    )
    _refuse_impossible(made)
    return made


def _refuse_impossible(anchor: Anchor) -> None:
    """An anchor no program of ours can have written would make a resolver guess; a commit is given to git."""
    quoted = anchor.aspect == "quote"
    if quoted != bool(anchor.quote_tokens and anchor.quote_count):
        raise ValueError("a quote has tokens and a count, and nothing else has")
    if not quoted and (anchor.aspect == "file") == bool(anchor.slot.qualified):
        raise ValueError("the aspect does not fit what is anchored")
    if anchor.body is None or (anchor.aspect == "signature" and anchor.signature is None):
        raise ValueError("an anchor without its hash")
    if not _COMMIT.fullmatch(anchor.commit):
        raise ValueError("commit is no commit")


def _digest(said: Said, name: str) -> bytes | None:
    if name not in said:
        return None
    digest = bytes.fromhex(_text(said, name))
    if len(digest) != 16:  # noqa: PLR2004 — model.Digest
        raise ValueError(f"{name} is no hash of ours")
    return digest


def _read_slot(said: object) -> Slot:
    if not isinstance(said, list) or len(said) != 3 or not all(isinstance(part, str) for part in said):  # noqa: PLR2004 — its three parts
        raise ValueError("a slot is a list of path, qualified name and disambiguator")
    if not said[0] or any(len(part) > _LONG for part in said):
        raise ValueError("a slot is empty or too long")
    return Slot(*said)


def _text(said: Said, name: str, default: str | None = None) -> str:
    value = said.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")  # noqa: TRY004 — one kind of error says that a line is no memory
    if len(value.encode("utf-8", "surrogatepass")) > _LONGEST.get(name, _LONG):
        raise ValueError(f"{name} is too long")
    return value


def _number(said: Said, name: str) -> float:
    value = said.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{name} is no number from 0 to 1")
    return float(value)


def _whole(said: Said, name: str, default: int | None = None) -> int:
    value = said.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LATEST:
        raise ValueError(f"{name} is no whole number")
    return value


def _flag(said: Said, name: str) -> bool:
    value = said.get(name, False)
    if not isinstance(value, bool):
        raise ValueError(f"{name} is neither true nor false")  # noqa: TRY004 — as above
    return value


def _one_of(known: Mapping[str, T], said: Said, name: str) -> T:
    value = said.get(name)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"unknown {name}")
    return known[value]


def _object(value: object, name: str) -> Said:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is no object")  # noqa: TRY004 — as above
    return value


def _list(said: Said, name: str) -> list[object]:
    value = said.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name} is no list")  # noqa: TRY004 — as above
    if len(value) > _MOST[name]:
        raise ValueError(f"more than {_MOST[name]:,} {name}")
    return value


def _objects(said: Said, name: str) -> list[Said]:
    return [_object(one, name) for one in _list(said, name)]


def unknown(said: Said) -> tuple[str, ...]:
    """Names of fields that no memory has, of one that can be read; they are left out."""
    inner = {key for one in _objects(said, "anchors") for key in one if key not in _ANCHOR_KEYS}
    return tuple(sorted({str(key)[:40] for key in (*(key for key in said if key not in _KEYS), *inner)}))

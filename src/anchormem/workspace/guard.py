"""What may come in from an export that anybody may have written: secrets, foreign paths, ignored files, future dates.

Judges lines that are memories already. Knows nothing of the store.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from anchormem.errors import BadPath
from anchormem.model import Memory, Slot
from anchormem.project.listing import why_not_listed
from anchormem.project.paths import gate
from anchormem.project.root import Root
from anchormem.reason.standing import base_confidence
from anchormem.text import secrets
from anchormem.workspace.exported import Line

TOLERANCE_MS = 3_600_000  # clocks differ; by more than an hour they do not


@dataclass(frozen=True, slots=True)
class Guarded:
    """`refused`: (line number, why). `ahead`: ids whose date lies in the future; they hold today's instead."""

    lines: tuple[Line, ...]
    refused: tuple[tuple[int, str], ...]
    ahead: frozenset[str]


def guarded(root: Root, lines: Iterable[Line], now: int) -> Guarded:
    """The lines that may come in, with confidences and dates within bounds."""
    found = list(lines)
    paths = _Paths(root, (slot.path for line in found if line.memory for slot in _slots(line.memory)))
    names: dict[str, str] = {}
    good: list[Line] = []
    refused: list[tuple[int, str]] = []
    ahead: set[str] = set()
    for line in found:
        why = line.fault if line.memory is None else _why_not(line.memory, paths, names)
        if why or line.memory is None:
            refused.append((line.number, why))
            continue
        if is_ahead(line.memory, now):
            ahead.add(line.id)
        good.append(replace(line, memory=_bounded(line.memory, now)))
    twice = {line.id for line in good} - {line.id for line in good if line.id not in ahead}
    return Guarded(
        tuple(one for one in good if one.id not in ahead or one.id in twice), tuple(refused), frozenset(ahead)
    )


def is_ahead(memory: Memory, now: int) -> bool:
    """Whether a date of it lies so far in the future that its clock was wrong, or it wants to win for ever."""
    proved = memory.evidence.at if memory.evidence else 0
    return max(memory.created_at, memory.updated_at, memory.forgotten_at, proved) > now + TOLERANCE_MS


def _bounded(memory: Memory, now: int) -> Memory:
    evidence = memory.evidence
    if not is_ahead(memory, now):
        return replace(memory, confidence=base_confidence(memory.source, memory.confidence))
    return replace(
        memory,
        confidence=base_confidence(memory.source, memory.confidence),
        created_at=min(memory.created_at, now),
        updated_at=min(memory.updated_at, now),
        forgotten_at=min(memory.forgotten_at, now),
        evidence=replace(evidence, at=min(evidence.at, now)) if evidence else None,
    )


def _why_not(memory: Memory, paths: "_Paths", names: dict[str, str]) -> str:
    """`names`: what was found in names of anchors before; they occur again and again."""
    for name, text in _texts(memory):
        if found := secrets.find(text):
            return f"{name} looks like it holds a secret (rule {found.rule})"
    for text in _names(memory):
        if text not in names:
            found = secrets.find(text)
            names[text] = f"an anchor looks like it holds a secret (rule {found.rule})" if found else ""
        if names[text]:
            return names[text]
    return next((why for slot in _slots(memory) if (why := paths.why_not(slot.path))), "")


def _texts(memory: Memory) -> Iterator[tuple[str, str]]:
    yield "body", memory.body
    yield "origin", memory.origin
    if memory.evidence:
        yield "evidence.command", memory.evidence.command
        yield "evidence.output", memory.evidence.output


def _names(memory: Memory) -> Iterator[str]:
    for slot in _slots(memory):
        yield from (slot.path, slot.qualified, slot.disambiguator)
    for anchor in memory.anchors:
        yield from (anchor.quote, " ".join(anchor.quote_tokens), anchor.kind, anchor.epoch)


def _slots(memory: Memory) -> Iterator[Slot]:
    return (slot for anchor in memory.anchors for slot in (anchor.slot, *anchor.slots, *anchor.twins))


class _Paths:
    """Each path is asked about once."""

    def __init__(self, root: Root, paths: Iterable[str]) -> None:
        self._root = root
        known = dict.fromkeys(paths)
        self._why: dict[str, str] = {path: why for path in known if (why := self._refused(path))}
        here = [path for path in known if path not in self._why and os.path.lexists(f"{root.path}/{path}")]
        ignored = why_not_listed(root, here) if here else {}
        self._why |= {path: "an anchor in an ignored file" for path, why in ignored.items() if why == "ignored"}

    def why_not(self, path: str) -> str:
        return self._why.get(path, "")

    def _refused(self, path: str) -> str:
        try:
            gate(self._root, path)
        except BadPath as refusal:
            return f"an anchor: {refusal.message}"
        return "" if path == path.replace("\\", "/").removeprefix("./") else "an anchor with a path as no index has it"

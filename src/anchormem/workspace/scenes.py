"""The Scene of one anchor: what its slots show on this ground. Dearer questions (elsewhere, successors, past) wait.

Decides nothing: the table of fates is reason.resolve.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from anchormem import languages
from anchormem.errors import Refused
from anchormem.model import Anchor, Digest, FileFacts, FileState, Slot, Symbol
from anchormem.reason.scene import FileView, Found, Scene, Sighting, Stamp
from anchormem.store.fates import FateRow, Restamp
from anchormem.syntax import lookup, quotes, spliced
from anchormem.syntax.folding import fold
from anchormem.workspace.ground import text_of
from anchormem.workspace.look import meant

# The second, third … of twins that nothing else tells apart.
_BY_ORDER = re.compile(r"#\d+$")
_MARKER = re.compile(rb"<{7} |={7}$|>{7} ", re.MULTILINE)  # of a conflict: no definition begins on such a line


class Footing(Protocol):
    """What scenes are read from: this checkout's ground, or the tree of a commit."""

    def state(self, path: str) -> FileState | None: ...
    def view(self, path: str) -> tuple[FileView, str]: ...
    def facts(self, path: str) -> FileFacts | None: ...
    def source(self, path: str) -> bytes | None: ...
    def symbols(self, path: str, qualified: str) -> Sequence[Symbol]: ...
    def language(self, path: str) -> str | None: ...


def scene_of(ground: Footing, anchor: Anchor, row: FateRow | None) -> Scene:
    """Slots in the order they are tried, the anchor's hashes under today's recipe, what this checkout remembers."""
    sightings = tuple(_sighting(ground, anchor, slot) for slot in slots_of(anchor, row))
    stamp = _stamp(ground, anchor, row, sightings)
    return Scene(
        anchor=anchor,
        sightings=sightings,
        stamp=stamp,
        follow_by=_follow_by(anchor, row, stamp),
        old_twins=frozenset((*anchor.twins, *(row.twins if row else ()))),
        twinned=bool(row.twins if was_seen(row) and row else anchor.twins),
    )


def slots_of(anchor: Anchor, row: FateRow | None) -> tuple[Slot, ...]:
    """Last proven here, written, otherwise proven; each once."""
    proven = (row.proven,) if row and row.proven else ()
    return tuple(dict.fromkeys((*proven, anchor.slot, *anchor.slots)))


def was_seen(row: FateRow | None) -> bool:
    """Whether this checkout ever held the anchored code."""
    return row is not None and row.proven is not None


def _follow_by(anchor: Anchor, row: FateRow | None, stamp: Stamp | None) -> Digest | None:
    if anchor.aspect in ("body", "file"):
        return (stamp.body if stamp else None) or anchor.body
    return (row.seen_body if row else None) or (stamp.body if stamp else None) or anchor.body


# ── slots ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sighting(ground: Footing, anchor: Anchor, slot: Slot) -> Sighting:
    file, detail = ground.view(slot.path)
    state = ground.state(slot.path)
    facts = ground.facts(slot.path) if file == "present" else None
    return Sighting(
        slot=slot,
        file=file,
        damaged=facts is not None and facts.error_bytes > 0,
        found=tuple(_found(ground, anchor, slot)) if file in ("present", "unparsed") else (),
        content=state.content if state else None,
        normal=facts.normal if facts else None,
        detail=detail,
    )


def _found(ground: Footing, anchor: Anchor, slot: Slot) -> Iterator[Found]:
    if not slot.qualified:
        yield Found(slot, None, quotes=_occurrences(ground, anchor, slot.path, None))
        return
    twins = ground.symbols(slot.path, slot.qualified)
    for symbol in twins:
        place = replace(slot, disambiguator=symbol.disambiguator)
        exact = _is_meant(symbol, slot.disambiguator, alone=len(twins) == 1)
        quoted = _occurrences(ground, anchor, slot.path, symbol)
        yield Found(place, symbol, exact, quoted, _is_misread(ground, anchor, slot.path, symbol))


def _is_misread(ground: Footing, anchor: Anchor, path: str, symbol: Symbol) -> bool:
    """Whether a parser that lost its way took another piece of text, or half of it, for the anchored code."""
    facts = ground.facts(path)
    if facts is None or not facts.error_bytes or not anchor.text or symbol.body == anchor.body:
        return False
    source = ground.source(path)
    if source is None:
        return False
    text = text_of(source, symbol).rstrip()
    if text and len(text) < len(anchor.text.rstrip()) and anchor.text.startswith(text):
        return True
    if _MARKER.match(fold(source), fold(source).rfind(b"\n", 0, symbol.start_byte) + 1):
        return True
    return any(start < symbol.start_byte or end > symbol.end_byte for start, end in _standing(source, anchor.text))


def _standing(source: bytes, text: str) -> Iterator[tuple[int, int]]:
    """Where a text stands in the source, on lines of its own."""
    whole = rb"^[ \t]*(" + re.escape(text.encode("utf-8", "replace")) + rb")[ \t]*$"
    for found in re.finditer(whole, fold(source), re.MULTILINE):
        yield found.span(1)


def _is_meant(symbol: Symbol, disambiguator: str, *, alone: bool) -> bool:
    """Whether a slot's disambiguator fits. What stands alone bears none; it is meant by any form it could bear."""
    if lookup.compact(symbol.disambiguator) == lookup.compact(disambiguator):
        return True
    form = lookup.compact(_BY_ORDER.sub("", disambiguator))
    return alone and (not form or lookup.answers_to(symbol.head, form))


def _occurrences(ground: Footing, anchor: Anchor, path: str, symbol: Symbol | None) -> int:
    if anchor.aspect != "quote":
        return 0
    source, facts = ground.source(path), ground.facts(path)
    if source is None:
        return 0
    language = facts.language if facts else None
    found = quotes.count(source, language, symbol, anchor.quote_tokens)
    if found < anchor.quote_count and language and anchor.epoch != languages.epoch(language):
        with suppress(Refused):  # a recipe may spell tokens otherwise: the snippet is looked for as it was given
            said = quotes.quote_tokens(source, language, symbol, anchor.quote)
            found = max(found, quotes.count(source, language, symbol, said))
    return found


# ── epochs ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _stamp(ground: Footing, anchor: Anchor, row: FateRow | None, sightings: tuple[Sighting, ...]) -> Stamp | None:
    """The written hashes while their recipe is still in use; else those found equal under today's."""
    written = Stamp(anchor.body, anchor.signature, anchor.doc, anchor.normal)
    current = _epochs(ground, sightings)
    if not anchor.epoch or not current or anchor.epoch in current:
        return written
    kept = row.restamp if row else None
    if kept is not None and kept.epoch in current:
        return Stamp(kept.body, kept.signature, kept.doc, kept.normal)
    return _restamped(ground, anchor, sightings)


def _epochs(ground: Footing, sightings: tuple[Sighting, ...]) -> set[str]:
    spoken = {one for sighting in sightings for one in meant(ground.language(sighting.slot.path))}
    return {languages.epoch(one) for one in spoken}


def _restamped(ground: Footing, anchor: Anchor, sightings: tuple[Sighting, ...]) -> Stamp | None:
    if not anchor.slot.qualified:
        same = next((one for one in sightings if one.content is not None and one.content == anchor.body), None)
        return Stamp(anchor.body, normal=same.normal) if same else None
    symbols = [(one.slot.path, found.symbol) for one in sightings for found in one.found if found.symbol]
    for _, symbol in symbols:
        if symbol.raw == anchor.raw:
            return Stamp(symbol.body, symbol.signature, symbol.doc)
    for path, symbol in symbols:
        old = _old_symbol(ground, anchor, path, symbol)
        if old is not None:
            return Stamp(old.body, old.signature, old.doc)
    return None


def _old_symbol(ground: Footing, anchor: Anchor, path: str, symbol: Symbol) -> Symbol | None:
    """The anchored text in the place of today's, under today's recipe."""
    source, facts = ground.source(path), ground.facts(path)
    if anchor.text is None or source is None or facts is None:
        return None
    return spliced.body_under_current_recipe(source, facts.language, symbol, anchor.text, anchor.raw)


def restamp_of(anchor: Anchor, scene: Scene, facts: FileFacts | None) -> Restamp | None:
    """What to keep of a proof under another recipe than the written one, so that it is made once."""
    if scene.stamp is None or facts is None or not facts.epoch or facts.epoch == anchor.epoch:
        return None
    stamp = scene.stamp
    return Restamp(facts.epoch, stamp.body, stamp.signature, stamp.doc, stamp.normal, anchor.tokens)

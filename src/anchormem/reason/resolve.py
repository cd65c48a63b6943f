"""The fate of one anchor in one checkout: the table of fates, as a pure function of a Scene.

Knows no files, SQL, clock or grammar. Running it twice on one scene gives one answer, and the answer changes nothing.
"""

from collections.abc import Iterable
from typing import Literal

from anchormem.model import Aspect, Fate, Place, Slot
from anchormem.reason.scene import Found, Past, Scene, Sighting

Want = Literal["", "elsewhere", "successors", "past"]

# Fewer tokens are no evidence for a follow: an empty body, a bare delegation, a one-line getter look alike everywhere.
# Over all languages these have 16 at most, the smallest functions that decide something 17 (test_low_entropy).
LOW_ENTROPY_TOKENS = 17
# Fewer non-blank bytes are none for a file: empty __init__.py files, one-line re-exports, placeholders.
LOW_ENTROPY_BYTES = 64
NAMED_CANDIDATES = 5
# A paragraph is one token to its grammar, however long it is; such code is weighed like a file.
_PROSE = ("section", "key")

PENDING = Fate("unknown", "pending")

_EDITED: dict[Aspect, str] = {
    "body": "body_edited",
    "signature": "signature_edited",
    "exists": "body_edited",
    "quote": "quote_gone",
    "file": "file_edited",
}


def resolve(scene: Scene) -> Fate:
    """The fate as far as the scene shows. Where something needed was not looked up: unknown(pending)."""
    return _decide(scene)[0]


def wants(scene: Scene) -> Want:
    """What to look up next before the fate is certain and fully told, "" when it is; the dearest last."""
    return _decide(scene)[1]


def is_empty(scene: Scene) -> bool:
    """Whether no slot holds anything to judge, so that only a search of the whole tree can tell more."""
    return _held(scene) is None and _judged(scene) is None and _blocked(scene) is None


def _decide(scene: Scene) -> tuple[Fate, Want]:
    held = _held(scene)
    if held is not None:
        return _well(scene, held), ""
    judged = _judged(scene)
    if judged is not None:
        return _edited(scene, *judged)
    blocked = _blocked(scene)
    if blocked is not None:
        return blocked, ""
    return _lost(scene)


# ── an equal hash at one of the slots ───────────────────────────────────────────────────────────────────────────────


def _held(scene: Scene) -> Found | None:
    for sighting in scene.sightings:
        if sighting.file in ("present", "unparsed"):
            found = _equal_at(scene, sighting)
            if found is not None:
                return found
    return None


def _equal_at(scene: Scene, sighting: Sighting) -> Found | None:
    """The exact twin first; another twin only by the whole body, and not one that was equal all along."""
    exact = _exact(sighting)
    if exact is not None and _holds(scene, sighting, exact):
        return exact
    for twin in sighting.found:
        if twin is exact or twin.symbol is None or twin.slot in scene.old_twins:
            continue
        if _same_body(scene, sighting, twin):
            return twin
    return None


def _exact(sighting: Sighting) -> Found | None:
    return next((found for found in sighting.found if found.exact), None)


def _holds(scene: Scene, sighting: Sighting, found: Found) -> bool:
    anchor = scene.anchor
    match anchor.aspect:
        case "exists":
            return True
        case "quote":
            return found.quotes >= max(anchor.quote_count, 1)
        case "file":
            return _same_file(scene, sighting)
        case "signature":
            return _same_signature(scene, found) or _same_text(scene, sighting, found)
        case _:
            return _same_body(scene, sighting, found)


def _same_file(scene: Scene, sighting: Sighting) -> bool:
    if sighting.content is not None and sighting.content == scene.anchor.body:
        return True
    stamp = scene.stamp
    return stamp is not None and stamp.normal is not None and sighting.normal == stamp.normal


def _same_signature(scene: Scene, found: Found) -> bool:
    stamp, symbol = scene.stamp, found.symbol
    return stamp is not None and symbol is not None and None is not stamp.signature == symbol.signature


def _same_body(scene: Scene, sighting: Sighting, found: Found) -> bool:
    symbol = found.symbol
    if symbol is None:
        return False
    if scene.anchor.aspect == "body":
        stamp = scene.stamp
        equal = stamp is not None and stamp.body == symbol.body
    else:
        equal = scene.follow_by == symbol.body
    return equal or _same_text(scene, sighting, found)


def _same_text(scene: Scene, sighting: Sighting, found: Found) -> bool:
    """Equal text, where hashes cannot be trusted to say it: another epoch, or a parse recovering from errors.

    Of a sound parse under one recipe the hash sees more than the text does (an access label in force).
    """
    if scene.anchor.raw is None or found.symbol is None or found.symbol.raw != scene.anchor.raw:
        return False
    return scene.stamp is None or sighting.damaged or scene.anchor.file_damaged


def _well(scene: Scene, found: Found) -> Fate:
    at, anchor = found.slot, scene.anchor
    at_home = (at.path, at.qualified) == (anchor.slot.path, anchor.slot.qualified)
    return Fate("fresh" if at_home else "followed", at=at, doc_changed=_doc_changed(scene, found))


def _doc_changed(scene: Scene, found: Found | Place) -> bool:
    """Only the documentation differs: the body is the one anchored."""
    stamp, symbol = scene.stamp, found.symbol
    return stamp is not None and symbol is not None and symbol.body == stamp.body and symbol.doc != stamp.doc


# ── an edit, judged at the first slot that exists ───────────────────────────────────────────────────────────────────


def _judged(scene: Scene) -> tuple[Sighting, Found] | None:
    """None also where a slot that ranks before cannot be looked into: nothing may be concluded past it."""
    for sighting in scene.sightings:
        if sighting.file in ("unreadable", "pending") or (sighting.file == "unparsed" and sighting.slot.qualified):
            return None
        found = _exact(sighting)
        if found is not None:
            return sighting, found
    return None


def _edited(scene: Scene, sighting: Sighting, found: Found) -> tuple[Fate, Want]:
    if _freshly_broken(scene, sighting, found):
        return Fate("unknown", "parse_error", at=found.slot), ""
    if _recipe_unknown(scene):
        return Fate("unknown", "epoch", at=found.slot), ""
    fate = Fate("stale", _EDITED[scene.anchor.aspect], at=found.slot, candidates=_named(scene.elsewhere or ()))
    return fate, "elsewhere" if scene.elsewhere is None else ""


def _freshly_broken(scene: Scene, sighting: Sighting, found: Found) -> bool:
    """Parse errors inside the symbol (quote of a file: anywhere) that were not there when anchored."""
    if found.symbol is not None:
        return (found.symbol.damaged and not scene.anchor.damaged) or (found.misread and not scene.anchor.file_damaged)
    return scene.anchor.aspect == "quote" and sighting.damaged and not scene.anchor.file_damaged


def _recipe_unknown(scene: Scene) -> bool:
    return scene.stamp is None and scene.anchor.aspect != "exists"


# ── nothing at any slot ─────────────────────────────────────────────────────────────────────────────────────────────


def _blocked(scene: Scene) -> Fate | None:
    """Unknown, where a slot's file keeps anything from being concluded: no follow, no ambiguity, no death."""
    symbolic = bool(scene.anchor.slot.qualified)
    for sighting in scene.sightings:
        if sighting.file == "pending":
            return PENDING
        if sighting.file == "unreadable" or (sighting.file == "unparsed" and symbolic):
            return Fate("unknown", "unreadable", at=sighting.slot, detail=sighting.detail)
        if symbolic and sighting.damaged and not scene.anchor.file_damaged:
            return Fate("unknown", "parse_error", at=sighting.slot)
    return None


def _lost(scene: Scene) -> tuple[Fate, Want]:
    if scene.elsewhere is None:
        return PENDING, "elsewhere"
    if scene.elsewhere:
        return _elsewhere(scene, scene.elsewhere), ""
    twins = _inexact_twins(scene)
    if twins:
        return Fate("stale", "ambiguous_anchor", candidates=_forms(twins)), ""
    if scene.stamp is None:  # what to follow by is of another recipe, so that nothing found is no proof
        return Fate("unknown", "epoch"), ""
    return _in_another_shape(scene)


def _in_another_shape(scene: Scene) -> tuple[Fate, Want]:
    if scene.successors is None:
        return PENDING, "successors"
    if scene.successors:
        return Fate("stale", "moved_and_edited", candidates=_forms(scene.successors)), ""
    if scene.past is None:
        return PENDING, "past"
    return _dead(scene.past), ""


def _dead(past: Past) -> Fate:
    match past.origin:
        case "elsewhere":
            return Fate("unknown", "other_branch", detail=past.commit)
        case "never":
            return Fate("unknown", "uncommitted")
        case _:
            return Fate("gone", "anchor_deleted", detail=past.commit)


def _elsewhere(scene: Scene, places: tuple[Place, ...]) -> Fate:
    """An equal body somewhere else: a follow on proof alone."""
    named = _named(places)
    carried = _carried(scene, places)
    if carried is not None:
        return Fate("followed", at=carried.slot, doc_changed=_doc_changed(scene, carried))
    if not enough_evidence(scene, places[0]):
        return Fate("stale", "low_entropy", candidates=named)
    if len(places) > 1 or scene.twinned or places[0].slot in scene.old_twins:
        return Fate("stale", "ambiguous_anchor", candidates=named)
    return Fate("followed", at=places[0].slot, doc_changed=_doc_changed(scene, places[0]))


def _carried(scene: Scene, places: tuple[Place, ...]) -> Place | None:
    """Where a file that moved as it was brought the code: its text is the evidence then, however little the code is."""
    before = scene.sightings[0].slot
    same = [
        place
        for place in places
        if place.slot.path in scene.carried
        and (place.slot.qualified, place.slot.disambiguator) == (before.qualified, before.disambiguator)
        and place.slot not in scene.old_twins
    ]
    return same[0] if len(same) == len(scene.carried) == 1 else None


def enough_evidence(scene: Scene, place: Place) -> bool:
    """Whether an equal body at `place` says anything at all."""
    if place.symbol is None:
        return scene.anchor.tokens >= LOW_ENTROPY_BYTES
    if place.symbol.kind in _PROSE:
        return place.symbol.end_byte - place.symbol.start_byte >= LOW_ENTROPY_BYTES
    return place.symbol.tokens >= LOW_ENTROPY_TOKENS


def _inexact_twins(scene: Scene) -> tuple[Slot, ...]:
    """Symbols of the right name at a slot whose disambiguator fits none of them: never chosen silently."""
    return tuple(found.slot for sighting in scene.sightings for found in sighting.found)


def _named(places: tuple[Place, ...]) -> tuple[str, ...]:
    return _forms(place.slot for place in places)


def _forms(slots: Iterable[Slot]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(slot) for slot in slots))[:NAMED_CANDIDATES]

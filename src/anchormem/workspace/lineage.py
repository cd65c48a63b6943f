"""Who a symbol descends from, who descends from it, and who calls it: syntactic, with what is unsure said as such."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anchormem.model import Inheritance, JsonObject, Place, Slot
from anchormem.store import facts
from anchormem.workspace import neighbours
from anchormem.workspace.scope import Meaning, Scope

MOST = 200
DEEPEST = 6
DEEPEST_CALLER = 2
MOST_FOLLOWED = 20  # callers whose own callers are looked for
SELVES = ("self", "this", "cls", "super", "super()", "parent", "static", "@", "base", "Self", "$this")


@dataclass(frozen=True, slots=True)
class Kin:
    """One relation. `at`: the symbol's full form, or the name as written where nothing of the kind is known."""

    at: str
    rel: str
    clarity: str
    depth: int
    line: int = 0

    def shown(self) -> JsonObject:
        made: JsonObject = {"at": self.at, "rel": self.rel, "is": self.clarity, "depth": self.depth}
        return {**made, "line": self.line} if self.line else made


def ancestors(scope: Scope, slot: Slot) -> list[Kin]:
    """Bases, and their bases as long as each is unique."""
    found: list[Kin] = []
    seen = {slot}
    front = [slot]
    for depth in range(1, DEEPEST + 1):
        following: list[Slot] = []
        for one in front:
            for link in facts.inheritance_of(scope.ws.store, one.path, one.qualified):
                meaning = scope.types(link.base, one.path)
                found += _kin(scope, one, meaning, link, depth)
                following += [place.slot for place in meaning.places if meaning.clarity == "unique"]
        front = [one for one in dict.fromkeys(following) if one not in seen]
        seen.update(front)
        if not front or len(found) >= MOST:
            break
    return found[:MOST]


def descendants(scope: Scope, slot: Slot) -> list[Kin]:
    """What derives from the symbol, and from that, as long as each is unique."""
    found: list[Kin] = []
    seen = {slot}
    front = [slot]
    for depth in range(1, DEEPEST + 1):
        following: list[Slot] = []
        for one in front:
            for use in facts.derived_from(scope.ws.store, last(one.qualified)):
                meaning = scope.types(use.inheritance.base, use.path)
                if not any(place.slot == one for place in meaning.places):
                    continue
                child = Slot(use.path, use.inheritance.qualified)
                rel = _relation(scope, child, meaning.places, use.inheritance.rel)
                found.append(Kin(str(child), rel, meaning.clarity, depth, use.inheritance.line))
                following += [child] if meaning.clarity == "unique" else []
        front = [one for one in dict.fromkeys(following) if one not in seen]
        seen.update(front)
        if not front or len(found) >= MOST:
            break
    return found[:MOST]


def callers(scope: Scope, slot: Slot, deepest: int = DEEPEST_CALLER, *, gone: bool = False) -> list[Kin]:
    """Who calls the symbol by name, and (deepest 2) who calls those that surely do: each once, where it is nearest.

    `gone`: it is no longer defined.
    """
    found: dict[Slot, Kin] = {}
    own, front = Slot(slot.path, slot.qualified), [slot]
    for depth in range(1, deepest + 1):
        direct = [pair for one in front for pair in _direct_callers(scope, one, depth, gone=gone)]
        new: dict[Slot, Kin] = {}
        for kin, place in direct:
            known = new.get(place)
            surer = known is None or (known.clarity != "unique" and kin.clarity == "unique")
            if surer and place not in found and place != own:
                new[place] = kin
        found |= new
        front = [place for place, kin in new.items() if kin.clarity == "unique" and place.qualified][:MOST_FOLLOWED]
        if not front or len(found) >= MOST:
            break
    return list(found.values())[:MOST]


def _direct_callers(scope: Scope, slot: Slot, depth: int, *, gone: bool = False) -> Iterator[tuple[Kin, Slot]]:
    """Each calling symbol once, at its first call."""
    met: set[Slot] = set()
    for use in facts.references_to(scope.ws.store, last(slot.qualified)):
        if not neighbours.speak(scope.ws, use.path, slot.path):
            continue
        caller = Slot(use.path, use.reference.within)
        if caller in met or caller == Slot(slot.path, slot.qualified):
            continue
        clarity = _still_called(scope, slot, use) if gone else _called(scope, slot, use)
        if clarity:
            met.add(caller)
            yield Kin(str(caller), "calls", clarity, depth, use.reference.line), caller


def _called(scope: Scope, slot: Slot, use: facts.Use) -> str:
    """How sure it is that a call means the symbol; "" when it surely means another."""
    owner = slot.qualified.rpartition(".")[0]
    receiver = use.reference.receiver
    if receiver in SELVES and use.path == slot.path and owner and use.reference.within.startswith(f"{owner}."):
        return "unique"
    meaning = scope.callables(last(slot.qualified), use.path)
    meant = [place for place in meaning.places if _same(place, slot)]
    if not meant:
        return ""
    if meaning.clarity == "unique" and receiver and owner and receiver not in (*SELVES, last(owner)):
        return "unique" if _only_definition(scope, slot) else "ambiguous"
    return meaning.clarity


def _still_called(scope: Scope, slot: Slot, use: facts.Use) -> str:
    """A call of a name that is defined no more, or elsewhere only."""
    meaning = scope.callables(last(slot.qualified), use.path)
    return {"unresolved": "unresolved", "ambiguous": "ambiguous"}.get(meaning.clarity, "")


def _same(place: Place, slot: Slot) -> bool:
    return (place.slot.path, place.slot.qualified) == (slot.path, slot.qualified)


def _only_definition(scope: Scope, slot: Slot) -> bool:
    """Whether no other symbol that could be called from there has the name."""
    named = scope.named(last(slot.qualified))
    return all(_same(place, slot) for place in named if neighbours.speak(scope.ws, slot.path, place.slot.path))


def _kin(scope: Scope, heir: Slot, meaning: Meaning, link: Inheritance, depth: int) -> list[Kin]:
    if not meaning.places:
        return [Kin(link.base, link.rel, "unresolved", depth, link.line)]
    rel = _relation(scope, heir, meaning.places, link.rel)
    return [Kin(str(place.slot), rel, meaning.clarity, depth, link.line) for place in meaning.places]


def _relation(scope: Scope, heir: Slot, bases: Sequence[Place], written: str) -> str:
    """Where one syntax serves both (C#), a class implements an interface, and only an interface extends one."""
    if written != "extends" or not all(base.symbol and base.symbol.kind == "interface" for base in bases):
        return written
    heirs = facts.places_named(scope.ws.store, heir.qualified, path=heir.path, limit=3)
    return "extends" if any(one.symbol and one.symbol.kind == "interface" for one in heirs) else "implements"


def last(qualified: str) -> str:
    return qualified.rpartition(".")[2]

"""Scenes for the tests of resolving, with one word for each thing a test changes."""

from dataclasses import replace

from anchormem.model import Anchor, Aspect, Place, Slot, Symbol
from anchormem.reason.resolve import LOW_ENTROPY_TOKENS
from anchormem.reason.scene import Found, Scene, Sighting, Stamp

HOME = Slot("src/queue.py", "Queue.seed")
AWAY = Slot("src/other.py", "Queue.seed")
FILE = Slot(HOME.path)
THERE = Slot("src/third.py", "Pool.fill")


def digest(word: str) -> bytes:
    return word.encode().ljust(16, b"\0")


def symbol(
    body: str = "body", *, at: Slot = HOME, signature: str = "signature", doc: str = "", tokens: int = 40
) -> Symbol:
    return Symbol(
        name=at.qualified.rpartition(".")[2],
        qualified=at.qualified,
        disambiguator=at.disambiguator,
        kind="method",
        start_byte=0,
        end_byte=10,
        start_line=1,
        end_line=2,
        body=digest(body),
        signature=digest(signature),
        doc=digest(doc) if doc else None,
        raw=digest("text of " + body + doc),
        tokens=tokens,
        head="def seed(self)",
    )


def anchor(aspect: Aspect = "body", at: Slot = HOME, body: str = "body") -> Anchor:
    of = symbol(body, at=at)
    return Anchor(
        slot=at,
        aspect=aspect,
        epoch="e1",
        body=of.body,
        signature=of.signature,
        raw=of.raw,
        tokens=of.tokens,
        quote_tokens=("50",) if aspect == "quote" else (),
        quote_count=1 if aspect == "quote" else 0,
        slots=(at,),
    )


def file_anchor(content: str = "content", size: int = 500) -> Anchor:
    at = Slot(HOME.path)
    return Anchor(at, "file", "e1", body=digest(content), normal=digest("normal " + content), tokens=size, slots=(at,))


def sighting(*found: Symbol, at: Slot = HOME, quotes: int = 0, damaged: bool = False) -> Sighting:
    """What a slot shows: these symbols under its name; the one with its disambiguator is the exact one."""
    held = tuple(
        Found(replace(at, disambiguator=one.disambiguator), one, one.disambiguator == at.disambiguator, quotes)
        for one in found
    )
    return Sighting(at, "present", damaged, held)


def file_sighting(content: str, at: Slot = FILE, normal: str = "") -> Sighting:
    held = (Found(at, None),)
    return Sighting(at, "present", found=held, content=digest(content), normal=digest("normal " + (normal or content)))


def absent(at: Slot = HOME) -> Sighting:
    return Sighting(at, "absent")


def scene(of: Anchor, *sightings: Sighting, elsewhere: tuple[Place, ...] | None = ()) -> Scene:
    """Searched, with nothing found: fields that a test is about are set with `replace`."""
    stamp = Stamp(of.body, of.signature, of.doc, of.normal)
    return Scene(of, sightings, stamp, follow_by=of.body, elsewhere=elsewhere, successors=())


def place(at: Slot = THERE, body: str = "body", tokens: int = 2 * LOW_ENTROPY_TOKENS) -> Place:
    return Place(at, symbol(body, at=at, tokens=tokens) if at.qualified else None)

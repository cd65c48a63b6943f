"""What should have become of each anchor, by the oracle alone: the table of fates applied to syntax trees of `ast`.

A verdict names the words that are right for it, most often one. Where `ast` cannot decide (a file that this Python does
not read) the verdict is undecided and says why.
"""

import keyword
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from proof.oracle import Definition, Module

Place = tuple[str, str]  # path, qualified name; a file: ""

# Up to so many words are surely too few to follow by, from so many on they are surely enough. What lies between is for
# the calibrated threshold to say, which counts tokens of another parser.
TOO_FEW_WORDS, ENOUGH_WORDS = 10, 26
TOO_FEW_BYTES, ENOUGH_BYTES = 48, 80
# An edited successor that anybody would name keeps this share of its names and literals, and no other new definition
# comes near; what keeps no more than the lower share of them is another thing.
CLEARLY_EDITED, CLEARLY_ANOTHER = 0.8, 0.4
FEWEST_SHARED = 5
COMMON = {"self", "cls", "str", "int", "bool", "property"}


@dataclass(frozen=True, slots=True)
class File:
    """`read`: of a Python file what `ast` says, or why it says nothing; None for other files."""

    content: str
    size: int
    read: Module | str | None


class Ground:
    """One commit."""

    def __init__(self, files: Mapping[str, File], renamed: Callable[[int], Mapping[str, str]], index: int) -> None:
        self.files = files
        self.renamed = renamed  # commit index → where its files went, until here
        self.index = index
        self.bodies: dict[str, list[Place]] = defaultdict(list)
        self.contents: dict[str, list[Place]] = defaultdict(list)
        for path, file in files.items():
            self.contents[file.content].append((path, ""))
            for one in file.read.definitions if isinstance(file.read, Module) else ():
                self.bodies[one.body].append((path, one.qualified))

    def undecided(self, path: str) -> str:
        file = self.files.get(path)
        return f"{path}: {file.read}" if file and isinstance(file.read, str) else ""

    def module(self, path: str) -> Module | None:
        file = self.files.get(path)
        return file.read if file and isinstance(file.read, Module) else None

    def called(self, place: Place) -> list[Definition]:
        module = self.module(place[0])
        return module.called(place[1]) if module else []


@dataclass(slots=True)
class Note:
    """One anchor as the judge keeps it. `words`: of a quote. `seen`: commit index at which it was last well, `beside`:
    what was in its file then.
    """

    id: str
    place: Place
    aspect: str
    definition: Definition | None = None
    file: File | None = None
    words: tuple[str, ...] = ()
    count: int = 0
    proven: list[Place] = field(default_factory=list)  # the last one first
    seen: int = 0
    seen_body: str = ""
    beside: frozenset[str] = frozenset()
    old_twins: set[Place] = field(default_factory=set)

    def __str__(self) -> str:
        at = "::".join(filter(None, self.place))
        return at + {"body": "", "file": ""}.get(self.aspect, f" [{self.aspect}]")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`row`: fresh, followed, stale, gone, lost (gone, or edited beyond telling), small (neither surely too small to
    follow by nor surely large enough), undecided.
    """

    row: str
    right: frozenset[str]
    why: str = ""


def judge(note: Note, ground: Ground) -> Verdict:
    """The verdict at this commit; remembers where the code was well."""
    slots = list(dict.fromkeys((*note.proven, note.place)))
    doubt = next((ground.undecided(path) for path, _ in slots if ground.undecided(path)), "")
    if doubt:
        return Verdict("undecided", frozenset(), doubt)
    for slot in slots:
        if _holds(note, ground, slot):
            return _well(note, ground, slot)
    there = next((slot for slot in slots if _exists(ground, slot)), None)
    if there is not None:
        several = len(ground.called(there)) > 1
        return _stale(
            *(("body_edited", "signature_edited", "quote_gone") if several else ()),
            _edited(note),
            *(("ambiguous_anchor",) if several else ()),
        )
    return _elsewhere(note, ground, slots)


def agree(note: Note, ground: Ground, verdict: Verdict, word: str) -> None:
    """Remembers a place to which the code was rightly followed."""
    place = word.removeprefix("followed ").partition("::")[::2]
    if word.startswith("followed") and word in verdict.right and place not in note.proven:
        _well(note, ground, place)


def _stale(*reasons: str) -> Verdict:
    return Verdict("stale", frozenset(f"stale:{reason}" for reason in reasons))


def _edited(note: Note) -> str:
    return {"signature": "signature_edited", "quote": "quote_gone", "file": "file_edited"}.get(
        note.aspect, "body_edited"
    )


def _well(note: Note, ground: Ground, slot: Place) -> Verdict:
    note.proven = [slot, *(one for one in note.proven if one != slot)]
    note.seen = ground.index
    module, held = ground.module(slot[0]), ground.called(slot)
    note.beside = frozenset(one.qualified for one in module.definitions) if module else frozenset()
    if note.definition is not None and held:
        same = [one for one in held if one.body == note.seen_body]
        note.seen_body = (same or held)[0].body
    note.old_twins |= {place for place in _equal(note, ground) if place != slot}
    word = "fresh" if slot == note.place else f"followed {'::'.join(filter(None, slot))}"
    return Verdict(word.partition(" ")[0], frozenset({word}))


def _exists(ground: Ground, slot: Place) -> bool:
    return bool(ground.called(slot)) if slot[1] else slot[0] in ground.files


def _holds(note: Note, ground: Ground, slot: Place) -> bool:
    if note.aspect == "file":
        return _same_file(note, ground.files.get(slot[0]))
    return any(_same(note, one) for one in ground.called(slot))


def _same_file(note: Note, now: File | None) -> bool:
    was = note.file
    if was is None or now is None:
        return False
    if was.content == now.content:
        return True
    return isinstance(was.read, Module) and isinstance(now.read, Module) and was.read.whole == now.read.whole


def _same(note: Note, one: Definition) -> bool:
    was = note.definition
    if was is None:
        return False
    match note.aspect:
        case "exists":
            return True
        case "signature":
            return was.signature == one.signature
        case "quote":
            return occurrences(note.words, one.words) >= note.count
        case _:
            return was.body == one.body


def occurrences(wanted: tuple[str, ...], words: tuple[str, ...]) -> int:
    return sum(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))


def _equal(note: Note, ground: Ground) -> list[Place]:
    if note.file is not None and note.aspect == "file":
        return ground.contents.get(note.file.content, [])
    if note.definition is not None and note.aspect == "body":
        return ground.bodies.get(note.definition.body, [])
    return ground.bodies.get(note.seen_body, [])


# ── not at any of its places ────────────────────────────────────────────────────────────────────────────────────────


def _elsewhere(note: Note, ground: Ground, slots: list[Place]) -> Verdict:
    places = [place for place in _equal(note, ground) if place not in slots]
    if not places:
        return _lost(note, ground)
    size = _evidence(note, ground, places[0])
    right = set()
    if size < 1:
        right.add("stale:low_entropy")
    if size > 0:
        sure = len(places) == 1 and places[0] not in note.old_twins
        right.add(f"followed {'::'.join(filter(None, places[0]))}" if sure else "stale:ambiguous_anchor")
    followed = any(word.startswith("followed") for word in right)
    return Verdict("stale" if not followed else "followed" if len(right) == 1 else "small", frozenset(right))


def _evidence(note: Note, ground: Ground, place: Place) -> float:
    """0: too small to follow by; 1: large enough; between: either."""
    if note.aspect == "file":
        size, few, enough = note.file.size if note.file else 0, TOO_FEW_BYTES, ENOUGH_BYTES
    else:
        found = [len(one.words) for one in ground.called(place)]
        size, few, enough = max(found, default=0), TOO_FEW_WORDS, ENOUGH_WORDS
    return 0.0 if size <= few else 1.0 if size >= enough else 0.5


def _lost(note: Note, ground: Ground) -> Verdict:
    dead = "unknown:other_branch" if note.seen > ground.index else "gone"
    moved = "stale:moved_and_edited"
    path, name = (note.proven or [note.place])[0]
    if path not in ground.files:
        now = ground.renamed(note.seen).get(path, "")
        clear = bool(now) and (not name or bool(ground.called((now, name))))
        return Verdict("stale", frozenset({moved}), f"renamed to {now}") if clear else _either(dead, moved)
    return _beside(note, ground, path, dead, moved)


def _either(dead: str, moved: str) -> Verdict:
    return Verdict("lost", frozenset({dead, moved}))


def _beside(note: Note, ground: Ground, path: str, dead: str, moved: str) -> Verdict:
    """The file is there, the symbol is not: whether one of its definitions is clearly the edited successor."""
    module = ground.module(path)
    wanted = note.definition
    if module is None or wanted is None:
        return _either(dead, moved)
    new = [one for one in module.definitions if one.qualified not in note.beside and one.kind == wanted.kind]
    was = _telling(wanted.words)
    best, second = sorted([0.0, 0.0, *(_share(was, _telling(one.words)) for one in new)])[:-3:-1]
    if best >= CLEARLY_EDITED and second <= CLEARLY_ANOTHER and was.total() >= FEWEST_SHARED:
        return Verdict("stale", frozenset({moved}), "edited under a new name")
    return Verdict("gone", frozenset({dead})) if best <= CLEARLY_ANOTHER else _either(dead, moved)


def _telling(words: Iterable[str]) -> Counter[str]:
    """What a definition says that not every other one does: names and literals, without keywords, signs and `self`."""
    return Counter(word for word in words if word[:1].isalnum() and not keyword.iskeyword(word) and word not in COMMON)


def _share(one: Counter[str], other: Counter[str]) -> float:
    return (one & other).total() / max(one.total(), other.total(), 1)

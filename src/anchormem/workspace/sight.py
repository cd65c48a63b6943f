"""From anchors to fates: completes each anchor's Scene as far as its fate needs, resolves it, says what to keep.

Decides nothing itself: the table of fates is reason.resolve. Writes nothing: whoever resolves keeps the result (keep).
"""

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from anchormem.errors import StoreFull, StoreLocked, StoreReadOnly
from anchormem.model import Anchor, Change, Digest, Fate, FileFacts, Place, Slot
from anchormem.reason.change import describe, renamings
from anchormem.reason.resolve import LOW_ENTROPY_BYTES, is_empty, resolve, wants
from anchormem.reason.scene import Past, Scene
from anchormem.store import anchors, facts, fates, files
from anchormem.store.anchors import Held
from anchormem.store.fates import FateRow
from anchormem.syntax.spliced import old_tokens
from anchormem.syntax.tokens import symbol_tokens
from anchormem.workspace.ground import Ground
from anchormem.workspace.look import Look
from anchormem.workspace.scenes import restamp_of, scene_of, slots_of
from anchormem.workspace.session import Workspace

if TYPE_CHECKING:  # what asks git is imported for the first code that is lost: most edits lose none
    from anchormem.workspace.past import Memory

_WELL = ("fresh", "followed")


@dataclass(frozen=True, slots=True)
class Resolved:
    """`proved`: slots to add to memory.db. `unsettled`: fates that wait for a search. `parsed`: facts to keep.

    `glimpsed`: files that only what they anchor was looked at in; then nothing of this may be kept. `changes`: by
    anchor what an edit did, to be found out by who shows it; then `rows` do not say it.
    """

    rows: tuple[FateRow, ...] = ()
    proved: tuple[tuple[int, Slot], ...] = ()
    unsettled: tuple[int, ...] = ()
    parsed: tuple[FileFacts, ...] = ()
    glimpsed: tuple[str, ...] = ()
    changes: Mapping[int, Callable[[], Change]] = field(default_factory=dict)

    @property
    def fates(self) -> dict[int, Fate]:
        return {row.anchor: row.fate for row in self.rows}


@dataclass(slots=True)
class _Pass:
    ws: Workspace
    ground: Ground
    searchable: bool
    head: str
    memory: "Memory | None" = None
    places: dict[Digest, list[Place]] = field(default_factory=dict)
    contents: dict[Digest, list[str]] = field(default_factory=dict)


def resolve_held(
    ws: Workspace,
    held: Sequence[Held],
    *,
    searchable: bool,
    head: str = "",
    parsed: Iterable[FileFacts] = (),
    withheld: Iterable[str] = (),
    seen: Iterable[Look] = (),
    briefly: bool = False,
) -> Resolved:
    """Fates of these anchors on the index of this checkout.

    `searchable` False: the rest of the tree may have changed, so an empty slot stays unsettled. `head`: HEAD when this
    checkout was last looked at, which is where code that is lost now was seen last. `parsed`: facts at hand.
    `withheld`: what is not checked out, as listed; that counts only where it is searchable. `seen`: looks that count
    instead of what the index says. `briefly`: what edits did is left for later (`changes`).
    """
    rows = fates.get(ws.store, (one.anchor.id for one in held))
    slots = {one.anchor.id: slots_of(one.anchor, rows.get(one.anchor.id)) for one in held}
    ground = Ground(ws, {slot.path for each in slots.values() for slot in each}, parsed, frozenset(withheld), seen)
    here = _Pass(ws, ground, searchable, head)
    scenes = [
        (one, rows.get(one.anchor.id), scene_of(here.ground, one.anchor, rows.get(one.anchor.id))) for one in held
    ]
    _find_places(here, [scene for _, _, scene in scenes])
    if searchable:
        scenes = [(one, row, _placed(here, scene, row)) for one, row, scene in scenes]
        _fetch_pasts(here, [(one.anchor, row) for one, row, scene in scenes if is_empty(scene) and wants(scene)])
    made = [_row(here, one, row, _complete(here, scene, row)) for one, row, scene in scenes]
    edited = [
        (one, row.fate.at) for one, row in zip(held, made, strict=True) if row.fate.name == "stale" and row.fate.at
    ]
    changes = {one.anchor.id: partial(_change, ground, one, at) for one, at in edited}
    if not briefly:
        made = [_described(row, changes) for row in made]
    return Resolved(
        changes=changes if briefly else {},
        rows=tuple(made),
        proved=tuple(_proved(one.anchor, row) for one, row in zip(held, made, strict=True) if _is_new(one.anchor, row)),
        unsettled=tuple(row.anchor for row in made if row.fate.reason == "pending"),
        parsed=tuple(here.ground.parsed),
    )


def _find_places(here: _Pass, scenes: Iterable[Scene]) -> None:
    bodies: set[Digest] = set()
    contents: set[Digest] = set()
    for scene in scenes:
        if scene.follow_by is not None:
            (bodies if scene.anchor.slot.qualified else contents).add(scene.follow_by)
    here.places = facts.places_of_bodies(here.ws.store, bodies) if bodies else {}
    here.contents = {one: files.files_with_content(here.ws.store, one) for one in contents}


def _placed(here: _Pass, scene: Scene, row: FateRow | None) -> Scene:
    """The scene with where else its code is. Most that moved needs nothing more; git is asked for the rest at once."""
    return _with_places(here, scene, row) if wants(scene) == "elsewhere" else scene


def _complete(here: _Pass, scene: Scene, row: FateRow | None) -> Scene:
    """The scene with everything its fate wants looked up, as far as that may be done now."""
    while want := wants(scene):
        if want == "elsewhere":
            if not here.searchable and is_empty(scene):
                break
            scene = _with_places(here, scene, row)
        elif want == "successors":
            scene = replace(scene, successors=_successors(here, scene.anchor, row))
        else:
            past = _past(here, scene, row)
            if past is None:
                break
            scene = replace(scene, past=past)
    return scene


def _with_places(here: _Pass, scene: Scene, row: FateRow | None) -> Scene:
    tried = {sighting.slot for sighting in scene.sightings}
    found = tuple(place for place in _equal_places(here, scene) if place.slot not in tried)
    return replace(scene, elsewhere=found, carried=_carried(here, scene, row) if found else frozenset())


def _carried(here: _Pass, scene: Scene, row: FateRow | None) -> frozenset[str]:
    """The files that what was the anchor's file is now, where it is gone and is no trifle."""
    content = row.seen_content if row and scene.anchor.slot.qualified else None
    if content is None or scene.sightings[0].file != "absent":
        return frozenset()
    states = [here.ground.state(path) for path in _holders(here, content)]
    return frozenset(state.path for state in states if state and state.stat.size >= LOW_ENTROPY_BYTES)


def _holders(here: _Pass, content: Digest) -> list[str]:
    """The files that hold this, whole."""
    if content not in here.contents:
        here.contents[content] = files.files_with_content(here.ws.store, content)
    return here.contents[content]


def _equal_places(here: _Pass, scene: Scene) -> list[Place]:
    if scene.follow_by is None:
        return []
    if scene.anchor.slot.qualified:
        return here.places.get(scene.follow_by, [])
    return [Place(Slot(path)) for path in here.contents.get(scene.follow_by, [])]


# ── what git remembers ──────────────────────────────────────────────────────────────────────────────────────────────


def _memory(here: _Pass) -> "Memory":
    """One for a pass: what it was told once is not asked again."""
    from anchormem.workspace.past import Memory  # noqa: PLC0415 — see above

    here.memory = here.memory or Memory(here.ws)
    return here.memory


def _fetch_pasts(here: _Pass, lost: Sequence[tuple[Anchor, FateRow | None]]) -> None:
    if lost:
        from anchormem.workspace.successors import fetch_pasts  # noqa: PLC0415 — see above

        fetch_pasts(_memory(here), lost)


def _successors(here: _Pass, anchor: Anchor, row: FateRow | None) -> tuple[Slot, ...]:
    from anchormem.workspace.successors import Trail, successors_of  # noqa: PLC0415 — see above

    return successors_of(Trail(here.ws, here.ground, _memory(here), anchor, row))


def _past(here: _Pass, scene: Scene, row: FateRow | None) -> Past | None:
    from anchormem.workspace.past import past_of  # noqa: PLC0415 — see above

    return past_of(_memory(here), scene.anchor, row, (sighting.slot for sighting in scene.sightings))


# ── what to keep ────────────────────────────────────────────────────────────────────────────────────────────────────


def _row(here: _Pass, held: Held, row: FateRow | None, scene: Scene) -> FateRow:
    fate = resolve(scene)
    kept = row or FateRow(held.anchor.id, held.revision, fate)
    if fate.name in _WELL and fate.at is not None:
        return _well(here, replace(kept, revision=held.revision, fate=fate), scene, fate.at)
    seen = here.head if kept.fate.name in _WELL and row is not None else kept.seen_commit
    return replace(kept, revision=held.revision, fate=fate, seen_commit=seen)


def _well(here: _Pass, row: FateRow, scene: Scene, at: Slot) -> FateRow:
    symbol = here.ground.symbol(at)
    state = here.ground.state(at.path)
    content = state.content if state else None
    body = symbol.body if symbol else content
    scene = replace(scene, follow_by=body)
    if body is not None and body not in here.places and symbol is not None:
        here.places |= facts.places_of_bodies(here.ws.store, (body,))
    twins = tuple(place.slot for place in _equal_places(here, scene) if place.slot != at)
    return replace(
        row,
        proven=at,
        seen_body=body,
        seen_content=content if content is not None and _holders(here, content) == [at.path] else None,
        twins=twins,
        restamp=restamp_of(scene.anchor, scene, here.ground.facts(at.path)) or row.restamp,
    )


def _described(row: FateRow, changes: Mapping[int, Callable[[], Change]]) -> FateRow:
    change = changes.get(row.anchor)
    return replace(row, fate=replace(row.fate, change=change())) if change else row


def not_well(ws: Workspace) -> set[int]:
    """Anchors whose fate may hang on where HEAD is."""
    return {anchor for anchor, row in fates.get_all(ws.store).items() if row.fate.name not in _WELL}


def _is_new(anchor: Anchor, row: FateRow) -> bool:
    return row.fate.name in _WELL and row.fate.at is not None and row.fate.at not in (anchor.slot, *anchor.slots)


def _proved(anchor: Anchor, row: FateRow) -> tuple[int, Slot]:
    return anchor.id, row.fate.at or anchor.slot


def keep(ws: Workspace, resolved: Resolved) -> None:
    """Stores rows and facts in the derived files. Joins a `deriving` that is open."""
    with ws.store.deriving():
        facts.put_many(ws.store, resolved.parsed)
        fates.put_many(ws.store, resolved.rows)
        if resolved.unsettled:
            fates.outdate(ws.store, resolved.unsettled)
        fates.settle(ws.store)


def tell(ws: Workspace, resolved: Resolved) -> None:
    """Adds proved slots to memory.db, after `keep`. Where that cannot be done now, they are proved again next time."""
    if not resolved.proved or not ws.write:
        return
    try:
        with ws.store.writing():
            for anchor, slot in resolved.proved:
                anchors.add_slot(ws.store, anchor, slot)
    except (StoreLocked, StoreReadOnly, StoreFull):
        with ws.store.deriving():
            fates.outdate(ws.store, [anchor for anchor, _ in resolved.proved])


# ── what changed ────────────────────────────────────────────────────────────────────────────────────────────────────


def _change(ground: Ground, held: Held, at: Slot) -> Change:
    """What an edit did to the anchored code, as far as its text was kept."""
    new, old, source = ground.text(at), held.anchor.text, ground.source(at.path)
    if new is None or source is None:
        return Change()
    symbol, language = ground.symbol(at), ground.language(at.path)
    if old is None or symbol is None:
        return describe(None, new, (), (), held.body)
    before, after = _alone(old, language), _alone(new, language)
    if not before or not after:
        before, after = old_tokens(source, language, symbol, old), symbol_tokens(source, language, symbol)
    names = renamings(held.anchor.slot.qualified, at.qualified)
    return describe(old, new, before, after, held.body, names=names)


def _alone(text: str, language: str | None) -> tuple[str, ...]:
    """Tokens of a definition without its file: enough to tell what differs, never whether. () where it is no code."""
    tokens = symbol_tokens(textwrap.dedent(text).encode("utf-8", "replace"), language, None)
    return tokens if len(tokens) > 1 else ()

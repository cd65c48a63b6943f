"""Why a fate is what it is: slots tried, candidates, the diff, the commit. For people and for `admin get`; reads only.

Knows nothing of budgets and replies.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from anchormem.errors import GitFailed
from anchormem.model import Anchor, Fate, JsonObject, Slot
from anchormem.project import decoding, git
from anchormem.reason import diff
from anchormem.reason.envelope import lean
from anchormem.reason.resolve import LOW_ENTROPY_BYTES, LOW_ENTROPY_TOKENS
from anchormem.reason.scene import Scene, Sighting
from anchormem.store import facts, fates, files
from anchormem.syntax.facts import content_digest
from anchormem.text import secrets
from anchormem.workspace.ground import Ground, text_of
from anchormem.workspace.scenes import scene_of, slots_of
from anchormem.workspace.session import Workspace

LOOKED_BACK = 50  # commits of a file in which the one that changed a symbol is looked for
AT_ONCE = 20  # anchors of which all those files are in memory together

Holds = Callable[[bytes], bool]


def explain(ws: Workspace, anchor: Anchor) -> JsonObject:
    """Slots tried with their hashes, places that hold an equal body, and why the anchor was not followed there."""
    row = fates.get(ws.store, (anchor.id,)).get(anchor.id)
    ground = Ground(ws, {slot.path for slot in slots_of(anchor, row)})
    scene = scene_of(ground, anchor, row)
    equal = _equal(ws, scene)
    return lean(
        {
            "at": str(anchor.slot),
            "aspect": anchor.aspect,
            "written": _hash(anchor.signature if anchor.aspect == "signature" else anchor.body),
            "epoch": anchor.epoch,
            "tokens": anchor.tokens,
            "commit": anchor.commit,
            "dirty": anchor.dirty,
            "tried": [_tried(anchor, sighting) for sighting in scene.sightings],
            "equal_elsewhere": equal,
            "old_twins": [str(slot) for slot in sorted(scene.old_twins, key=str)],
            "not_followed": _not_followed(scene, row.fate if row else None, equal),
        }
    )


def _tried(anchor: Anchor, sighting: Sighting) -> JsonObject:
    symbols = [found.symbol for found in sighting.found if found.symbol is not None]
    shown = [one.signature if anchor.aspect == "signature" else one.body for one in symbols]
    return lean(
        {
            "slot": str(sighting.slot),
            "file": sighting.file,
            "detail": sighting.detail,
            "hashes": [_hash(one) for one in shown] or ([] if sighting.slot.qualified else [_hash(sighting.content)]),
            "quotes": [found.quotes for found in sighting.found] if anchor.aspect == "quote" else [],
            "parse_errors": sighting.damaged,
        }
    )


def _hash(digest: bytes | None) -> str:
    return digest.hex()[:12] if digest else ""


def _equal(ws: Workspace, scene: Scene) -> list[str]:
    tried = {sighting.slot for sighting in scene.sightings}
    if scene.follow_by is None:
        return []
    if not scene.anchor.slot.qualified:
        paths = files.files_with_content(ws.store, scene.follow_by)
        return [path for path in paths if path not in {slot.path for slot in tried}]
    places = facts.places_of_bodies(ws.store, (scene.follow_by,)).get(scene.follow_by, [])
    return [str(place.slot) for place in places if place.slot not in tried]


def _not_followed(scene: Scene, fate: Fate | None, equal: list[str]) -> str:
    """The rule that kept an anchor from being re-pointed, as a sentence."""
    if fate is None or not equal or fate.name in ("fresh", "followed"):
        return ""
    if fate.at is not None:
        return "the slot still holds code, so an equal body elsewhere is only named"
    if fate.reason == "low_entropy":
        unit = (LOW_ENTROPY_TOKENS, "tokens") if scene.anchor.slot.qualified else (LOW_ENTROPY_BYTES, "non-blank bytes")
        return f"code of fewer than {unit[0]} {unit[1]} looks alike everywhere"
    if len(equal) > 1:
        return f"{len(equal)} places hold an equal body"
    return "an equal body existed there, or elsewhere, before the code left its slot"


def unified_diff(ws: Workspace, anchor: Anchor) -> str:
    """The diff from the anchored text to the code at the anchor's slot today.

    "" where either is not to be had, or where today's code may hold a secret.
    """
    row = fates.get(ws.store, (anchor.id,)).get(anchor.id)
    at = row.fate.at if row else None
    if at is None or anchor.text is None:
        return ""
    new = Ground(ws, (at.path,)).text(at)
    if new is None or secrets.find(new):
        return ""
    return diff.unified(anchor.text, new, label=str(at))


def dated(ws: Workspace, held: Collection[tuple[Anchor, Fate]]) -> dict[int, Fate]:
    """By anchor its fate, that of stale code with the commit since which it is as it is: `1a2b3c4d5e 2026-01-31`.

    No commit while the edit is not committed. Starts git: ask for what is shown, not for what is matched.
    """
    found = {anchor.id: fate for anchor, fate in held}
    stale = [(anchor, fate.at) for anchor, fate in held if fate.name == "stale" and fate.at and not fate.change.commit]
    head = git.head_commit(ws.root) if stale and ws.root.is_git else ""
    if not head:
        return found
    try:
        here = _committed(ws, head, stale)
        for start in range(0, len(here), AT_ONCE):
            since = _since_when(ws, here[start : start + AT_ONCE])
            found |= {key: replace(found[key], change=replace(found[key].change, commit=since[key])) for key in since}
    except GitFailed:
        pass  # those that are not dated yet stay so
    return found


def _committed(ws: Workspace, head: str, stale: Sequence[tuple[Anchor, Slot]]) -> list[tuple[Anchor, Slot, Holds]]:
    """Those whose code HEAD holds as it is today, and how to see it in another commit's file."""
    ground = Ground(ws, {at.path for _, at in stale})
    last = git.blobs(ws.root, ((head, at.path) for _, at in stale))
    asked = ((anchor, at, _today(ground, at), last.get((head, at.path))) for anchor, at in stale)
    return [(anchor, at, holds) for anchor, at, holds, data in asked if holds and data is not None and holds(data)]


def _today(ground: Ground, at: Slot) -> Holds | None:
    """Whether a committed file holds the code as it is today; None where today's cannot be read."""
    if not at.qualified:
        state = ground.state(at.path)
        return None if state is None else lambda data: content_digest(data) == state.content
    code = ground.text(at)
    return (lambda data: code in text_of(decoding.for_parsing(data) or b"", None)) if code else None


def _since_when(ws: Workspace, here: Sequence[tuple[Anchor, Slot, Holds]]) -> dict[int, str]:
    """By anchor the oldest of an unbroken row of commits, the newest first, that hold the code as it is today."""
    touching = {
        anchor.id: git.commits_touching(ws.root, at.path, anchor.commit, most=LOOKED_BACK) for anchor, at, _ in here
    }
    old = git.blobs(ws.root, ((commit.id, at.path) for anchor, at, _ in here for commit in touching[anchor.id]))
    found = dict.fromkeys(touching, "")
    for anchor, at, holds in here:
        for commit in touching[anchor.id]:
            if found[anchor.id] and not holds(old.get((commit.id, at.path), b"")):
                break
            found[anchor.id] = str(commit)
    return found

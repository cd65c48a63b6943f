"""The fates of what many changed files anchor, from those definitions alone: for a reply that should not wait for more.

Stores nothing: the sweep after the reply parses the files whole and keeps what it finds. Knows nothing of replies.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from anchormem.model import Anchor, FileFacts, FileState
from anchormem.store import anchors, fates
from anchormem.store.anchors import Held
from anchormem.store.fates import FateRow
from anchormem.syntax.excerpt import symbols_named
from anchormem.workspace.look import Look, parse
from anchormem.workspace.scenes import slots_of
from anchormem.workspace.session import Workspace
from anchormem.workspace.sight import Resolved, resolve_held


def glimpse(
    ws: Workspace,
    looks: Sequence[Look],
    known: Iterable[FileFacts],
    others: Iterable[int],
    head: str,
) -> Resolved | None:
    """Fates of all anchors in the files of `looks`, and of the anchors `others`. None where only a whole look can tell.

    `known`: facts of some of these files. `head`: HEAD when this checkout was last looked at.
    """
    concerned = {one.anchor.id: one for one in anchors.by_paths(ws.store, [one.path for one in looks])}
    concerned |= {one.anchor.id: one for one in anchors.get(ws.store, others)}
    held = list(concerned.values())
    wanted = _wanted(held, fates.get(ws.store, concerned))
    parsed, seen = list(known), []
    have = {facts.content for facts in parsed}
    for one in looks:
        if one.state is None or one.state.content in have or one.path not in wanted:
            seen.append(one)
            continue
        told = _told(one, wanted[one.path])
        if told is None:
            seen.append(replace(one, state=replace(one.state, language=None)))
            continue
        seen.append(replace(one, state=told[0]))
        parsed.append(told[1])
    resolved = resolve_held(ws, held, searchable=False, head=head, parsed=parsed, seen=seen, briefly=True)
    return None if resolved.unsettled else resolved


def _wanted(held: Iterable[Held], rows: Mapping[int, FateRow]) -> dict[str, list[tuple[str, Anchor]]]:
    """By file the names that its anchors ask for ("": the file itself), each with its anchor."""
    wanted: dict[str, list[tuple[str, Anchor]]] = defaultdict(list)
    for one in held:
        for slot in slots_of(one.anchor, rows.get(one.anchor.id)):
            wanted[slot.path].append((slot.qualified, one.anchor))
    return wanted


def _told(seen: Look, wanted: Iterable[tuple[str, Anchor]]) -> tuple[FileState, FileFacts] | None:
    """State and facts as far as they are asked for; whole where a file or a quote is."""
    state, names = seen.state, {name for name, _ in wanted}
    whole = "" in names or any(anchor.aspect == "quote" for _, anchor in wanted)
    if not whole and state is not None and state.language is not None and seen.source is not None:
        found = symbols_named(seen.source, state.language, names)
        if found is not None and state.content is not None:
            return state, replace(found, content=state.content)
    return parse(seen)

"""Finding memories for a question: the one SELECT of a recall, and the lookups by place. Ranks nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from anchormem.model import Fate, Memory
from anchormem.store.db import Store


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory with everything a recall needs, as one look at the store saw it.

    `memory.anchors` come without their `text`. `fates` by anchor id, of this checkout; an anchor that was never resolved
    here is missing. `relevance` by column that matched (body, names, paths, commands): SQLite's bm25, negated, so greater
    is better; empty when it came by place or id. `contradicted_by`: other sides of standing contradictions.
    """

    memory: Memory
    fates: Mapping[int, Fate] = field(default_factory=dict)
    relevance: Mapping[str, float] = field(default_factory=dict)
    contradicted_by: tuple[str, ...] = ()
    near: bool = False  # anchored (now or when written) in near_paths or near_folders
    recalls: int = 0
    changed_at: int = 0  # last deliberate change


def candidates(
    store: Store,
    expression: str,
    *,
    near_paths: Iterable[str] = (),
    near_folders: Iterable[str] = (),
    kinds: Iterable[str] = (),
    ids: Iterable[str] = (),
    limit: int = 300,
) -> list[Hit]:
    """THE select of a recall. Superseded, archived and forgotten memories never come, but for `ids`.

    `expression` is of text.terms.fts_expression ("": no text search). The best `limit` by text, plus the `limit` most recently
    changed anchored in near_paths (files) or directly in near_folders ("" is the top), plus the named ones. `kinds` restricts
    all but `ids`. Best text first, then id.
    """
    raise NotImplementedError


def document_frequencies(store: Store, terms: Iterable[str]) -> dict[str, int]:
    """In how many searchable memories each term occurs; absent ones left out."""
    raise NotImplementedError


def documents(store: Store) -> int:
    """How many memories a recall may find: neither superseded, archived nor forgotten."""
    raise NotImplementedError


def on_paths(store: Store, paths: Iterable[str]) -> list[Hit]:
    """Memories that a recall may find, anchored in these files (as written, proved, or where they are now), by id."""
    raise NotImplementedError


def standing(store: Store) -> list[Hit]:
    """All live memories, archived ones too, with fates: for the queue, the hook and counts by status. By id."""
    raise NotImplementedError


def in_slots(store: Store, slots: Iterable[tuple[str, str, str]]) -> list[Hit]:
    """Memories that a recall may find with an anchor in one of the slots (path, qualified, disambiguator), by id."""
    raise NotImplementedError


def unanchored(store: Store) -> list[Hit]:
    """Memories that a recall may find and that have no anchor, by id."""
    raise NotImplementedError


def sound(store: Store) -> bool:
    """Whether the full-text index agrees with the memories."""
    raise NotImplementedError


def rebuild(store: Store) -> None:
    """Makes the full-text index anew from the memories."""
    raise NotImplementedError

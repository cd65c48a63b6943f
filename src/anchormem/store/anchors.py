"""Anchors of live memories (neither forgotten nor superseded; archived ones are live).

A scan may add one more proved slot, and nothing else here.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from anchormem.model import Anchor, Slot
from anchormem.store import rows
from anchormem.store.db import Store
from anchormem.store.files import Seen, seen_of
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, Values

EVERY = """
SELECT a.*, t.content, m.id, m.revision, m.body
FROM main.memories m
CROSS JOIN anchor_rows a ON a.memory = m.seq
LEFT JOIN main.anchored_text t ON t.anchor = a.anchor
WHERE m.superseded_by = '' AND m.forgotten_at = 0
ORDER BY m.seq, a.position
"""
BY_IDS = """
SELECT a.*, t.content, m.id, m.revision, m.body
FROM json_each(:ids) wanted
CROSS JOIN anchor_rows a ON a.anchor = wanted.value
CROSS JOIN main.memories m ON m.seq = a.memory
LEFT JOIN main.anchored_text t ON t.anchor = a.anchor
WHERE m.superseded_by = '' AND m.forgotten_at = 0
ORDER BY m.seq, a.position
"""
IDS_OF_PATHS = """
SELECT s.anchor FROM json_each(:paths) wanted CROSS JOIN main.slots s ON s.path = wanted.value AND s.live = 1
UNION
SELECT f.anchor FROM json_each(:paths) wanted CROSS JOIN checkout.fates f ON f.at_path = wanted.value
"""
OF_MEMORY = """
SELECT a.*, t.content
FROM main.memories m
CROSS JOIN anchor_rows a ON a.memory = m.seq
LEFT JOIN main.anchored_text t ON t.anchor = a.anchor
WHERE m.id = :memory
ORDER BY a.position
"""
# From one path to the next: many anchors lie in few files.
PATHS = """
WITH RECURSIVE written (path) AS (
  SELECT min(s.path) FROM main.slots s INDEXED BY slots_place WHERE s.live = 1
  UNION ALL
  SELECT (SELECT min(s.path) FROM main.slots s INDEXED BY slots_place WHERE s.live = 1 AND s.path > w.path)
  FROM written w WHERE w.path IS NOT NULL
)
SELECT p.path, f.inode, f.size, f.mtime_ns, f.ctime_ns, f.looked_ns
FROM (
  SELECT w.path FROM written w WHERE w.path IS NOT NULL
  UNION
  SELECT f.at_path FROM checkout.fates f INDEXED BY fates_followed WHERE f.name = 'followed' AND f.at_path IS NOT NULL
) p
LEFT JOIN checkout.files f ON f.path = p.path
ORDER BY p.path
"""
TEXTLESS = """
SELECT a.*
FROM main.memories m
CROSS JOIN anchor_rows a ON a.memory = m.seq
LEFT JOIN main.anchored_text t ON t.anchor = a.anchor
WHERE m.superseded_by = '' AND m.forgotten_at = 0 AND m.imported = 1 AND a.qualified <> '' AND t.anchor IS NULL
"""
LIVE_COUNT = """
SELECT count(*) FROM main.memories m CROSS JOIN main.anchors a ON a.memory = m.seq
WHERE m.superseded_by = '' AND m.forgotten_at = 0
"""
INSERT = """
INSERT INTO main.anchors (
  id, memory, position, path, qualified, disambiguator, aspect, epoch, body, signature, doc, raw, normal, tokens, kind,
  quote, quote_tokens, quote_count, damaged, file_damaged, written_commit, dirty, twins
) VALUES (
  :id, :memory, :position, :path, :qualified, :disambiguator, :aspect, :epoch, :body,
  :signature, :doc, :raw, :normal, :tokens, :kind, :quote, :quote_tokens, :quote_count, :damaged, :file_damaged,
  :written_commit, :dirty, :twins
)
"""
INSERT_TEXT = "INSERT INTO main.anchored_text (anchor, content) VALUES (:anchor, :content)"
INSERT_SLOT = """
INSERT INTO main.slots (anchor, position, path, qualified, disambiguator, folder, live)
SELECT
  a.id, (SELECT count(*) FROM main.slots s WHERE s.anchor = a.id), :path, :qualified, :disambiguator, :folder,
  m.superseded_by = '' AND m.forgotten_at = 0
FROM main.anchors a
JOIN main.memories m ON m.seq = a.memory
WHERE a.id = :anchor AND NOT EXISTS (
  SELECT 1 FROM main.slots s
  WHERE s.anchor = :anchor AND s.path = :path AND s.qualified = :qualified AND s.disambiguator = :disambiguator
)
"""
INSERT_FIRST_SLOT = """
INSERT INTO main.slots (anchor, position, path, qualified, disambiguator, folder, live)
SELECT :anchor, :position, :path, :qualified, :disambiguator, :folder, m.superseded_by = '' AND m.forgotten_at = 0
FROM main.memories m WHERE m.seq = :memory
"""
KNOWN_SLOT = """
SELECT 1 FROM main.slots s
WHERE s.anchor = :anchor AND s.path = :path AND s.qualified = :qualified AND s.disambiguator = :disambiguator
"""
ID_BITS = 53  # of numbers that nobody guesses and every reader of JSON keeps: no id comes twice, in no copy of a store
MOVE = "UPDATE main.anchors SET position = :position WHERE id = :anchor"
DELETE = "DELETE FROM main.anchors WHERE id IN (SELECT value FROM json_each(:ids))"


class Held(NamedTuple):
    """An anchor and the memory that holds it. `revision` counts the memory's deliberate changes; `body`: its text."""

    anchor: Anchor
    memory: str
    revision: int
    body: str


def every_live(store: Store) -> list[Held]:
    """All anchors of live memories, with anchored text; by age of the memory, then in their order."""
    return [_held(row) for row in store.rows(EVERY)]


def get(store: Store, ids: Iterable[int]) -> list[Held]:
    """These anchors when their memory is live; by age of the memory, then in their order."""
    return [_held(row) for row in store.rows(BY_IDS, {"ids": listed(set(ids))})]


def by_paths(store: Store, paths: Iterable[str]) -> list[Held]:
    """Live anchors written, proved or followed into these files."""
    found = store.rows(IDS_OF_PATHS, {"paths": listed(paths)})
    return get(store, (row[0] for row in found))


def for_memory(store: Store, memory_id: str) -> tuple[Anchor, ...]:
    """In the order they were given; of any memory, live or not."""
    found = store.rows(OF_MEMORY, {"memory": memory_id})
    return tuple(rows.anchor_of(row, row[rows.ANCHOR_WIDTH + 2]) for row in found)


def add_slot(store: Store, anchor_id: int, slot: Slot) -> bool:
    """One more place where the anchor's hash has been proved; False when known, or the anchor is gone."""
    values = {"anchor": anchor_id, **rows.slot_values(slot)}
    if store.row(KNOWN_SLOT, values):
        return False
    with store.writing():
        return store.run(INSERT_SLOT, values) > 0


def anchored_paths(store: Store) -> list[tuple[str, Seen | None]]:
    """Every file a live anchor may be in (written, proved, followed) with what this checkout last saw, by path."""
    return [(unpacked(row[0]), None if row[1] is None else seen_of(row)) for row in store.rows(PATHS)]


def textless(store: Store) -> list[Anchor]:
    """Of live imported memories: the anchors of symbols that no anchored text is kept of."""
    return [rows.anchor_of(row) for row in store.rows(TEXTLESS)]


def put_texts(store: Store, texts: Mapping[int, str]) -> None:
    """The anchored text of anchors that have none. Within `writing`."""
    for anchor_id, text in texts.items():
        store.run(INSERT_TEXT, {"anchor": anchor_id, "content": rows.text_stored(text)})


def live_count(store: Store) -> int:
    return int(store.rows(LIVE_COUNT)[0][0])


def put(store: Store, seq: int, wanted: tuple[Anchor, ...]) -> None:
    """Makes these the anchors of a memory row; those equal to stored ones keep their row. Within `writing`."""
    memory = {a.id: a for a in _stored(store, seq)}
    kept: set[int] = set()
    fresh: list[tuple[int, Anchor]] = []
    for position, anchor in enumerate(wanted):
        same = next((a for a in memory.values() if a.id not in kept and _same(a, anchor)), None)
        if same is None:
            fresh.append((position, anchor))
        else:
            kept.add(same.id)
            store.run(MOVE, {"anchor": same.id, "position": position})
    store.run(DELETE, {"ids": listed(memory.keys() - kept)})
    add(store, ((seq, position, anchor) for position, anchor in fresh))


STORED = """
SELECT a.*, t.content FROM anchor_rows a LEFT JOIN main.anchored_text t ON t.anchor = a.anchor
WHERE a.memory = :seq ORDER BY a.position
"""


def _stored(store: Store, seq: int) -> list[Anchor]:
    return [rows.anchor_of(row, row[rows.ANCHOR_WIDTH + 2]) for row in store.rows(STORED, {"seq": seq})]


def _same(stored: Anchor, given: Anchor) -> bool:
    """Equal in all that was written. A given anchor without text may come from a search, which leaves it out."""
    text = stored.text if given.text is None and given.id == stored.id else given.text
    return replace(stored, id=0, slots=()) == replace(given, id=0, slots=(), text=text)


def add(store: Store, new: Iterable[tuple[int, int, Anchor]]) -> None:
    """More anchors of memory rows: (row, position, anchor). Within `writing`."""
    made: list[Values] = []
    texts: list[Values] = []
    slots: list[Values] = []
    for seq, position, anchor in new:
        number = int.from_bytes(os.urandom(8)) >> (64 - ID_BITS)
        made.append({"id": number, **rows.anchor_values(seq, position, anchor)})
        if anchor.text is not None:
            texts.append({"anchor": number, "content": rows.text_stored(anchor.text)})
        for place, slot in enumerate(dict.fromkeys((anchor.slot, *anchor.slots))):
            slots.append({"anchor": number, "position": place, "memory": seq, **rows.slot_values(slot)})
    store.run_many(INSERT, made)
    store.run_many(INSERT_TEXT, texts)
    store.run_many(INSERT_FIRST_SLOT, slots)


def _held(row: Row) -> Held:
    text, memory, revision, body = row[rows.ANCHOR_WIDTH + 2 :]
    return Held(rows.anchor_of(row, text), memory, revision, unpacked(body))

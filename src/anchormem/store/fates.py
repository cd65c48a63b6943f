"""Fates of anchors in this checkout, and what to resolve again. Derived: losing them costs a resolution each."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from anchormem.model import Change, Digest, Fate, Slot
from anchormem.store.db import Store
from anchormem.store.odd_text import digests as digest_list
from anchormem.store.odd_text import listed, unpacked
from anchormem.store.opening import Row, SqlValue
from anchormem.store.rows import slots_json, slots_of

FATE_WIDTH = 19  # columns of checkout.fates
GET = "SELECT f.* FROM json_each(:anchors) wanted CROSS JOIN checkout.fates f ON f.anchor = wanted.value"
GET_ALL = "SELECT * FROM checkout.fates"
PUT = """
INSERT OR REPLACE INTO checkout.fates (
  anchor, revision, name, reason, at_path, at_qualified, at_disambiguator, candidates, doc_changed, summary, touches,
  change_commit, detail, proven, seen_body, seen_content, seen_commit, twins, restamp
) VALUES (
  :anchor, :revision, :name, :reason, :at_path, :at_qualified, :at_disambiguator, :candidates, :doc_changed, :summary,
  :touches, :change_commit, :detail, :proven, :seen_body, :seen_content, :seen_commit, :twins, :restamp
)
"""
OUTDATE_IN = """
UPDATE checkout.fates SET revision = -1
WHERE anchor IN (
  SELECT s.anchor FROM json_each(:paths) w CROSS JOIN main.slots s ON s.path = w.value AND s.live = 1
  UNION
  SELECT f.anchor FROM json_each(:paths) w CROSS JOIN checkout.fates f ON f.at_path = w.value
)
"""
OUTDATED = """
WITH suspects AS (
  SELECT u.anchor FROM unsettled u
  UNION
  SELECT f.anchor FROM checkout.fates f INDEXED BY fates_outdated WHERE f.revision < 0
  UNION
  SELECT s.anchor FROM json_each(:paths) w CROSS JOIN main.slots s ON s.path = w.value AND s.live = 1
  UNION
  SELECT f.anchor FROM json_each(:paths) w CROSS JOIN checkout.fates f ON f.at_path = w.value
  UNION
  SELECT a.id FROM json_each(:bodies) w CROSS JOIN main.anchors a ON a.body = digest(w.value)
  UNION
  SELECT f.anchor FROM json_each(:bodies) w CROSS JOIN checkout.fates f ON f.seen_body = digest(w.value)
  UNION
  SELECT f.anchor FROM checkout.fates f INDEXED BY fates_unwell
  WHERE f.name <> 'fresh' AND (:paths <> '[]' OR :bodies <> '[]')
)
SELECT a.id
FROM suspects
CROSS JOIN main.anchors a ON a.id = suspects.anchor
CROSS JOIN main.memories m ON m.seq = a.memory
WHERE m.superseded_by = '' AND m.forgotten_at = 0
ORDER BY a.id
"""
SETTLE = """
INSERT INTO checkout.settled (row, memory, anchor, change, salt)
SELECT
  1,
  coalesce((SELECT max(a.memory) FROM main.anchors a), 0),
  coalesce((SELECT a.id FROM main.anchors a ORDER BY a.memory DESC, a.position DESC LIMIT 1), 0),
  coalesce((SELECT max(r.rowid) FROM main.revisions r), 0),
  coalesce((SELECT substr(r.state, -8) FROM main.revisions r ORDER BY r.rowid DESC LIMIT 1), x'')
WHERE NOT EXISTS (SELECT 1 FROM unsettled)
ON CONFLICT (row) DO UPDATE SET
  memory = excluded.memory, anchor = excluded.anchor, change = excluded.change, salt = excluded.salt
WHERE memory <> excluded.memory OR anchor <> excluded.anchor OR change <> excluded.change OR salt <> excluded.salt
"""
OUTDATE = "UPDATE checkout.fates SET revision = -1 WHERE anchor IN (SELECT value FROM json_each(:anchors))"
OUTDATE_ALL = "UPDATE checkout.fates SET revision = -1"
ORPHANS = """
SELECT f.anchor FROM checkout.fates f WHERE NOT EXISTS (SELECT 1 FROM main.anchors a WHERE a.id = f.anchor)
"""
DROP = "DELETE FROM checkout.fates WHERE anchor IN (SELECT value FROM json_each(:anchors))"
TALLY = """
SELECT coalesce(f.name, 'pending') AS fate, count(*)
FROM main.memories m
CROSS JOIN main.anchors a ON a.memory = m.seq
LEFT JOIN checkout.fates f ON f.anchor = a.id
WHERE m.superseded_by = '' AND m.forgotten_at = 0
GROUP BY fate ORDER BY fate
"""
LOST = """
SELECT count(*)
FROM checkout.fates f INDEXED BY fates_lost
CROSS JOIN main.anchors a ON a.id = f.anchor
CROSS JOIN main.memories m ON m.seq = a.memory
WHERE f.at_path IS NULL AND m.superseded_by = '' AND m.forgotten_at = 0
"""


class Restamp(NamedTuple):
    """An anchor's hashes under a newer recipe, found equal to what was written. Never written to the memory."""

    epoch: str
    body: Digest | None = None
    signature: Digest | None = None
    doc: Digest | None = None
    normal: Digest | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class FateRow:
    """All that a checkout keeps of one anchor. `revision`: of the memory it was computed for (Held.revision)."""

    anchor: int
    revision: int
    fate: Fate
    proven: Slot | None = None  # where the hash was proved last, here
    seen_body: Digest | None = None  # last body seen fresh (aspect and quote anchors)
    seen_content: Digest | None = None  # of the file it was in then; None where another file held the same
    seen_commit: str = ""  # HEAD when the code was last seen here, "" when never seen committed
    twins: tuple[Slot, ...] = ()  # other places that held an equal body while the slot did
    restamp: Restamp | None = None


def get(store: Store, anchors: Iterable[int]) -> dict[int, FateRow]:
    """Those that have a row, by anchor id."""
    return {row[0]: _fate_row(row) for row in store.rows(GET, {"anchors": listed(anchors)})}


def get_all(store: Store) -> dict[int, FateRow]:
    """All rows, by anchor id; those of memories no longer live included."""
    return {row[0]: _fate_row(row) for row in store.rows(GET_ALL)}


def put_many(store: Store, rows: Iterable[FateRow]) -> None:
    """Each row whole, in the place of the earlier one."""
    with store.deriving():
        store.run_many(PUT, (_values(row) for row in rows))


def settle(store: Store) -> None:
    """Where no anchor lacks its row, lets `outdated` look no further back than to what the memories are now.

    In the `deriving` of the rows: a change of the memories between the two would be missed for good.
    """
    with store.deriving():
        store.run(SETTLE)


def outdated(store: Store, changed_paths: Iterable[str] = (), changed_bodies: Iterable[Digest] = ()) -> list[int]:
    """Ids of live anchors to resolve again, sorted.

    No row, or one of another revision of the memory; written, proved or now in a changed path; written with (or last
    seen with) a changed body. When anything changed, also all that are not fresh.
    """
    values = {"paths": listed(changed_paths), "bodies": digest_list(changed_bodies)}
    return [row[0] for row in store.rows(OUTDATED, values)]


def outdate(store: Store, anchors: Iterable[int] | None = None) -> None:
    """Makes these (None: all) be resolved again, keeping what was seen and proved."""
    with store.deriving():
        if anchors is None:
            store.run(OUTDATE_ALL)
        else:
            store.run(OUTDATE, {"anchors": listed(anchors)})


def outdate_in(store: Store, paths: Iterable[str]) -> None:
    """Makes the anchors written, proved or now in these files be resolved again, keeping what was seen and proved."""
    with store.deriving():
        store.run(OUTDATE_IN, {"paths": listed(paths)})


def drop_orphans(store: Store) -> int:
    """Removes rows of anchors that no longer exist. How many."""
    orphans = [row[0] for row in store.rows(ORPHANS)]
    if orphans:
        with store.deriving():
            store.run(DROP, {"anchors": listed(orphans)})
    return len(orphans)


def tally(store: Store) -> dict[str, int]:
    """Anchors of live memories by fate name; `pending` for those without a row."""
    return dict(store.rows(TALLY))


def lost(store: Store) -> int:
    """Anchors of live memories that nothing answers for where they are looked for."""
    return int(store.rows(LOST)[0][0])


def fate_of(row: Row) -> Fate:
    """From the first thirteen columns of checkout.fates."""
    return Fate(
        name=row[2],
        reason=row[3],
        at=None if row[4] is None else Slot(unpacked(row[4]), unpacked(row[5]), unpacked(row[6])),
        candidates=tuple(unpacked(each) for each in json.loads(row[7])) if row[7] != "[]" else (),
        doc_changed=bool(row[8]),
        change=Change(unpacked(row[9]), bool(row[10]), row[11]),
        detail=unpacked(row[12]),
    )


def _fate_row(row: Row) -> FateRow:
    return FateRow(
        anchor=row[0],
        revision=row[1],
        fate=fate_of(row),
        proven=slots_of(row[13])[0] if row[13] else None,
        seen_body=row[14],
        seen_content=row[15],
        seen_commit=row[16],
        twins=slots_of(row[17]),
        restamp=_restamp_of(row[18]),
    )


def _values(row: FateRow) -> dict[str, SqlValue]:
    fate, at = row.fate, row.fate.at
    return {
        "anchor": row.anchor,
        "revision": row.revision,
        "name": fate.name,
        "reason": fate.reason,
        "at_path": at.path if at else None,
        "at_qualified": at.qualified if at else None,
        "at_disambiguator": at.disambiguator if at else None,
        "candidates": listed(fate.candidates),
        "doc_changed": fate.doc_changed,
        "summary": fate.change.summary,
        "touches": fate.change.touches,
        "change_commit": fate.change.commit,
        "detail": fate.detail,
        "proven": slots_json((row.proven,)) if row.proven else None,
        "seen_body": row.seen_body,
        "seen_content": row.seen_content,
        "seen_commit": row.seen_commit,
        "twins": slots_json(row.twins),
        "restamp": _restamp_json(row.restamp),
    }


def _restamp_json(restamp: Restamp | None) -> str | None:
    if restamp is None:
        return None
    hashes = (restamp.body, restamp.signature, restamp.doc, restamp.normal)
    return listed([restamp.epoch, restamp.tokens, *(each.hex() if each else None for each in hashes)])


def _restamp_of(text: str | None) -> Restamp | None:
    if text is None:
        return None
    saved: list[Any] = json.loads(text)
    body, signature, doc, normal = (bytes.fromhex(each) if each else None for each in saved[2:])
    return Restamp(saved[0], body, signature, doc, normal, saved[1])

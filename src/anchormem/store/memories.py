"""Memories as wholes: written, read, archived, forgotten. Knows nothing of lists, links between them, or history."""

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed

from anchormem.errors import Duplicate, NotFound, Refused
from anchormem.model import Memory
from anchormem.store import anchors, indexing, revisions, rows
from anchormem.store.db import Store
from anchormem.store.odd_text import listed, packed, unpacked
from anchormem.store.opening import Row

GET = """
SELECT m.* FROM json_each(:ids) wanted CROSS JOIN memory_rows m ON m.id = wanted.value ORDER BY wanted.key
"""
ANCHORS = """
SELECT a.*, t.content
FROM json_each(:seqs) wanted
CROSS JOIN anchor_rows a ON a.memory = wanted.value
LEFT JOIN main.anchored_text t ON t.anchor = a.anchor
ORDER BY a.memory, a.position
"""
BEGINNING = "SELECT id FROM main.memories WHERE id >= :prefix AND id < :end ORDER BY id LIMIT 4"
BY_ORIGIN = """
SELECT m.origin, m.id
FROM json_each(:origins) wanted CROSS JOIN main.memories m ON m.origin = wanted.value AND m.origin <> ''
"""
TAKEN = "SELECT m.id FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value LIMIT 1"
SEQ = "SELECT seq FROM main.memories WHERE id = :id"
INSERT = """
INSERT INTO main.memories (
  id, kind, body, source, confidence, created_at, updated_at, author, client, session, origin, private, archived,
  imported, superseded_by, forgotten_at
) VALUES (
  :id, :kind, :body, :source, :confidence, :created_at, :updated_at, :author, :client, :session, :origin, :private,
  :archived, :imported, :superseded_by, :forgotten_at
)
"""
SEQS = """
SELECT m.seq FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value ORDER BY wanted.key
"""
UPDATE = """
UPDATE main.memories SET
  kind = :kind, body = :body, source = :source, confidence = :confidence, created_at = :created_at,
  updated_at = :updated_at, author = :author, client = :client, session = :session, origin = :origin,
  private = :private, archived = :archived, imported = :imported, superseded_by = :superseded_by,
  forgotten_at = :forgotten_at, revision = revision + 1
WHERE id = :id
"""
DELETE_EVIDENCE = "DELETE FROM main.evidence WHERE memory = :seq"
INSERT_EVIDENCE = """
INSERT INTO main.evidence (memory, command, output, digest, exit_code, made_at, approved)
VALUES (:memory, :command, :output, :digest, :exit_code, :made_at, :approved)
"""
DELETE_LINKS = "DELETE FROM main.links WHERE memory = :seq"
INSERT_LINK = """
INSERT OR IGNORE INTO main.links (memory, target, rel, position) VALUES (:seq, :target, :rel, :position)
"""
TOMBSTONES = """
SELECT seq FROM main.memories WHERE forgotten_at > 0 AND forgotten_at < :before AND purged = 0
"""
IS_PURGED = "SELECT purged FROM main.memories WHERE id = :id"
EMPTY = """
UPDATE main.memories SET body = '', client = '', session = '', purged = 1, revision = revision + 1
WHERE seq IN (SELECT value FROM json_each(:seqs))
"""
STAMPS = """
SELECT m.id, CASE WHEN m.forgotten_at > 0 THEN m.forgotten_at ELSE m.updated_at END, m.private FROM main.memories m
"""
EMPTY_EVIDENCE = "DELETE FROM main.evidence WHERE memory IN (SELECT value FROM json_each(:seqs))"
EMPTY_ANCHORS = "DELETE FROM main.anchors WHERE memory IN (SELECT value FROM json_each(:seqs))"
EMPTY_LINKS = "DELETE FROM main.links WHERE memory IN (SELECT value FROM json_each(:seqs))"
EMPTY_HISTORY = "DELETE FROM main.revisions WHERE memory IN (SELECT value FROM json_each(:seqs))"
COUNT_RECALL = """
INSERT INTO main.recalls (memory, times, last_at)
SELECT m.seq, 1, :now FROM json_each(:ids) wanted CROSS JOIN main.memories m ON m.id = wanted.value WHERE true
ON CONFLICT (memory) DO UPDATE SET times = times + 1, last_at = excluded.last_at
"""


IMPORT = "import"  # the act of what another machine did, at its own time


def insert(store: Store, memory: Memory) -> Memory:
    """Stores a new memory whole and gives it back with anchor ids. Duplicate: its id or origin is taken.

    Links are stored as given, without effect on their targets (links.supersede does that).
    """
    with store.writing():
        insert_many(store, (memory,))
        return one(store, memory.id)


def insert_many(store: Store, new: Sequence[Memory]) -> list[int]:
    """The same for many at once, all of them or none; their rows."""
    with store.writing():
        ids = listed(memory.id for memory in new)
        if taken := store.row(TAKEN, {"ids": ids}):
            raise Duplicate(f"there is a memory {taken[0]} already", "")
        _refuse_taken_origins(store, new)
        store.run_many(INSERT, map(rows.memory_values, new))
        seqs = [int(row[0]) for row in store.rows(SEQS, {"ids": ids})]
        _add_evidence_and_links(store, zip(seqs, new, strict=True))
        anchored = zip(seqs, new, strict=True)
        anchors.add(store, ((seq, at, held) for seq, memory in anchored for at, held in enumerate(memory.anchors)))
        indexing.index_new(store, seqs)
        return seqs


def replace(store: Store, memory: Memory, act: str, now: int) -> Memory:
    """Puts `memory` in the place of the one with its id, keeping the old state as a Revision made by `act` at `now`.

    Everything is replaced, anchors, links and evidence included. `memory.updated_at` is stored as given where it is
    later than before, and as the next moment where it is not: whatever clocks say, a later act counts as later. Only
    what comes by `import` keeps its time. Anchors equal to stored ones in all that was written (their `id` and proved
    `slots` apart) keep row, id and proved slots. NotFound; Duplicate when another memory has the origin.
    """
    with store.writing():
        before = one(store, memory.id)
        if act != IMPORT:
            memory = changed(memory, updated_at=max(memory.updated_at, before.updated_at + 1))
        _refuse_taken_origins(store, (memory,))
        seq = seq_of(store, memory.id)
        revisions.keep(store, seq, before, act, now)
        store.run(UPDATE, rows.memory_values(memory))
        _put_parts(store, seq, memory)
        return one(store, memory.id)


def get(store: Store, ids: Iterable[str]) -> list[Memory]:
    """Whole memories in the given order, unknown ids left out; forgotten, superseded and archived ones included."""
    return whole(store, store.rows(GET, {"ids": listed(dict.fromkeys(ids))}))


def one(store: Store, memory_id: str) -> Memory:
    """One whole memory by its exact id. NotFound."""
    found = get(store, (memory_id,))
    if not found:
        raise no_such(memory_id)
    return found[0]


def resolve_prefix(store: Store, prefix: str, *, exact_only: bool = False) -> str:
    """The id that `prefix` (case ignored) is, or uniquely begins.

    NotFound; Refused when several ids begin with it, or when it is not a whole id with `exact_only`.
    """
    wanted = prefix.strip().lower()
    found = [row[0] for row in store.rows(BEGINNING, {"prefix": wanted, "end": wanted + "{"})] if wanted else []
    if not found:
        raise no_such(prefix)
    if wanted in found:
        return wanted
    if exact_only:
        raise Refused(f"`{prefix}` is only the beginning of an id", f"give the whole id: {', '.join(found)}")
    if len(found) > 1:
        raise Refused(f"several ids begin with `{prefix}`", f"give more of it: {', '.join(found)}")
    return str(found[0])


def by_origin(store: Store, origin: str) -> str | None:
    """The id of the memory with this origin (forgotten ones too); None for "" too."""
    return by_origins(store, (origin,)).get(origin)


def by_origins(store: Store, origins: Iterable[str]) -> dict[str, str]:
    """The same for many: origin → id, where there is one."""
    wanted = {origin for origin in origins if origin}
    return (
        {unpacked(row[0]): row[1] for row in store.rows(BY_ORIGIN, {"origins": listed(map(packed, wanted))})}
        if wanted
        else {}
    )


def set_archived(store: Store, memory_id: str, now: int, *, archived: bool) -> bool:
    """True when that changed something (then with a Revision). NotFound."""
    with store.writing():
        memory = one(store, memory_id)
        if memory.archived == archived:
            return False
        after = changed(memory, archived=archived, updated_at=now)
        replace(store, after, "archive" if archived else "restore", now)
        return True


def forget(store: Store, memory_id: str, now: int) -> Memory:
    """Gone from every answer: a tombstone, recoverable until it is purged. Gives the memory as it was.

    NotFound; a forgotten one counts as not there.
    """
    with store.writing():
        memory = one(store, memory_id)
        if memory.forgotten_at:
            raise NotFound(f"{memory_id} is forgotten already", "`admin restore` brings it back")
        at = max(now, memory.updated_at + 1)
        replace(store, changed(memory, forgotten_at=at, updated_at=at), "forget", now)
        return memory


def entomb(store: Store, new: Sequence[Memory]) -> None:
    """Stores tombstones of memories that were never here, so that they cannot come back. Duplicate: an id is here."""
    with store.writing():
        store.run(EMPTY, {"seqs": listed(insert_many(store, new))})


def unforget(store: Store, memory_id: str, now: int) -> Memory:
    """Takes a tombstone back. NotFound when there is none; Refused when it has been purged."""
    with store.writing():
        memory = one(store, memory_id)
        if not memory.forgotten_at:
            raise NotFound(f"{memory_id} is not forgotten", "")
        if store.rows(IS_PURGED, {"id": memory_id})[0][0]:
            raise Refused(f"{memory_id} was forgotten too long ago: its content is gone", "write it anew")
        return replace(store, changed(memory, forgotten_at=0, updated_at=now), "restore", now)


def purge(store: Store, before: int) -> int:
    """Empties tombstones made before `before`; how many.

    Body, evidence, anchors, links and history go; id, kind, origin and dates stay.
    """
    with store.writing():
        seqs = listed(row[0] for row in store.rows(TOMBSTONES, {"before": before}))
        for statement in (EMPTY_EVIDENCE, EMPTY_ANCHORS, EMPTY_LINKS, EMPTY_HISTORY):
            store.run(statement, {"seqs": seqs})
        return store.run(EMPTY, {"seqs": seqs})


def stamps(store: Store) -> dict[str, tuple[int, bool]]:
    """Of every memory: when it was last changed or forgotten, and whether it is private."""
    return {row[0]: (row[1], bool(row[2])) for row in store.rows(STAMPS)}


def count_recalls(store: Store, ids: Iterable[str], now: int) -> None:
    """One more recall for each; changes nothing else of them."""
    with store.writing():
        store.run(COUNT_RECALL, {"ids": listed(dict.fromkeys(ids)), "now": now})


def whole(store: Store, found: list[Row]) -> list[Memory]:
    """Memories with anchors from rows of memory_rows, in their order."""
    held: dict[int, list[Row]] = {row[0]: [] for row in found}
    for row in store.rows(ANCHORS, {"seqs": listed(held)}):
        held[row[rows.ANCHOR_WIDTH]].append(row)
    return [rows.memory_of(row, (rows.anchor_of(a, a[rows.ANCHOR_WIDTH + 2]) for a in held[row[0]])) for row in found]


def seq_of(store: Store, memory_id: str) -> int:
    """The row of a memory. NotFound."""
    row = store.row(SEQ, {"id": memory_id})
    if row is None:
        raise no_such(memory_id)
    return int(row[0])


def no_such(memory_id: str) -> NotFound:
    return NotFound(f"there is no memory {memory_id or '(empty id)'}", "see `admin list`")


def _refuse_taken_origins(store: Store, wanted: Sequence[Memory]) -> None:
    holders = by_origins(store, (memory.origin for memory in wanted))
    for memory in wanted:
        holder = holders.setdefault(memory.origin, memory.id) if memory.origin else memory.id
        if holder != memory.id:
            raise Duplicate(f"the origin {memory.origin} belongs to {holder}", f"update {holder} instead")


def _put_parts(store: Store, seq: int, memory: Memory) -> None:
    store.run(DELETE_EVIDENCE, {"seq": seq})
    store.run(DELETE_LINKS, {"seq": seq})
    _add_evidence_and_links(store, ((seq, memory),))
    anchors.put(store, seq, memory.anchors)
    indexing.index(store, seq)


def _add_evidence_and_links(store: Store, new: Iterable[tuple[int, Memory]]) -> None:
    held = list(new)
    store.run_many(
        INSERT_EVIDENCE, (rows.evidence_values(seq, memory.evidence) for seq, memory in held if memory.evidence)
    )
    store.run_many(
        INSERT_LINK,
        (
            {"seq": seq, "target": link.target, "rel": link.rel, "position": position}
            for seq, memory in held
            for position, link in enumerate(memory.links)
        ),
    )

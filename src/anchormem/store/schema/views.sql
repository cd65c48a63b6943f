-- The shapes in which rows become values, as temporary views of each connection: one place for the order of columns.

CREATE TEMP VIEW memory_rows AS
SELECT
  m.seq, m.id, m.kind, m.body, m.source, m.confidence, m.created_at, m.updated_at, m.author, m.client, m.session,
  m.origin, m.private, m.archived, m.imported, m.superseded_by, m.forgotten_at,
  e.command, e.output, e.digest, e.exit_code, e.made_at, e.approved,
  (
    SELECT json_group_array(json_array(target, rel))
    FROM (SELECT l.target, l.rel FROM main.links l WHERE l.memory = m.seq ORDER BY l.position, l.target, l.rel)
  ) AS links
FROM main.memories m
LEFT JOIN main.evidence e ON e.memory = m.seq;

-- `slots` NULL: the written one alone.
CREATE TEMP VIEW anchor_rows AS
SELECT
  a.id AS anchor, a.path, a.qualified, a.disambiguator, a.aspect, a.epoch, a.body AS anchored_body, a.signature, a.doc,
  a.raw, a.normal, a.tokens, a.kind AS symbol_kind, a.quote, a.quote_tokens, a.quote_count, a.damaged, a.file_damaged,
  a.written_commit, a.dirty, a.twins,
  CASE WHEN EXISTS (SELECT 1 FROM main.slots s WHERE s.anchor = a.id AND s.position = 1) THEN (
    SELECT json_group_array(json_array(path, qualified, disambiguator))
    FROM (
      SELECT s.path, s.qualified, s.disambiguator FROM main.slots s WHERE s.anchor = a.id ORDER BY s.position
    )
  ) END AS slots,
  a.memory, a.position
FROM main.anchors a;

-- Both sides of a `contradicts` link while both stand. The plus signs keep SQLite from walking all that stand.
CREATE TEMP VIEW contradictions AS
SELECT says.seq AS by_seq, says.id AS by_id, of.seq AS of_seq, of.id AS of_id
FROM main.links l
JOIN main.memories says ON says.seq = l.memory
JOIN main.memories of ON of.id = l.target
WHERE l.rel = 'contradicts'
  AND +says.superseded_by = '' AND +says.forgotten_at = 0 AND +says.archived = 0
  AND +of.superseded_by = '' AND +of.forgotten_at = 0 AND +of.archived = 0;

-- A memory with each anchor and its fate: 24 + 3 + 22 + 19 columns, then memory and position of the anchor.
CREATE TEMP VIEW hit_rows AS
SELECT
  m.*,
  (SELECT r.times FROM main.recalls r WHERE r.memory = m.seq) AS recalls,
  (SELECT json_group_array(c.by_id) FROM contradictions c WHERE c.of_seq = m.seq) AS contradicted,
  (SELECT json_group_array(c.of_id) FROM contradictions c WHERE c.by_seq = m.seq) AS contradicting,
  a.anchor, a.path, a.qualified, a.disambiguator, a.aspect, a.epoch, a.anchored_body, a.signature, a.doc,
  a.raw, a.normal, a.tokens, a.symbol_kind, a.quote, a.quote_tokens, a.quote_count, a.damaged, a.file_damaged,
  a.written_commit, a.dirty, a.twins, a.slots,
  f.*,
  a.position
FROM memory_rows m
LEFT JOIN anchor_rows a ON a.memory = m.seq
LEFT JOIN checkout.fates f ON f.anchor = a.anchor;

-- Live anchors without a row for what their memory is now, as far as checkout.settled does not vouch for them: those made
-- since, those of memories changed since, and all where memory.db is not the one that was settled.
CREATE TEMP VIEW unsettled AS
WITH since (memory, change) AS MATERIALIZED (
  SELECT coalesce(max(d.memory), 0), coalesce(max(d.change), 0)
  FROM checkout.settled d
  WHERE d.row = 1
    AND (d.memory = 0 OR EXISTS (SELECT 1 FROM main.anchors a WHERE a.id = d.anchor AND a.memory = d.memory))
    AND (d.change = 0 OR EXISTS (
      SELECT 1 FROM main.revisions r WHERE r.rowid = d.change AND substr(r.state, -8) = d.salt
    ))
),
touched (anchor, memory) AS (
  SELECT a.id, a.memory FROM since CROSS JOIN main.anchors a ON a.memory > since.memory
  UNION ALL
  SELECT a.id, a.memory
  FROM since
  CROSS JOIN main.revisions r ON r.rowid > since.change AND since.memory > 0
  CROSS JOIN main.anchors a ON a.memory = r.memory
)
SELECT t.anchor
FROM touched t
CROSS JOIN main.memories m ON m.seq = t.memory
LEFT JOIN checkout.fates f ON f.anchor = t.anchor
WHERE m.superseded_by = '' AND m.forgotten_at = 0
  AND (f.anchor IS NULL OR (f.revision <> m.revision AND f.revision >= 0));

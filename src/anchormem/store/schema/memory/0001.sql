-- memory.db: what people and agents meant to keep. Changed only by a further numbered file.

PRAGMA application_id = 1095650609;

CREATE TABLE memories (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  source TEXT NOT NULL,
  confidence REAL NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  client TEXT NOT NULL,
  session TEXT NOT NULL,
  origin TEXT NOT NULL,
  private INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  superseded_by TEXT NOT NULL,
  forgotten_at INTEGER NOT NULL,
  purged INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX memories_origin ON memories (origin) WHERE origin <> '';
CREATE INDEX memories_changed ON memories (updated_at DESC, id);
-- What is alive, for counts and for walks that need no more of a memory than its revision.
CREATE INDEX memories_standing ON memories (superseded_by, forgotten_at, archived, revision);
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by <> '';

CREATE TABLE evidence (
  memory INTEGER PRIMARY KEY REFERENCES memories (seq) ON DELETE CASCADE,
  command TEXT NOT NULL,
  output TEXT NOT NULL,
  digest BLOB NOT NULL,
  exit_code INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  approved INTEGER NOT NULL
);

-- The target may be a memory that has not arrived yet.
CREATE TABLE links (
  memory INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE,
  target TEXT NOT NULL,
  rel TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (memory, target, rel)
) WITHOUT ROWID;
CREATE INDEX links_target ON links (target, rel);

-- Ids are random, so that a fate of this id in a derived file never means another anchor, not even after a backup came back.
CREATE TABLE anchors (
  id INTEGER PRIMARY KEY,
  memory INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  qualified TEXT NOT NULL,
  disambiguator TEXT NOT NULL,
  aspect TEXT NOT NULL,
  epoch TEXT NOT NULL,
  body BLOB,
  signature BLOB,
  doc BLOB,
  raw BLOB,
  normal BLOB,
  tokens INTEGER NOT NULL,
  kind TEXT NOT NULL,
  quote TEXT NOT NULL,
  quote_tokens TEXT NOT NULL,
  quote_count INTEGER NOT NULL,
  damaged INTEGER NOT NULL,
  file_damaged INTEGER NOT NULL,
  written_commit TEXT NOT NULL,
  dirty INTEGER NOT NULL,
  twins TEXT NOT NULL
);
CREATE INDEX anchors_memory ON anchors (memory, position);
CREATE INDEX anchors_body ON anchors (body);

-- Compressed, and apart from the anchors so that they stay short.
CREATE TABLE anchored_text (
  anchor INTEGER PRIMARY KEY REFERENCES anchors (id) ON DELETE CASCADE,
  content BLOB NOT NULL
);

-- Where an anchor's hash has been proved, the written slot first. `live`: its memory is neither forgotten nor superseded.
CREATE TABLE slots (
  anchor INTEGER NOT NULL REFERENCES anchors (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  qualified TEXT NOT NULL,
  disambiguator TEXT NOT NULL,
  folder TEXT NOT NULL,
  live INTEGER NOT NULL,
  PRIMARY KEY (anchor, position)
) WITHOUT ROWID;
CREATE INDEX slots_place ON slots (path, qualified, disambiguator, live) WHERE live = 1;
CREATE INDEX slots_folder ON slots (folder) WHERE live = 1;

CREATE TABLE revisions (
  memory INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  act TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (memory, number)
);

CREATE TABLE recalls (
  memory INTEGER PRIMARY KEY REFERENCES memories (seq) ON DELETE CASCADE,
  times INTEGER NOT NULL,
  last_at INTEGER NOT NULL
);

CREATE TABLE ledger (
  session TEXT PRIMARY KEY,
  recalls INTEGER NOT NULL,
  served INTEGER NOT NULL,
  saved INTEGER NOT NULL,
  reads_avoided INTEGER NOT NULL,
  first_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE questions (
  digest BLOB NOT NULL,
  session TEXT NOT NULL,
  PRIMARY KEY (session, digest)
) WITHOUT ROWID;

CREATE TABLE marks (
  name TEXT PRIMARY KEY,
  content TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE checkouts (
  path TEXT PRIMARY KEY,
  checkout_key TEXT NOT NULL,
  common_dir TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE identities (
  identity TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) WITHOUT ROWID;

-- Terms made by text.terms, one row a memory that a recall may find; rowid is memories.seq.
CREATE VIRTUAL TABLE search USING fts5(body, names, paths, commands, tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab('search', 'row');

PRAGMA user_version = 1;

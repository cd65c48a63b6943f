-- checkouts/<key>.db: what one working tree looks like. Derived: thrown away when this text changes.

PRAGMA checkout.application_id = 1095650611;

CREATE TABLE checkout.about (
  name TEXT PRIMARY KEY,
  content TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE checkout.files (
  path TEXT PRIMARY KEY,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  looked_ns INTEGER NOT NULL,
  content BLOB,
  language TEXT NOT NULL,
  status TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX checkout.files_content ON files (content, language);
CREATE INDEX checkout.files_failed ON files (path) WHERE status IN ('too_large', 'unreadable');

CREATE TABLE checkout.stamps (
  name TEXT PRIMARY KEY,
  content TEXT NOT NULL
) WITHOUT ROWID;

-- `revision` -1: to be resolved again.
CREATE TABLE checkout.fates (
  anchor INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  at_path TEXT,
  at_qualified TEXT,
  at_disambiguator TEXT,
  candidates TEXT NOT NULL,
  doc_changed INTEGER NOT NULL,
  summary TEXT NOT NULL,
  touches INTEGER NOT NULL,
  change_commit TEXT NOT NULL,
  detail TEXT NOT NULL,
  proven TEXT,
  seen_body BLOB,
  seen_content BLOB,
  seen_commit TEXT NOT NULL,
  twins TEXT NOT NULL,
  restamp TEXT
);
CREATE INDEX checkout.fates_at ON fates (at_path) WHERE at_path IS NOT NULL;
CREATE INDEX checkout.fates_followed ON fates (at_path, name) WHERE name = 'followed';
CREATE INDEX checkout.fates_seen ON fates (seen_body) WHERE seen_body IS NOT NULL;
CREATE INDEX checkout.fates_unwell ON fates (name) WHERE name <> 'fresh';
CREATE INDEX checkout.fates_lost ON fates (at_path) WHERE at_path IS NULL;
CREATE INDEX checkout.fates_outdated ON fates (anchor) WHERE revision < 0;

-- How far the memories were resolved here: every live anchor of a memory up to `memory` that has no revision after
-- `change` has its row. `anchor` and `salt` are random and stand in those two, in no other history of memory.db.
CREATE TABLE checkout.settled (
  row INTEGER PRIMARY KEY,
  memory INTEGER NOT NULL,
  anchor INTEGER NOT NULL,
  change INTEGER NOT NULL,
  salt BLOB NOT NULL
);

-- Another number whenever a fate changes; no other file ever has the same. Rows of fates are put whole and taken out;
-- what is changed in place, `revision`, is not shown to anybody.
CREATE TABLE checkout.told (
  row INTEGER PRIMARY KEY,
  changes INTEGER NOT NULL
);
INSERT INTO checkout.told (row, changes) VALUES (1, random() / 2);
CREATE TRIGGER checkout.fates_put AFTER INSERT ON fates BEGIN UPDATE told SET changes = changes + 1; END;
CREATE TRIGGER checkout.fates_dropped AFTER DELETE ON fates BEGIN UPDATE told SET changes = changes + 1; END;

-- facts.db: what is known of code, by content. Derived: thrown away when this text changes.

PRAGMA facts.application_id = 1095650610;

CREATE TABLE facts.about (
  name TEXT PRIMARY KEY,
  content TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO facts.about (name, content) VALUES ('made', hex(randomblob(8)));  -- no other file ever has the same

-- `calls`, `imports`, `bases`: compressed lists (store/fact_codec). `used`: 0 while in use, else the prune that found it idle.
CREATE TABLE facts.contents (
  id INTEGER PRIMARY KEY,
  content BLOB NOT NULL,
  language TEXT NOT NULL,
  epoch TEXT NOT NULL,
  normal BLOB,
  error_bytes INTEGER NOT NULL,
  symbols INTEGER NOT NULL,
  used INTEGER NOT NULL,
  calls BLOB NOT NULL,
  imports BLOB NOT NULL,
  bases BLOB NOT NULL,
  UNIQUE (content, language)
);
CREATE INDEX facts.contents_normal ON contents (normal) WHERE normal IS NOT NULL;

-- `spelled`: the qualified name where it is not just the name. `head`: packed (store/fact_codec).
CREATE TABLE facts.symbols (
  content INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  spelled TEXT,
  qualified TEXT NOT NULL GENERATED ALWAYS AS (coalesce(spelled, name)) VIRTUAL,
  disambiguator TEXT NOT NULL,
  kind TEXT NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  body BLOB NOT NULL,
  signature BLOB,
  doc BLOB,
  raw BLOB NOT NULL,
  tokens INTEGER NOT NULL,
  head TEXT NOT NULL,
  damaged INTEGER NOT NULL,
  PRIMARY KEY (content, ordinal)
) WITHOUT ROWID;
CREATE INDEX facts.symbols_body ON symbols (body);
CREATE INDEX facts.symbols_name ON symbols (name);

-- Which contents mention a key: role 1 a called name, 2 the last part of a base, 3 of an imported module or name.
CREATE TABLE facts.mentions (
  role INTEGER NOT NULL,
  spelling TEXT NOT NULL,
  content INTEGER NOT NULL,
  PRIMARY KEY (role, spelling, content)
) WITHOUT ROWID;

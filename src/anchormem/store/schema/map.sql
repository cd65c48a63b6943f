-- map.db in the data directory: which store is whose. Derived from what each store recorded in itself.

CREATE TABLE IF NOT EXISTS stores (
  identity TEXT PRIMARY KEY,
  directory TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS checkouts (
  root TEXT NOT NULL,
  directory TEXT NOT NULL,
  checkout_key TEXT NOT NULL,
  common_dir TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (root, directory)
) WITHOUT ROWID;

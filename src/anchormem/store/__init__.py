"""The only room with SQL: memories, facts of code, fates. Knows nothing of MCP, git, tree-sitter or what a fate means.

One noun a file; every function takes an open `Store` (db.open_store) first. Functions that write open the right
transaction themselves; `with store.writing():` (memory.db) or `with store.deriving():` (derived files) around several
of them makes them one. Never one inside the other: a sweep must not hold up `remember`.
"""

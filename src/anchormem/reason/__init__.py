"""Decisions only: pure functions of their arguments. No I/O, no clock, no SQL, no tree-sitter."""

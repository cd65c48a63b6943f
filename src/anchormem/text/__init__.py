"""Pure string helpers: terms, token estimate, secrets, printable text. Knows no file, store, clock or code syntax."""

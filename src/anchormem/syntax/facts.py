"""Everything known of one content under one language: symbols with their hashes, references, imports, inheritance.

One parse, one query, one walk. A pure function of the folded bytes: it never raises on any input. Knows no path.
"""

from anchormem.model import Digest, FileFacts


def content_digest(source: bytes) -> Digest:
    """Digest of a file's content: line ends folded, byte-order mark and final newline ignored."""
    raise NotImplementedError


def raw_digest(text: bytes) -> Digest:
    """Digest of a definition's text: line ends folded."""
    raise NotImplementedError


def facts_of(source: bytes, language: str | None) -> FileFacts:
    """The facts of `source`. `language` None, unknown to the pack, or a text over 512 KB: a file anchor only."""
    raise NotImplementedError

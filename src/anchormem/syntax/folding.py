"""What a file's bytes mean before any grammar: no byte-order mark, line ends folded. Symbols count in this."""

import xxhash

from anchormem.model import Digest

MARK = b"\xef\xbb\xbf"


def fold(source: bytes) -> bytes:
    """`source` without its byte-order mark, with every line end a line feed."""
    source = source.removeprefix(MARK)
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in source else source


def content_digest(source: bytes) -> Digest:
    """Digest of a file's content: line ends folded, byte-order mark and final newline ignored."""
    return xxhash.xxh3_128_digest(fold(source).removesuffix(b"\n"))


def raw_digest(text: bytes) -> Digest:
    """Digest of a definition's text: line ends folded."""
    return xxhash.xxh3_128_digest(fold(text))

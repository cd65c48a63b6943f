"""The formatters of C, C++, Java, Go and Rust: how they are had, their options, what they may change."""

from proof.formatter import Formatter, HandWritten, Rewriting

FORMATTERS: tuple[Formatter, ...] = ()
BY_HAND: tuple[HandWritten, ...] = ()
EXCEPTIONS: tuple[Rewriting, ...] = ()

"""The formatters of PHP, Ruby, Bash and C#: how they are had, their options, and what they may change."""

from proof.formatter import Formatter, HandWritten, Rewriting

FORMATTERS: tuple[Formatter, ...] = ()
BY_HAND: tuple[HandWritten, ...] = ()
EXCEPTIONS: tuple[Rewriting, ...] = ()

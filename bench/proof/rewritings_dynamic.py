"""What the formatters of PHP, Ruby, Bash and C# change beyond the tables, by name, and how each is told."""

from proof.formatter import Rewriting

EXCEPTIONS: tuple[Rewriting, ...] = ()

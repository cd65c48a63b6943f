"""anchormem: a memory for coding agents that knows when it has gone out of date."""

__version__ = "0.1.0"

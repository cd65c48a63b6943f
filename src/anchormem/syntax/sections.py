"""Keys of JSON, YAML and TOML by dotted path: found on demand, never all stored. Markdown headings are ordinary symbols."""

from anchormem.model import Symbol


def find_key(source: bytes, language: str | None, dotted: str) -> Symbol | None:
    """The key named by `dotted` (`scripts.build`, `jobs.test.steps.0`), None when there is none."""
    raise NotImplementedError


def keys(source: bytes, language: str | None, limit: int) -> tuple[Symbol, ...]:
    """The first `limit` keys, outermost levels first: for the closest names and for `map`."""
    raise NotImplementedError

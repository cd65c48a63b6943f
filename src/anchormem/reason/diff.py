"""The unified diff of two texts. Knows nothing of files and commits."""


def unified(old: str, new: str, *, label: str = "", context: int = 3, limit: int = 8000) -> str:
    """A unified diff, "" for equal texts; cut at `limit` characters with a line that says so."""
    raise NotImplementedError

"""The unified diff of two texts. Knows nothing of files and commits."""

from difflib import unified_diff


def unified(old: str, new: str, *, label: str = "", context: int = 3, limit: int = 8000) -> str:
    """A unified diff, "" for equal texts; cut at `limit` characters with a line that says so."""
    lines = unified_diff(
        old.splitlines(), new.splitlines(), f"{label} (anchored)", f"{label} (today)", lineterm="", n=context
    )
    whole = "\n".join(lines)
    if len(whole) <= limit:
        return whole
    shown = whole[:limit].rsplit("\n", 1)[0]
    left = whole.count("\n") - shown.count("\n")
    return f"{shown}\n… {left} more lines"

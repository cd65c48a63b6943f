"""The unified diff of two texts. Knows nothing of files and commits."""

from collections import Counter
from difflib import unified_diff
from posixpath import commonprefix


def aligned(old: str, new: str) -> str:
    """`old` as deep in the margin as `new` where that makes them more alike: code that moved into a class and back.

    The first line of a definition starts where the definition does, so the others tell the margin.
    """
    before, after = _margin(old), _margin(new)
    if before == after or not old:
        return old
    first, *rest = old.splitlines(keepends=True)
    shifted = first + "".join(after + line.removeprefix(before) if line.strip() else line for line in rest)
    return max(old, shifted, key=lambda text: _shared(text, new))


def _margin(text: str) -> str:
    lines = [line for line in text.splitlines()[1:] if line.strip()]
    return commonprefix([line[: len(line) - len(line.lstrip())] for line in lines])


def _shared(one: str, other: str) -> int:
    return (Counter(one.splitlines()) & Counter(other.splitlines())).total()


def unified(old: str, new: str, *, label: str = "", context: int = 3, limit: int = 8000) -> str:
    """A unified diff, "" for equal texts; cut at `limit` characters with a line that says so."""
    lines = unified_diff(
        aligned(old, new).splitlines(),
        new.splitlines(),
        f"{label} (anchored)",
        f"{label} (today)",
        lineterm="",
        n=context,
    )
    whole = "\n".join(lines)
    if len(whole) <= limit:
        return whole
    shown = whole[:limit].rsplit("\n", 1)[0]
    left = whole.count("\n") - shown.count("\n")
    return f"{shown}\n… {left} more lines"

"""Text made safe for a terminal. Knows nothing of where it is printed."""


def printable(text: str) -> str:
    """The text without terminal escape sequences and control characters; newline and tab stay."""
    raise NotImplementedError

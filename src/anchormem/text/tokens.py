"""The one token estimate of the product. Knows nothing of any real tokeniser."""

BYTES_PER_TOKEN = 4


def estimate(content: str | bytes) -> int:
    """Tokens of a text: ceil(UTF-8 bytes / 4). Lone surrogates count as the three bytes they would take."""
    size = len(content) if isinstance(content, bytes) else len(content.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)

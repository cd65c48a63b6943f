"""Many files parsed with every core.

Knows nothing of the store: it gives back looks with their facts, in no order.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from anchormem.model import FileFacts, FileState
from anchormem.project.root import Root
from anchormem.workspace.look import look, parse

# A worker costs about half a second of imports before its first file, and parses as much as this in two.
WORTH_A_POOL_BYTES = 1_000_000
CHUNK_BYTES = 400_000
CHUNK_FILES = 40
MOST_WORKERS = 8


@dataclass(frozen=True, slots=True)
class Parsed:
    """`state` None: the file has gone meanwhile. `facts` None: there is nothing to parse."""

    path: str
    state: FileState | None
    facts: FileFacts | None


Chunk = tuple[str, ...]


def parse_all(
    root: Root,
    sizes: Mapping[str, int],
    extensions: Mapping[str, str],
    now_ns: int,
    cancelled: Callable[[], bool],
) -> Iterator[list[Parsed]]:
    """Parses the files of `sizes` (path → bytes), a chunk at a time, until `cancelled`."""
    chunks = _chunks(sizes)
    if sum(sizes.values()) < WORTH_A_POOL_BYTES:
        yield from _here(root, chunks, extensions, now_ns, cancelled)
        return
    # Whatever has to do with processes is imported where they are wanted: a hook is up and gone before that would be.
    from anchormem.workspace.workers import spread  # noqa: PLC0415 — see above

    act = partial(parse_chunk, root, dict(extensions), now_ns)
    left = dict.fromkeys(chunks)
    for chunk, parsed in spread(act, chunks, min(os.cpu_count() or 1, MOST_WORKERS, len(chunks)), cancelled):
        del left[chunk]
        yield parsed
    yield from _here(root, list(left), extensions, now_ns, cancelled)


def parse_chunk(root: Root, extensions: Mapping[str, str], now_ns: int, chunk: Chunk) -> list[Parsed]:
    """Reads and parses some files. Runs in a worker."""
    return [_parse_one(root, path, extensions, now_ns) for path in chunk]


def _parse_one(root: Root, path: str, extensions: Mapping[str, str], now_ns: int) -> Parsed:
    seen = look(root, path, extensions, now_ns)
    found = parse(seen)
    if found is not None:
        return Parsed(path, *found)
    return Parsed(path, replace(seen.state, language=None) if seen.state is not None else None, None)


def _chunks(sizes: Mapping[str, int]) -> list[Chunk]:
    """Neighbouring files together, no chunk so large that the last one keeps the others waiting."""
    chunks: list[Chunk] = []
    chunk: list[str] = []
    weight = 0
    for path, size in sizes.items():
        if chunk and (weight + size > CHUNK_BYTES or len(chunk) >= CHUNK_FILES):
            chunks.append(tuple(chunk))
            chunk, weight = [], 0
        chunk.append(path)
        weight += size
    return [*chunks, tuple(chunk)] if chunk else chunks


def _here(
    root: Root, chunks: Sequence[Chunk], extensions: Mapping[str, str], now_ns: int, cancelled: Callable[[], bool]
) -> Iterator[list[Parsed]]:
    for chunk in chunks:
        if cancelled():
            return
        yield parse_chunk(root, extensions, now_ns, chunk)

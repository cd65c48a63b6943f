"""Many files parsed with every core: in spawned worker processes, which inherit no thread, lock or connection.

Knows nothing of the store: it gives back looks with their facts, in no order.
"""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from anchormem.model import FileFacts, FileState
from anchormem.project.root import Root
from anchormem.workspace.look import look, parse

# Whatever has to do with processes is imported where a pool is made: a hook is up and gone before that would be.
if TYPE_CHECKING:
    from concurrent.futures import Future

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
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 — see above

    done: set[Chunk] = set()
    try:
        for chunk, parsed in _pooled(root, chunks, extensions, now_ns, cancelled):
            done.add(chunk)
            yield parsed
    except BrokenProcessPool:
        yield from _here(root, [chunk for chunk in chunks if chunk not in done], extensions, now_ns, cancelled)


def parse_chunk(root: Root, chunk: Chunk, extensions: Mapping[str, str], now_ns: int) -> list[Parsed]:
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
        yield parse_chunk(root, chunk, extensions, now_ns)


def _pooled(
    root: Root, chunks: Sequence[Chunk], extensions: Mapping[str, str], now_ns: int, cancelled: Callable[[], bool]
) -> Iterator[tuple[Chunk, list[Parsed]]]:
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait  # noqa: PLC0415 — see above
    from multiprocessing import get_context  # noqa: PLC0415 — see above

    workers = min(os.cpu_count() or 1, MOST_WORKERS, len(chunks))
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_die_with_parent)
    waiting = iter(chunks)
    running: dict[Future[list[Parsed]], Chunk] = {}
    try:
        while not cancelled():
            while len(running) < 2 * workers and (chunk := next(waiting, None)) is not None:
                running[pool.submit(parse_chunk, root, chunk, dict(extensions), now_ns)] = chunk
            if not running:
                return
            for done in wait(running, timeout=0.2, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _die_with_parent() -> None:
    """A worker whose parent was killed would wait for work forever."""
    from multiprocessing import parent_process  # noqa: PLC0415 — see above

    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    from multiprocessing.connection import wait  # noqa: PLC0415 — see above

    wait([sentinel])
    os._exit(1)

"""Many files parsed with every core: in spawned worker processes, which inherit no thread, lock or connection.

Knows nothing of the store: it gives back looks with their facts, in no order.
"""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait as wait_for

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
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)

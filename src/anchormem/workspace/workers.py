"""Spawned processes that do one act over and over, each over a pipe of its own.

They inherit no thread, lock, connection or interruption, and are gone with whoever started them.

The pools of the standard library hold semaphores: some containers have none, and of a killed process Python complains
on standard error that it left some behind. Knows nothing of what the act is.
"""

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import SpawnProcess
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

Piece = TypeVar("Piece")
Made = TypeVar("Made")

AHEAD = 2  # pieces a worker has: the one it does, and one so that it need not wait for the next
LOOK_SECONDS = 0.2  # between two looks at `cancelled`
END_SECONDS = 1.0  # an ended process is collected at once; this is for one that the system holds up


@dataclass(slots=True)
class _Worker(Generic[Piece]):
    """One process, and the pieces it has been given, the oldest first."""

    process: SpawnProcess
    pipe: "Connection[Piece, bytes]"
    reader: threading.Thread
    given: deque[Piece] = field(default_factory=deque)


def spread(
    act: Callable[[Piece], Made], pieces: Sequence[Piece], count: int, cancelled: Callable[[], bool]
) -> Iterator[tuple[Piece, Made]]:
    """What `act` makes of each piece, in no order, by `count` processes, until `cancelled`.

    What a worker was at when it died (killed, out of memory, an error in `act`) is missing: do it here. `act`, pieces
    and what is made of them are pickled.
    """
    waiting, told = iter(pieces), SimpleQueue[tuple[int, bytes]]()
    team: dict[int, _Worker[Piece]] = {}
    try:
        for number in range(count):
            with suppress(OSError):  # no process more is allowed: with those there are, or none
                team[number] = _started(number, act, told)
        for worker in list(team.values()):
            _feed(worker, waiting)
        while any(worker.given for worker in team.values()) and not cancelled():
            with suppress(Empty):
                number, made = told.get(timeout=LOOK_SECONDS)
                if not made:
                    _end(team.pop(number))
                    continue
                piece = team[number].given.popleft()
                _feed(team[number], waiting)
                yield piece, pickle.loads(made)  # noqa: S301 — from our own process
    finally:
        for worker in team.values():
            _end(worker)


def _started(number: int, act: Callable[[Piece], Made], told: "SimpleQueue[tuple[int, bytes]]") -> _Worker[Piece]:
    """A worker that waits for its first piece. What it says goes to `told`; nothing there means that it is dead."""
    ours, theirs = Pipe()
    process = get_context("spawn").Process(target=_work, args=(pickle.dumps(act), theirs), daemon=True)
    with theirs, _uninterrupted():
        process.start()
    reader = threading.Thread(target=_hear, args=(number, ours, told), daemon=True)
    reader.start()
    return _Worker(process, ours, reader)


def _feed(worker: _Worker[Piece], waiting: Iterator[Piece]) -> None:
    while len(worker.given) < AHEAD and (piece := next(waiting, None)) is not None:
        worker.given.append(piece)
        with suppress(OSError):  # it is dead: its reader says so
            worker.pipe.send(piece)


def _hear(number: int, pipe: "Connection[Piece, bytes]", told: "SimpleQueue[tuple[int, bytes]]") -> None:
    """Empties the pipe at once: a worker must not wait until somebody has time to look at what it made."""
    with suppress(EOFError, OSError):
        while True:
            told.put((number, pipe.recv_bytes()))
    told.put((number, b""))


def _end(worker: _Worker[Piece]) -> None:
    worker.process.terminate()
    worker.process.join(END_SECONDS)
    worker.reader.join(END_SECONDS)
    worker.pipe.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process started inside does not hear a terminal's Ctrl-C, not even while Python starts: it is for us."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 — only where there are signals

    resource_tracker.ensure_running()  # starting it lifts the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ── in the worker ───────────────────────────────────────────────────────────────────────────────────────────────────


def _work(pickled: bytes, pipe: "Connection[Made, Piece]") -> None:
    """`pickled`: the act. It is unpacked last, because what it imports takes longer than a parent may live."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()
    act: Callable[[Piece], Made] = pickle.loads(pickled)  # noqa: S301 — from our own process
    with suppress(EOFError):
        while True:
            pipe.send(act(pipe.recv()))


def _leave_with(sentinel: int) -> None:
    """A parent that was killed must not be outlived, however long the act takes."""
    wait([sentinel])
    os._exit(1)

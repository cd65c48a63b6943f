"""The background sweep: when it runs, and who hears how far it is. It has a thread and a Workspace of its own,
so no call waits for a first index.

Knows nothing of MCP and of what a sweep looks at.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from anchormem.errors import Busy
from anchormem.model import Reply
from anchormem.server.worker import Desk, Job, Work, Worker
from anchormem.workspace.session import Workspace
from anchormem.workspace.sweep import sweep

Listener = Callable[[int, int], None]

# A quiet repository is looked over again when a call finds the last look this old, or twenty times as old as it took
# to find out what changed: at most a twentieth of one core goes into looking.
_PAUSE_SECONDS = 5.0
_PAUSE_FACTOR = 20.0


class Sweeper:
    """All methods may be called from any thread."""

    def __init__(self) -> None:
        self._worker = Worker("anchormem-sweep")
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()
        self._waiting = False  # a sweep is queued that has not begun: one is enough
        self._rest_until = 0.0

    def wanted(self, desk: Desk, *, owed: bool) -> None:
        """A call was answered, or the client is ready. `owed`: something is known to be unseen, so no rest first."""
        with self._lock:
            if self._waiting or (not owed and time.monotonic() < self._rest_until):
                return
            self._waiting = True
        try:
            self._worker.submit(desk, self._sweep).future.add_done_callback(self._settled)
        except Busy:
            self._waiting = False

    def do(self, desk: Desk, work: Work) -> Job:
        """A job beside the sweeps, for what may take as long as one."""
        return self._worker.submit(desk, work)

    def stop(self, seconds: float) -> None:
        self._worker.stop(seconds)

    @contextmanager
    def heard_by(self, listener: Listener) -> Iterator[None]:
        """While inside, `listener` is told (done, total) of whatever sweep runs, in the sweeping thread."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners = tuple(other for other in self._listeners if other is not listener)

    def progress(self, done: int, total: int) -> None:
        for listener in self._listeners:
            listener(done, total)

    def _sweep(self, ws: Workspace) -> Reply:
        self._waiting = False
        began = time.monotonic()
        cost = None
        try:
            cost = sweep(ws, progress=self.progress, cancelled=ws.cancelled).looking_seconds
        finally:
            ended = time.monotonic()
            cost = ended - began if cost is None else cost
            self._rest_until = ended + max(_PAUSE_SECONDS, _PAUSE_FACTOR * cost)
        return Reply(None, {})

    def _settled(self, done: Future[Reply]) -> None:
        """A sweep that failed before it began (a refused root, a locked store) may be asked for again, after a rest."""
        if done.cancelled() or done.exception() is not None:
            self._waiting = False
            self._rest_until = max(self._rest_until, time.monotonic() + _PAUSE_SECONDS)

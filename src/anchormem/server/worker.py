"""One thread that owns one opened Workspace and does one job after the other.

A SQLite connection belongs to the thread that made it; so whoever wants the store asks this thread. Knows nothing of
MCP, of the event loop or of what a job does.
"""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Full, Queue

from anchormem.errors import AnchormemError, Busy, StoreError
from anchormem.model import Reply
from anchormem.workspace.session import Workspace, close, open_workspace, settle

Work = Callable[[Workspace], Reply]

_OPEN_SECONDS = 20 * 3600.0  # then it is opened afresh: the daily backup is made there
_WAITING = 64  # jobs; a client with more calls open is told so


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a job's Workspace is opened and for whom."""

    start: Path
    client: str = ""
    session: str = ""
    sitting: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work on its way. `future` gives the reply; `cancel` makes a running one stop at its next look."""

    desk: Desk
    work: Work
    future: Future[Reply] = field(default_factory=Future)
    stopped: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        self.stopped.set()
        self.future.cancel()


class Worker:
    """`submit` from any thread; the Workspace is opened by the first job and again when a job wants another desk."""

    def __init__(self, name: str) -> None:
        self._jobs: Queue[Job | None] = Queue(_WAITING)
        self._running: Job | None = None
        self._desk: Desk | None = None
        self._workspace: Workspace | None = None
        self._opened = 0.0
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def submit(self, desk: Desk, work: Work) -> Job:
        """Queues a job; raises Busy when too many wait already."""
        job = Job(desk, work)
        try:
            self._jobs.put_nowait(job)
        except Full:
            raise Busy(f"{_WAITING} calls are waiting already", "let some finish, then call again") from None
        return job

    def stop(self, seconds: float) -> None:
        """Drops what waits, asks the running job to stop, and waits so long for the store to be closed."""
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job:
                job.cancel()
        if running := self._running:
            running.cancel()
        self._jobs.put(None)
        self._thread.join(seconds)

    def _serve(self) -> None:
        while job := self._jobs.get():
            self._running = job
            if job.future.set_running_or_notify_cancel():
                self._do(job)
            self._running = None
        self._leave()

    def _do(self, job: Job) -> None:
        try:
            workspace = self._at(job.desk)
            workspace.cancelled = job.stopped.is_set
            job.future.set_result(job.work(workspace))
            settle(workspace)
        except BaseException as error:  # noqa: BLE001 — the boundary of this thread: the caller gets what happened
            if not isinstance(error, AnchormemError):
                log(error)
            if isinstance(error, StoreError) or not isinstance(error, AnchormemError):
                self._leave()  # the next job opens afresh instead of inheriting a broken connection
            if not job.future.done():
                job.future.set_exception(error)

    def _at(self, desk: Desk) -> Workspace:
        if self._workspace is None or self._desk != desk or time.monotonic() - self._opened > _OPEN_SECONDS:
            self._leave()
            self._workspace = open_workspace(desk.start, client=desk.client, session=desk.session, sitting=desk.sitting)
            self._desk, self._opened = desk, time.monotonic()
        return self._workspace

    def _leave(self) -> None:
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            close(workspace)


def log(error: BaseException) -> None:
    """Says on standard error where something unforeseen happened, without its message: that may hold what must not be
    logged.
    """
    places = "".join(traceback.format_tb(error.__traceback__))
    logging.getLogger("anchormem").error("%s\n%s", type(error).__name__, places)

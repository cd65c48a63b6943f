"""Every way this process is told to leave, and the promise that it is gone soon after.

Signals, the parent's death, and a last resort that does not need the event loop. Knows nothing of MCP and of stores.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress

_LOOK_SECONDS = 1.0
SIGNALS = (signal.SIGTERM, signal.SIGINT)


def on_signals(leave: Callable[[], None]) -> None:
    """`leave` runs in the running event loop when a signal asks this process to end."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, leave)
        except NotImplementedError:  # Windows: its loop takes no handlers
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(leave))


def on_orphaned(parent: int, leave: Callable[[], None]) -> None:
    """`leave` runs in the running event loop once that parent is gone, even where a sibling holds our input open."""
    loop = asyncio.get_running_loop()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_SECONDS)
        with suppress(RuntimeError):  # the loop is gone: so are we
            loop.call_soon_threadsafe(leave)

    threading.Thread(target=watch, name="anchormem-parent", daemon=True).start()


def gone_after(seconds: float) -> None:
    """The process ends that much later, whatever the event loop and the other threads are doing."""
    timer = threading.Timer(seconds, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    end_children()
    os._exit(0)


def end_children() -> None:
    """Ends the index workers this process started."""
    for child in multiprocessing.active_children():
        with suppress(OSError, ValueError):
            child.terminate()

"""Standard input and output claimed as the wire, and a standard error that can never block.

Anything else in this process that prints goes to standard error; a child that reads standard input sees its end.
Knows nothing of JSON-RPC. Imports nothing heavy: it runs before anything else may print.
"""

import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from queue import Full, Queue

_CHUNK = 4096  # bytes
_CHUNKS_WAITING = 64  # a client that does not read standard error loses what is beyond
_FLUSH_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Wire:
    """The two descriptors that carry JSON-RPC, and the thread that prints what goes to standard error."""

    read: int
    write: int
    _printer: threading.Thread

    def flush(self) -> None:
        """Ends standard output and error, giving what they hold a short time to leave."""
        with suppress(OSError):
            sys.stderr.flush()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        self._printer.join(_FLUSH_SECONDS)


def claim() -> Wire:
    """Takes the wire: from here on descriptor 0 is at its end, and 1 and 2 lead to standard error without blocking."""
    wire_in, wire_out, errors = os.dup(0), os.dup(1), os.dup(2)
    _binary(wire_in, wire_out)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    log: Queue[bytes] = Queue(_CHUNKS_WAITING)
    read, write = os.pipe()
    os.dup2(write, 1)
    os.dup2(write, 2)
    os.close(write)
    printer = threading.Thread(target=_print, args=(log, errors), daemon=True)
    printer.start()
    threading.Thread(target=_collect, args=(read, log), daemon=True).start()
    return Wire(wire_in, wire_out, printer)


def _collect(read: int, log: Queue[bytes]) -> None:
    """Empties the pipe behind 1 and 2 at once, whatever happens to the text: a full pipe would stop whoever writes."""
    while True:
        chunk = os.read(read, _CHUNK)
        with suppress(Full):
            log.put_nowait(chunk)
        if not chunk:
            return


def _print(log: Queue[bytes], errors: int) -> None:
    """Prints until the empty chunk that stands for the end; stops early when nobody listens."""
    with suppress(OSError):
        while chunk := memoryview(log.get()):
            while chunk:
                chunk = chunk[os.write(errors, chunk) :]


def _binary(*descriptors: int) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 — exists on this platform alone

        for descriptor in descriptors:
            msvcrt.setmode(descriptor, os.O_BINARY)

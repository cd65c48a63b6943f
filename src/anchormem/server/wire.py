"""The stream pair that the SDK's server runs on, over the two descriptors of the wire.

Reads and writes raw descriptors in two threads, so nothing here can block the event loop. Every broken line is
answered, a long one is never held in memory, and at the end of input what is running is given a moment to answer.
Knows nothing of tools.
"""

import asyncio
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import anyio
import mcp_types as t
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from anchormem.server.frames import LONGEST_LINE, TOO_LONG, Refusal, decode, encode

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]

_DRAIN_SECONDS = 1.0  # a client kills about two seconds after it closed our input
_CHUNK = 1 << 16


@dataclass(slots=True)
class _Pending:
    """Requests not yet answered, and an event that is set while there is none."""

    idle: asyncio.Event = field(default_factory=asyncio.Event)
    ids: set[str | int] = field(default_factory=set)

    def add(self, number: str | int) -> None:
        self.ids.add(number)
        self.idle.clear()

    def settle(self, number: object) -> None:
        if isinstance(number, str | int):
            self.ids.discard(number)
        if not self.ids:
            self.idle.set()


@asynccontextmanager
async def stdio(read: int, write: int, on_end: Callable[[], None]) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Incoming and outgoing messages. `on_end` is called in the event loop at the end of input, before the drain."""
    arriving_in, arriving = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))
    leaving, leaving_out = anyio.create_memory_object_stream[SessionMessage](0)
    loop, lines, pending = asyncio.get_running_loop(), queue.SimpleQueue[bytes | None](), _Pending()
    pending.idle.set()

    def post(call: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(call)

    async def end() -> None:
        on_end()
        with anyio.move_on_after(_DRAIN_SECONDS):
            await pending.idle.wait()
        arriving_in.close()

    async def send() -> None:
        async with leaving_out:
            async for item in leaving_out:
                lines.put(encode(item.message))
                if isinstance(item.message, t.JSONRPCResponse | t.JSONRPCError):
                    pending.settle(item.message.id)

    writer = threading.Thread(target=_write, args=(write, lines, partial(post, arriving_in.close)), daemon=True)
    writer.start()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(send)

        def read_all() -> None:
            for line in _lines(read):
                post(partial(_deliver, line, arriving_in, lines, pending))
            post(partial(tasks.start_soon, end))

        threading.Thread(target=read_all, daemon=True).start()
        try:
            yield arriving, leaving
        finally:
            arriving_in.close()
            leaving.close()
    lines.put(None)
    writer.join(0.5)


def _deliver(
    line: bytes | Refusal,
    arriving: MemoryObjectSendStream[SessionMessage | Exception],
    lines: queue.SimpleQueue[bytes | None],
    pending: _Pending,
) -> None:
    """One line into the server, or its refusal back to the client."""
    message = decode(line) if isinstance(line, bytes) else line
    if isinstance(message, Refusal):
        lines.put(message.line())
        return
    if isinstance(message, t.JSONRPCRequest):
        pending.add(message.id)
    elif isinstance(message, t.JSONRPCNotification) and message.method == "notifications/cancelled":
        pending.settle((message.params or {}).get("requestId"))  # a cancelled request is never answered
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        arriving.send_nowait(SessionMessage(message))


def _lines(read: int) -> Iterator[bytes | Refusal]:
    """The lines of the wire until its end, each whole; a longer one than allowed is skipped and refused once."""
    held, skipping = bytearray(), False
    while chunk := _read(read):
        held += chunk
        while (end := held.find(b"\n")) >= 0:
            line = bytes(held[:end])
            del held[: end + 1]
            if not skipping and line.strip():
                yield line if len(line) <= LONGEST_LINE else TOO_LONG
            skipping = False
        if len(held) > LONGEST_LINE:
            if not skipping:
                yield TOO_LONG
            skipping = True
            held.clear()


def _read(read: int) -> bytes:
    try:
        return os.read(read, _CHUNK)
    except OSError:
        return b""


def _write(write: int, lines: queue.SimpleQueue[bytes | None], gone: Callable[[], None]) -> None:
    while (line := lines.get()) is not None:
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(write, rest) :]
        except OSError:
            gone()
            return

"""The stream pair that the SDK's server runs on, over the two descriptors of the wire.

Reads and writes raw descriptors in threads, so nothing here can block the event loop. Every broken line is answered, a
long one is never held in memory, at the end of input what is running is given a moment to answer, and a client that
can no longer read is noticed even while there is nothing to tell it.
Knows nothing of tools.
"""

import asyncio
import os
import queue
import select
import stat
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
_FLUSH_SECONDS = 0.5
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
async def stdio(
    read: int, write: int, on_end: Callable[[], None], leave: Callable[[], None]
) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Incoming and outgoing messages. In the event loop, `on_end` is called at the end of input, before the drain;
    `leave` when nothing can come of staying: the drain is over, or nobody reads what we write.
    """
    arriving_in, arriving = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))
    leaving, leaving_out = anyio.create_memory_object_stream[SessionMessage](0)
    loop, lines, pending = asyncio.get_running_loop(), queue.SimpleQueue[bytes | None](), _Pending()
    pending.idle.set()
    ended = asyncio.Event()

    def post(call: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(call)

    async def end() -> None:
        await ended.wait()
        on_end()
        with anyio.move_on_after(_DRAIN_SECONDS):
            await pending.idle.wait()
        leave()

    async def send() -> None:
        async with leaving_out:
            async for item in leaving_out:
                lines.put(encode(item.message))
                if isinstance(item.message, t.JSONRPCResponse | t.JSONRPCError):
                    pending.settle(item.message.id)

    def read_all() -> None:
        for line in _lines(read):
            post(partial(_deliver, line, arriving_in, lines, pending))
        post(ended.set)

    writer = threading.Thread(target=_write, args=(write, lines, partial(post, leave)), daemon=True)
    writer.start()
    threading.Thread(target=_hear_hang_up, args=(write, partial(post, leave)), daemon=True).start()
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(send)
            tasks.start_soon(end)
            threading.Thread(target=read_all, daemon=True).start()
            try:
                yield arriving, leaving
            finally:
                arriving_in.close()
                leaving.close()
                tasks.cancel_scope.cancel()
    finally:
        lines.put(None)
        writer.join(_FLUSH_SECONDS)


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


def _hear_hang_up(write: int, gone: Callable[[], None]) -> None:
    """Returns once nobody can read what we write; at once where that cannot be waited for."""
    mode = os.fstat(write).st_mode
    if not hasattr(select, "poll") or not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return
    waiting = select.poll()
    waiting.register(write, 0)  # an error and a hang-up come unasked
    if any(event & (select.POLLERR | select.POLLHUP) for _, event in waiting.poll()):
        gone()

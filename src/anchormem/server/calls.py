"""One tool call: its arguments checked, its use case run in an owner thread, its reply or error as text.

Knows nothing of descriptors and signals. The boundary at which an unforeseen exception becomes an error for the client.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from uuid import uuid4

import mcp_types as t
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError

from anchormem.errors import AnchormemError, Cancelled
from anchormem.model import Reply
from anchormem.server.rooting import Rooting
from anchormem.server.sweeper import Sweeper
from anchormem.server.worker import Desk, Job, Worker
from anchormem.text.secrets import shown
from anchormem.tools import TOOLS
from anchormem.tools.answer import failure, success
from anchormem.tools.tool import Tool

Context = ServerRequestContext[dict[str, object], object]

_BY_NAME: Mapping[str, Tool] = {tool.name: tool for tool in TOOLS}
_CALL_SECONDS = 55.0  # one client gives up at a fixed 60
_PROGRESS_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Calls:
    """What a call needs: where the project is, the thread of the calls, and the sweeper beside it."""

    rooting: Rooting
    worker: Worker
    sweeper: Sweeper
    sitting: str = field(default_factory=lambda: uuid4().hex)

    async def call(self, ctx: Context, params: t.CallToolRequestParams) -> t.CallToolResult:
        """The handler of `tools/call`."""
        tool = _BY_NAME.get(params.name) or _refuse_name(params.name)
        try:
            reply = await self._reply(ctx.session, tool, params.arguments or {})
        except AnchormemError as error:
            return _text(failure(error, params.arguments), is_error=True)
        except Exception as error:  # noqa: BLE001 — the boundary: the client gets an error, the next call works
            unforeseen = AnchormemError(f"{tool.name} failed: {type(error).__name__}", "standard error says where")
            return _text(failure(unforeseen), is_error=True)
        return _text(success(reply))

    async def desk(self, session: ServerSession) -> Desk:
        """Where and for whom this client's calls work."""
        info = session.client_params.client_info if session.client_params else None
        return Desk(
            await self.rooting.start(session),
            client=info.name[:64] if info else "",
            session=os.environ.get("CLAUDE_CODE_SESSION_ID", ""),
            sitting=self.sitting,
        )

    async def look_around(self, session: ServerSession) -> None:
        """Begins the first sweep, or one of another root, in the background."""
        self.sweeper.wanted(await self.desk(session), owed=True)

    async def _reply(self, session: ServerSession, tool: Tool, given: Mapping[str, object]) -> Reply:
        args = tool.arguments(given)
        desk = await self.desk(session)
        if args.get("op") == "index":
            return await self._index(session, tool, args, desk)
        reply = await _finished(self.worker.submit(desk, lambda ws: tool.run(ws, args)), _CALL_SECONDS)
        self.sweeper.wanted(desk, owed=_owed(reply))
        return reply

    async def _index(self, session: ServerSession, tool: Tool, args: Mapping[str, object], desk: Desk) -> Reply:
        """Beside the sweeps, with progress, without a time limit: other calls go on meanwhile."""
        async with _reported(session, self.sweeper):
            job = self.sweeper.do(
                desk,
                lambda ws: tool.run(ws, {**args, "progress": self.sweeper.progress, "cancelled": ws.cancelled}),
            )
            return await _finished(job, None)


async def _finished(job: Job, seconds: float | None) -> Reply:
    """The job's reply; the job is told to stop when the caller is cancelled or has waited long enough."""
    try:
        return await asyncio.wait_for(asyncio.wrap_future(job.future), seconds)
    except TimeoutError:
        job.cancel()
        raise Cancelled(
            f"no answer within {seconds:.0f} s", "narrow the call, or run `anchormem index` first"
        ) from None
    except asyncio.CancelledError:
        job.cancel()
        raise


@asynccontextmanager
async def _reported(session: ServerSession, sweeper: Sweeper) -> AsyncIterator[None]:
    """While inside, the client is told how far the sweep is, a few times a second."""
    loop, latest, news = asyncio.get_running_loop(), (0, 0), asyncio.Event()

    def note(done: int, total: int) -> None:
        nonlocal latest
        latest = (done, total)
        loop.call_soon_threadsafe(news.set)

    async def report() -> None:
        shown = -1
        while True:
            await news.wait()
            news.clear()
            done, total = latest
            if done > shown:  # the protocol wants it to grow
                shown = done
                await session.report_progress(done, total, "indexing")
            await asyncio.sleep(_PROGRESS_SECONDS)

    reporting = asyncio.create_task(report())
    try:
        with sweeper.heard_by(note):
            yield
    finally:
        reporting.cancel()


def _owed(reply: Reply) -> bool:
    """Whether the reply itself says that something has not been looked at yet."""
    freshness = reply.meta.get("freshness")
    if not isinstance(freshness, dict):
        return True
    return bool(freshness.get("dirty") or freshness.get("unchecked") or freshness.get("indexed_at") == "never")


def _refuse_name(name: str) -> Tool:
    near = get_close_matches(name, _BY_NAME, n=1)
    guess = f", did you mean {near[0]}?" if near else ""
    raise MCPError(code=t.INVALID_PARAMS, message=f"Unknown tool: {shown(name)[:64]}{guess}")


def _text(text: str, *, is_error: bool = False) -> t.CallToolResult:
    return t.CallToolResult(content=[t.TextContent(type="text", text=text)], is_error=is_error)

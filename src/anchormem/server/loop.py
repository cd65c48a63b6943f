"""The running server: the SDK's low-level server on the wire, the two owner threads, and the ways out.

Knows nothing of any tool.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import mcp_types as t
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from anchormem import __version__
from anchormem.server import lifeline
from anchormem.server.calls import Calls, Context
from anchormem.server.descriptors import Wire
from anchormem.server.rooting import Rooting
from anchormem.server.sweeper import Sweeper
from anchormem.server.wire import stdio
from anchormem.server.worker import Worker
from anchormem.tools import INSTRUCTIONS, TOOLS
from anchormem.tools.arguments import schema
from anchormem.tools.tool import Tool

_GONE_SECONDS = 1.7  # from the end of input or a signal; the promise is two
_CLOSE_SECONDS = 0.2
_LISTING_MS = 3_600_000  # clients that cache the listing may keep it so long


def run(wire: Wire, root: Path | None, parent: int) -> None:
    """Serves until the client, a signal or the death of `parent` ends it. The caller ends the process."""
    logging.basicConfig(level=logging.WARNING, format="anchormem: %(message)s")
    asyncio.run(_serve(wire, root, parent))


async def _serve(wire: Wire, root: Path | None, parent: int) -> None:
    calls = Calls(Rooting(root), Worker("anchormem-calls"), Sweeper())
    server = _server(calls)
    left = False

    def leave() -> None:
        nonlocal left
        left = True
        lifeline.gone_after(_GONE_SECONDS)
        serving.cancel()

    serving = asyncio.create_task(_on_the_wire(server, wire, leave))
    lifeline.on_signals(leave)
    lifeline.on_orphaned(parent, leave)
    await asyncio.wait({serving})
    calls.sweeper.stop(_CLOSE_SECONDS)
    calls.worker.stop(_CLOSE_SECONDS)
    lifeline.end_children()
    broken = None if serving.cancelled() else serving.exception()
    if broken is not None and not left:  # what breaks of a conversation that is over is nobody's concern
        raise broken


async def _on_the_wire(server: Server[dict[str, object]], wire: Wire, leave: Callable[[], None]) -> None:
    on_end = partial(lifeline.gone_after, _GONE_SECONDS)
    async with stdio(wire.read, wire.write, on_end, leave) as (arriving, leaving):
        await server.run(arriving, leaving, server.create_initialization_options())


def _server(calls: Calls) -> Server[dict[str, object]]:
    async def list_tools(_: Context, __: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        return LISTING

    async def ready(ctx: Context, _: t.NotificationParams) -> None:
        await calls.look_around(ctx.session)

    async def roots_changed(ctx: Context, _: t.NotificationParams) -> None:
        calls.rooting.forget()
        await calls.look_around(ctx.session)

    server: Server[dict[str, object]] = Server(
        "anchormem",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=calls.call,
        cache_hints={"tools/list": CacheHint(ttl_ms=_LISTING_MS, scope="public")},
    )
    server.add_notification_handler("notifications/initialized", t.NotificationParams, ready)
    server.add_notification_handler("notifications/roots/list_changed", t.NotificationParams, roots_changed)
    server.middleware[:] = [_Gate(server, calls)]
    return server


@dataclass(slots=True)
class _Gate:
    """Refuses what needs a handshake before there was one, saying so; the SDK would call it invalid parameters.

    The newer protocol has no handshake: there, discovery is the moment to begin looking around.
    """

    server: Server[dict[str, object]]
    calls: Calls
    shaken: bool = False

    async def __call__(
        self, ctx: ServerRequestContext[dict[str, object], object], call_next: CallNext
    ) -> HandlerResult:
        if ctx.method == "server/discover":
            await self.calls.look_around(ctx.session)
        if ctx.request_id is None or ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return await call_next(ctx)
        served = ctx.method != "ping" and self.server.get_request_handler(ctx.method) is not None
        if served and not self.shaken:
            raise MCPError(code=t.INVALID_REQUEST, message=f"{ctx.method} before initialize: send initialize first")
        result = await call_next(ctx)
        self.shaken = self.shaken or ctx.method == "initialize"
        return result


def _listed(tool: Tool) -> t.Tool:
    hints = t.ToolAnnotations(open_world_hint=False)
    if tool.read_only:
        hints.read_only_hint = True
    elif not tool.destructive:
        hints.destructive_hint = False
    return t.Tool(name=tool.name, description=tool.about, input_schema=schema(tool.params), annotations=hints)


LISTING = t.ListToolsResult(tools=[_listed(tool) for tool in TOOLS])

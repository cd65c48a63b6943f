"""The SDK's own client, over a real process, in each protocol era."""

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

MODES = ("auto", "legacy", "2026-07-28")


def talk(repository: Path, mode: str, story: Callable[[Client], Awaitable[None]]) -> None:
    """Runs the story with a connected client."""

    async def main() -> None:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "anchormem", "serve", "--root", str(repository)], env=environment()
        )
        async with Client(server, mode=mode, read_timeout_seconds=120) as client:
            await story(client)

    anyio.run(main)


def environment() -> dict[str, str]:
    """The SDK starts servers with a filtered environment; this is what the tests' home needs."""
    return {name: value for name, value in os.environ.items() if name.startswith(("HOME", "ANCHORMEM", "GIT_", "XDG"))}


@pytest.mark.parametrize("mode", MODES)
def test_each_era_lists_calls_and_hears_progress(repository: Path, mode: str) -> None:
    for number in range(100):
        (repository / f"m{number}.py").write_text(f"def f():\n    return {number}\n" * 20, "utf-8")
    heard: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message == "indexing"
        heard.append((progress, total))

    async def story(client: Client) -> None:
        listing = await client.list_tools()
        assert [tool.name for tool in listing.tools][:2] == ["recall", "remember"]
        indexed = await client.call_tool("admin", {"op": "index"}, progress_callback=note)
        assert not indexed.is_error, indexed.content
        result = await client.call_tool("recall", {"task": "anything"})
        assert not result.is_error
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert content.text.startswith('{"data":[],"meta":{')
        wrong = await client.call_tool("recall", {"taks": "anything"})
        assert wrong.is_error

    talk(repository, mode, story)
    assert heard == sorted(heard)
    assert heard

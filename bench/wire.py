"""A bare MCP client over pipes for the benches: what is measured is the real server, byte for byte."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self


class Server:
    """`with Server(root, data) as server: server.call("recall", task="why")`."""

    def __init__(self, root: Path, data: Path) -> None:
        self.root = root
        self.data = data
        self.sent = 0
        self.last_reply = b""

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "anchormem", "serve", "--root", str(self.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "ANCHORMEM_DATA_DIR": str(self.data)},
        )
        capabilities: dict[str, object] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }
        self.request("initialize", capabilities)
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    def write(self, message: dict[str, object]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, object]) -> dict[str, object]:
        assert self.process.stdout
        self.sent += 1
        self.write({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params})
        while line := self.process.stdout.readline():
            answer: dict[str, object] = json.loads(line)
            if answer.get("id") == self.sent:
                self.last_reply = line
                return answer
        raise SystemExit(f"the server ended while answering {method}")

    def reply(self, tool: str, **arguments: object) -> dict[str, object]:
        """The reply of a tool: `{"data", "meta"}` or `{"error"}`."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        result = answer.get("result")
        assert isinstance(result, dict), answer
        reply: dict[str, object] = json.loads(result["content"][0]["text"])
        return reply

    def call(self, tool: str, **arguments: object) -> object:
        """The data of a tool that must succeed."""
        reply = self.reply(tool, **arguments)
        assert "error" not in reply, (tool, arguments, reply)
        return reply["data"]

"""A bare MCP client over pipes for the benches: what is measured is the real server, byte for byte."""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

LONGEST = 300.0  # seconds that an answer may take, with a progress report or without; then the bench breaks off


class Server:
    """`with Server(root, data) as server: server.call("recall", task="why")`. SystemExit when the server ends, or says
    nothing for very long."""

    def __init__(self, root: Path, data: Path) -> None:
        self.root = root
        self.data = data
        self.sent = 0
        self.last_reply = b""
        self.asked = 0.0  # when the question was sent whose answer is awaited
        self.over = threading.Event()

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "anchormem", "serve", "--root", str(self.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "ANCHORMEM_DATA_DIR": str(self.data)},
        )
        threading.Thread(target=self.watch, daemon=True).start()
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
        self.over.set()
        with suppress(BrokenPipeError):  # it is dead: whoever asked it has heard so
            self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    def watch(self) -> None:
        """Ends a server that hangs: whoever waits for it reads the end of its output."""
        while not self.over.wait(1):
            if self.asked and time.monotonic() - self.asked > LONGEST:
                self.process.kill()

    def drop(self) -> None:
        """For a server that is dead, or shall be."""
        self.over.set()
        self.process.kill()
        self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(BrokenPipeError):
                if stream:
                    stream.close()

    def write(self, message: dict[str, object]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, object]) -> dict[str, object]:
        assert self.process.stdout
        self.sent += 1
        self.asked = time.monotonic()
        self.write({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params})
        while line := self.process.stdout.readline():
            answer: dict[str, object] = json.loads(line)
            if answer.get("id") == self.sent:
                self.last_reply, self.asked = line, 0.0
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

"""A client made of two pipes: it sends lines, well-formed or not, and reads what comes back with a time limit."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

Json = dict[str, object]
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "pipes", "version": "1"},
}
PATIENCE = 120  # seconds for an answer: it only ends a wait for what will never come


class Pipes:
    """`anchormem serve` as a child, spoken to in bytes."""

    def __init__(self, directory: Path, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "anchormem", "serve", *arguments],
            cwd=directory,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self._number = 100
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        self.child.wait()
        self._reader.join(5)
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            if stream:
                stream.close()

    def _read(self) -> None:
        assert self.child.stdout
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, line: bytes | Mapping[str, object]) -> None:
        assert self.child.stdin
        self.child.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        self.child.stdin.flush()

    def end_input(self) -> None:
        assert self.child.stdin
        self.child.stdin.close()

    def receive(self, seconds: float = PATIENCE) -> Json:
        line = self.lines.get(timeout=seconds)
        assert line is not None, "the server left"
        message = json.loads(line)
        assert isinstance(message, dict)
        assert message["jsonrpc"] == "2.0"
        return message

    def request(self, method: str, params: Mapping[str, object] | None = None, seconds: float = PATIENCE) -> Json:
        """The answer to this request; whatever else arrives meanwhile is skipped."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, **({"params": params} if params else {})})
        while True:
            message = self.receive(seconds)
            if message.get("id") == self._number and "method" not in message:
                return message

    def notify(self, method: str, params: Mapping[str, object] | None = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def shake_hands(self, **changed: object) -> Json:
        answer = self.request("initialize", {**INITIALIZE, **changed})
        self.notify("notifications/initialized")
        return answer

    def call(self, name: str, seconds: float = PATIENCE, **arguments: object) -> tuple[bool, Json]:
        """Whether it is an error, and the JSON of its one text content."""
        answer = self.request("tools/call", {"name": name, "arguments": arguments}, seconds)
        result = answer["result"]
        assert isinstance(result, dict)
        assert "structuredContent" not in result
        (content,) = result["content"]
        assert content["type"] == "text"
        return bool(result.get("isError")), json.loads(content["text"])

    def gone(self, within: float = 2.0) -> float:
        """Seconds until the process has left; raises when it is late by more than a busy machine explains."""
        began = time.monotonic()
        self.child.wait(within + 1.0)
        return time.monotonic() - began

"""A model on loopback that says what a script tells it to, so that the real client can be driven without any account.

It answers each request that brings tools with the next turn of its script, everything else with "ok", and keeps what it
was asked: `requests` is what a model would have seen.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Block = dict[str, object]
SAID: Block = {"type": "text", "text": "ok"}


class Model(ThreadingHTTPServer):
    """`turns`: the content blocks of each answer still to give. Bound to a free port of the loopback address."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is nothing to report."""

    def __init__(self, turns: list[list[Block]]) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.turns = turns
        self.requests: list[dict[str, object]] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def results(self) -> list[str]:
        """The text of every tool result in the last request, in order."""
        messages = self.requests[-1]["messages"] if self.requests else []
        assert isinstance(messages, list)
        blocks = [b for m in messages if isinstance(m["content"], list) for b in m["content"]]
        return [told(block["content"]) for block in blocks if block.get("type") == "tool_result"]


def told(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return str(content)


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Nothing on stderr."""

    def do_GET(self) -> None:
        self.reply(b"{}")

    def do_HEAD(self) -> None:
        self.reply(b"")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self.reply(b'{"input_tokens": 1}')
            return
        content = [SAID]
        if body.get("tools"):
            self.server.requests.append(body)
            content = self.server.turns.pop(0) if self.server.turns else content
        message: dict[str, object] = {
            "id": f"msg_{len(self.server.requests):06}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "scripted"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        stop = "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn"
        if body.get("stream"):
            self.reply(b"".join(events(message, content, stop)), "text/event-stream")
        else:
            self.reply(json.dumps({**message, "content": content, "stop_reason": stop}).encode())

    def reply(self, body: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def events(message: dict[str, object], content: list[Block], stop: str) -> Iterator[bytes]:
    """An answer as server-sent events."""
    yield event("message_start", message=message)
    for index, block in enumerate(content):
        if block["type"] == "tool_use":
            start: Block = {**block, "input": {}}
            delta: Block = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        yield event("content_block_start", index=index, content_block=start)
        yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    yield event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 1})
    yield event("message_stop")


def event(kind: str, **data: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


@contextmanager
def scripted(turns: list[list[Block]]) -> Iterator[Model]:
    model = Model(turns)
    thread = threading.Thread(target=model.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.shutdown()
        model.server_close()
        thread.join()

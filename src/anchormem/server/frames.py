"""One line of the wire: bytes in, a JSON-RPC message out, or the JSON-RPC error the line deserves.

Pure. Knows nothing of descriptors, threads or tools.
"""

import json
from dataclasses import dataclass

import mcp_types as t

LONGEST_LINE = 4 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that holds no message, as the answer to it. `id` is known only where the line had a readable one."""

    code: int
    message: str
    id: str | int | None = None

    def line(self) -> bytes:
        error = {"code": self.code, "message": self.message}
        return encode_plain({"jsonrpc": "2.0", "id": self.id, "error": error})


TOO_LONG = Refusal(t.INVALID_REQUEST, f"Invalid Request: a line of more than {LONGEST_LINE >> 20} MiB")
_NOT_JSON = Refusal(t.PARSE_ERROR, "Parse error: the line is not JSON in UTF-8")
_BATCH = Refusal(t.INVALID_REQUEST, "Invalid Request: batches are not supported, send one message a line")
_NO_OBJECT = Refusal(t.INVALID_REQUEST, "Invalid Request: a message is a JSON object")


def encode_plain(value: object) -> bytes:
    """A JSON value as one line."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def encode(message: t.JSONRPCMessage) -> bytes:
    """An outgoing message as one line."""
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"


def decode(line: bytes) -> t.JSONRPCMessage | Refusal:
    """The message a line holds. Never raises."""
    try:
        message = t.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return _refusal(line)
    if isinstance(message, t.JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
        return _refusal(line)  # a request under an id that cannot be one (null, a fraction, a truth value)
    return message


def _refusal(line: bytes) -> Refusal:
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError):
        return _NOT_JSON
    if isinstance(value, list):
        return _BATCH
    if not isinstance(value, dict):
        return _NO_OBJECT
    number = value.get("id")
    # Only to a request: an error under the id of a broken *response* would answer some other request.
    readable = "method" in value and isinstance(number, str | int) and not isinstance(number, bool)
    shown = number if readable and _is_text(number) else None
    return Refusal(t.INVALID_REQUEST, "Invalid Request: not a JSON-RPC 2.0 message", shown)


def _is_text(number: object) -> bool:
    return not isinstance(number, str) or number.isprintable()

"""What comes back for every line, good or broken."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.wire import INITIALIZE, Pipes

LISTING_BYTES = 5_200  # tools/list and the instructions together


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"garbage", None, -32700),
        (b'{"jsonrpc":"2.0","id":1,', None, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff"}}', None, -32700),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', None, -32700),
        (b"[" * 5000 + b"]" * 5000, None, -32700),
        (b"x" * (5 << 20), None, -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
        (b"[]", None, -32600),
        (b"3", None, -32600),
        (b'"text"', None, -32600),
        (b"{}", None, -32600),
        (b'{"id":1,"method":"ping"}', 1, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 1, -32600),
        (b'{"jsonrpc":"2.0","id":2,"method":7}', 2, -32600),
        (b'{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', "a", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":"\\ud800"}}', 4, -32600),
        (b'{"jsonrpc":"2.0","id":3,"method":"no/such"}', 3, -32601),
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}', 5, -32602),
        (b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"recal"}}', 6, -32602),
    ],
    ids=lambda value: value[:50].decode("ascii", "replace") if isinstance(value, bytes) else None,
)
def test_a_broken_line_gets_the_error_it_deserves(shared: Pipes, line: bytes, number: object, code: int) -> None:
    shared.send(line + b"\n")
    answer = shared.receive()
    assert answer["id"] == number
    assert isinstance(answer["error"], dict)
    assert answer["error"]["code"] == code
    assert shared.request("ping")["result"] == {}


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"  \r\n",
        b'{"jsonrpc":"2.0","method":"no/such"}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}\n',
        b'{"jsonrpc":"2.0","id":77,"result":{}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    ],
)
def test_what_wants_no_answer_gets_none(shared: Pipes, line: bytes) -> None:
    shared.send(line)
    assert shared.request("ping")["result"] == {}


def test_two_messages_in_one_write_and_one_in_two_are_the_same(shared: Pipes) -> None:
    ping = b'{"jsonrpc":"2.0","id":"%d","method":"ping"}\r\n'
    shared.send(ping % 1 + ping % 2)
    shared.send((ping % 3)[:9])
    shared.send((ping % 3)[9:])
    assert {shared.receive()["id"] for _ in range(3)} == {"1", "2", "3"}


def test_listing_the_tools_costs_little(shared: Pipes) -> None:
    listing = shared.request("tools/list")
    instructions = shared.request("initialize", INITIALIZE)["result"]
    assert isinstance(instructions, dict)
    text = json.dumps(listing, ensure_ascii=False, separators=(",", ":")) + "\n"
    assert len(text.encode()) + len(instructions["instructions"].encode()) <= LISTING_BYTES


def test_the_listing_is_honest_and_promises_no_structure(shared: Pipes) -> None:
    result = shared.request("tools/list")["result"]
    assert isinstance(result, dict)
    hints = {tool["name"]: tool["annotations"] for tool in result["tools"]}
    reads = {"readOnlyHint": True, "openWorldHint": False}
    assert hints == {
        "recall": reads,
        "remember": {"destructiveHint": False, "openWorldHint": False},
        "map": reads,
        "affected": reads,
        "verify_queue": reads,
        "admin": {"openWorldHint": False},  # destructive unless said otherwise
    }
    assert not any("outputSchema" in tool for tool in result["tools"])


def test_a_misspelt_argument_is_refused_by_name(shared: Pipes) -> None:
    is_error, answer = shared.call("recall", taks="x")
    assert is_error
    assert isinstance(answer["error"], dict)
    assert answer["error"]["code"] == "unknown_argument"
    assert "task" in answer["error"]["message"]


def test_a_request_before_initialize_is_refused_and_the_handshake_still_works(tmp_path: Path) -> None:
    with Pipes(tmp_path) as pipes:
        pipes.notify("notifications/initialized")
        for method in ("tools/list", "tools/call"):
            error = pipes.request(method, {"name": "recall"})["error"]
            assert isinstance(error, dict)
            assert error["code"] == -32600
            assert "initialize" in error["message"]
        assert pipes.request("ping")["result"] == {}
        assert "error" in pipes.request("no/such")
        assert "result" in pipes.shake_hands()
        assert "result" in pipes.request("tools/list")


def test_an_unread_standard_error_never_blocks(tmp_path: Path) -> None:
    script = tmp_path / "noisy.py"
    script.write_text(
        "import os, sys\n"
        "from anchormem.server.descriptors import claim\n"
        "wire = claim()\n"
        "for _ in range(2000):\n"
        "    print('x' * 1000, file=sys.stderr)\n"
        "print('stray')\n"
        "os.write(1, b'stray')\n"
        "assert sys.stdin.read() == ''\n"
        "os.write(wire.write, os.read(wire.read, 100))\n"
        "wire.flush()\n"
        "os._exit(0)\n",
        "utf-8",
    )
    read, write = os.pipe()  # a standard error that nobody reads
    child = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=write)
    out, _ = child.communicate(b"on the wire\n", timeout=120)
    os.close(read)
    os.close(write)
    assert child.returncode == 0
    assert out == b"on the wire\n"


def test_what_is_printed_reaches_standard_error(tmp_path: Path) -> None:
    script = tmp_path / "printing.py"
    script.write_text(
        "import os\nfrom anchormem.server.descriptors import claim\nwire = claim()\n"
        "print('stray', flush=True)\nos.write(2, b'warning')\nwire.flush()\nos._exit(0)\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, check=True, timeout=120)
    assert done.stdout == b""
    assert done.stderr == b"stray\nwarning"

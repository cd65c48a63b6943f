"""Every way the process is told to leave, and that it is gone within two seconds, its children with it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.wire import Pipes

PARENT = """
import sys, time
from subprocess import DEVNULL, Popen
child = Popen([sys.executable, "-m", "anchormem", "serve"], stderr=DEVNULL)
print(child.pid, flush=True)
time.sleep(60)
"""
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def alive(number: int) -> bool:
    """Whether this process runs; a zombie waiting to be collected does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def children_of(number: int) -> list[int]:
    """Every process below this one."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == number:
            found += [int(stat.parent.name), *children_of(int(stat.parent.name))]
    return found


def until(what: object, seconds: float) -> bool:
    assert callable(what)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return bool(what())


def test_the_end_of_input_ends_it_after_what_was_asked_before_is_answered(served: Pipes) -> None:
    for number in range(5):
        served.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "recall"}})
    served.end_input()
    answered = {served.receive()["id"] for _ in range(5)}
    assert answered == set(range(5))
    assert served.gone() < 2.0
    assert served.child.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(served: Pipes, number: signal.Signals) -> None:
    served.child.send_signal(number)
    assert served.gone() < 2.0
    assert served.child.returncode == 0


def test_a_client_that_closes_our_output_ends_it(repository: Path) -> None:
    read, write = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "anchormem", "serve"], cwd=repository, stdin=subprocess.PIPE, stdout=write
    )
    os.close(write)
    os.close(read)
    assert child.stdin
    with child.stdin:
        child.stdin.write(PING)
        child.stdin.flush()
        try:
            assert child.wait(10) == 0
        finally:
            child.kill()
            child.wait()


@pytest.mark.parametrize("how", ["end", "term"])
def test_a_client_that_stops_reading_does_not_keep_it(repository: Path, how: str) -> None:
    command = [sys.executable, "-m", "anchormem", "serve"]
    with subprocess.Popen(command, cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout
        child.stdin.write(PING)
        child.stdin.flush()
        assert b"result" in child.stdout.readline()
        child.stdin.write(PING.replace(b'"id":1', b'"id":"' + b"long " * 4000 + b'"') * 8)  # answers that fill any pipe
        child.stdin.flush()
        time.sleep(0.3)
        began = time.monotonic()
        if how == "end":
            child.stdin.close()
        else:
            child.terminate()
        child.wait(5)
        assert time.monotonic() - began < 3.0  # two, and what a busy machine adds


@pytest.mark.parametrize("how", ["end", "term", "kill"])
def test_it_is_gone_in_two_seconds_even_while_indexing_and_its_children_with_it(large: Path, how: str) -> None:
    with Pipes(large) as pipes:
        pipes.shake_hands()
        index = {"name": "admin", "arguments": {"op": "index"}, "_meta": {"progressToken": "t"}}
        pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": index})
        assert pipes.receive()["method"] == "notifications/progress"
        children = children_of(pipes.child.pid)
        match how:
            case "end":
                pipes.end_input()
            case "term":
                pipes.child.terminate()
            case _:
                pipes.child.kill()
        assert pipes.gone() < 2.0
        assert until(lambda: not any(map(alive, children)), 3.0), children


def test_the_parents_death_ends_it_even_where_the_input_stays_open(repository: Path) -> None:
    read, write = os.pipe()  # our end stays open, as a sibling's copy would
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=repository, stdin=read, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        number = int(parent.stdout.readline())
        os.write(write, PING)
        assert b"result" in parent.stdout.readline()
        parent.kill()
        assert until(lambda: not alive(number), 3.0)
    os.close(read)
    os.close(write)

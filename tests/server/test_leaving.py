"""Every way the process is told to leave, and that it is gone within two seconds, its children with it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormem.server.wire import stdio
from anchormem.store import backups
from journeys.nursery import Born, Nursery, nursery
from server.wire import Pipes

needs_fork = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


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


LEAVES = 3.0  # seconds: two are promised and measured by bench/lag_bench.py on a quiet machine


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
    assert served.gone() < LEAVES
    assert served.child.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(served: Pipes, number: signal.Signals) -> None:
    served.child.send_signal(number)
    assert served.gone() < LEAVES
    assert served.child.returncode == 0


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("errors") / "printed"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, errors: Path) -> Iterator[Nursery]:
    with nursery(tmp_path_factory.mktemp("servers") / "nursery", errors) as opened:
        yield opened


def indexing(servers: Nursery, root: Path, data: Path) -> tuple[Born, list[int], float]:
    """A server in the middle of its first index, the processes that work for it, and the seconds it has to leave: two,
    and what a busy machine adds, told by how long the beginning took.
    """
    began = time.monotonic()
    server = servers.born(root, data)
    server.send("tools/call", {"name": "admin", "arguments": {"op": "index"}, "_meta": {"progressToken": "t"}})
    assert next(server.answers())["method"] == "notifications/progress"
    assert until(lambda: len(children_of(server.number)) > 1, 20.0)
    return server, children_of(server.number), LEAVES + time.monotonic() - began


def stop_reading(server: Born) -> None:
    """Answers that fill any pipe, and nobody to take them."""
    for _ in range(16):
        server.send("ping", {}, number="long " * 2000)


def end(server: Born, how: str) -> None:
    match how:
        case "the end of input":
            server.end_input()
        case "a client that hangs up":
            server.hang_up()
        case "a client that stops reading":
            stop_reading(server)
            server.end_input()
        case _:
            os.kill(server.number, signal.Signals[how])


WAYS = ("the end of input", "a client that hangs up", "a client that stops reading", "SIGTERM", "SIGINT", "SIGKILL")


@needs_fork
@pytest.mark.parametrize("how", WAYS)
def test_it_is_gone_soon_even_while_indexing_with_its_children_and_without_a_word(
    servers: Nursery, errors: Path, heavy: Path, tmp_path: Path, how: str
) -> None:
    server, children, seconds = indexing(servers, heavy, tmp_path / "data")
    end(server, how)
    assert until(lambda: not alive(server.number), seconds)
    assert until(lambda: not any(map(alive, children)), seconds), children
    server.close()
    assert errors.read_text("utf-8") == ""
    [store] = (tmp_path / "data").glob("*/memory.db")
    assert backups.check(store.parent) == ()


@needs_fork
def test_one_that_does_nothing_hears_a_client_hang_up(servers: Nursery, repository: Path) -> None:
    server = servers.born(repository)
    server.hang_up()
    assert until(lambda: not alive(server.number), 2 * LEAVES)
    server.close()


@needs_fork
def test_a_signal_ends_one_whose_answers_nobody_reads(servers: Nursery, repository: Path) -> None:
    server = servers.born(repository)
    stop_reading(server)
    time.sleep(0.2)
    os.kill(server.number, signal.SIGTERM)
    assert until(lambda: not alive(server.number), 2 * LEAVES)
    server.close()


@needs_fork
def test_the_parents_death_ends_it_even_while_indexing_and_where_the_input_stays_open(
    heavy: Path, tmp_path: Path
) -> None:
    with nursery(tmp_path / "nursery", tmp_path / "errors") as servers:
        server, children, seconds = indexing(servers, heavy, tmp_path / "data")
        servers.kill()
        assert until(lambda: not alive(server.number), seconds), "it looks once a second"
        assert until(lambda: not any(map(alive, children)), seconds), children
        server.close()
    assert (tmp_path / "errors").read_text("utf-8") == ""


def test_an_input_that_ends_after_the_conversation_is_over_makes_no_noise() -> None:
    noise: list[object] = []

    async def converse() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: noise.append(context))
        given, read = os.pipe()[::-1]
        heard, write = os.pipe()
        async with stdio(read, write, lambda: None, lambda: None) as (arriving, _):
            arriving.close()
        os.close(given)
        await asyncio.sleep(0.1)
        os.close(heard)

    asyncio.run(converse())
    assert noise == []


@needs_fork
@pytest.mark.parametrize(("sent", "said"), [(signal.SIGINT, "anchormem: interrupted\n"), (signal.SIGTERM, "")])
def test_an_index_by_hand_that_is_interrupted_says_no_more_than_that(
    heavy: Path, tmp_path: Path, sent: signal.Signals, said: str
) -> None:
    """Ctrl-C goes to every process of the terminal, and workers that are only starting must not answer it."""
    code, printed = interrupted(heavy, sent, tmp_path / "data")
    assert (bool(code), printed) == (True, said)


# What a shell runs in its background does not hear Ctrl-C, nor does what that starts: as this test may be.
INDEX = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "anchormem", "index"])
"""


def interrupted(root: Path, sent: signal.Signals, data: Path) -> tuple[int, str]:
    """Exit code and standard error of a first index that is sent a signal once its workers start."""
    command, here = [sys.executable, "-c", INDEX], {**os.environ, "ANCHORMEM_DATA_DIR": str(data)}
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with subprocess.Popen(
        command, cwd=root, env=here, stdout=null, stderr=pipe, text=True, start_new_session=True
    ) as child:
        assert child.stderr
        assert until(lambda: len(children_of(child.pid)) > 1, 20.0)
        children = children_of(child.pid)
        os.killpg(child.pid, sent)
        printed = child.stderr.read()
        code = child.wait(2 * LEAVES)
    assert until(lambda: not any(map(alive, children)), LEAVES), children
    return code, printed

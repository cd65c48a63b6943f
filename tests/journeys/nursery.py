"""Servers that cost nothing to start: a process that has loaded everything forks one for each that is asked for.

Each is a real process on pipes of its own that runs `serve`; only the loading of modules is shared, so that a test can
afford to kill twenty.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

Json = dict[str, object]
NURSERY = """
import os, signal, sys
import anchormem.cli.command_line, anchormem.cli.serve, anchormem.server.loop
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    root, given, answers, data = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, path, flags in ((0, given, os.O_RDONLY), (1, answers, os.O_WRONLY)):
            opened = os.open(path, flags)
            os.dup2(opened, number)
            os.close(opened)
        os.environ["ANCHORMEM_DATA_DIR"] = data
        os.chdir(root)
        from anchormem.cli import main
        os._exit(main(["serve"]))
    print(child, flush=True)
"""


class Born:
    """One server, spoken to a line at a time; None where it has died."""

    def __init__(self, number: int, given: BinaryIO, answers: BinaryIO) -> None:
        self.number = number
        self._given = given
        self._answers = answers
        self._sent = 0

    def send(self, method: str, params: Json, number: str = "") -> int:
        """Gives the request's number, which is `number` where there is one."""
        self._sent += 1
        line = {"jsonrpc": "2.0", "id": number or self._sent, "method": method, "params": params}
        self._given.write(json.dumps(line).encode() + b"\n")
        self._given.flush()
        return self._sent

    def call(self, tool: str, **arguments: object) -> int:
        return self.send("tools/call", {"name": tool, "arguments": arguments})

    def answers(self) -> Iterator[Json]:
        """What it says until it is dead; a line that it could not finish is none."""
        for line in self._answers:
            if line.endswith(b"\n"):
                yield json.loads(line)

    def end_input(self) -> None:
        try:
            self._given.close()
        except BrokenPipeError:
            return

    def hang_up(self) -> None:
        """Nobody reads what it says any more."""
        self._answers.close()

    def close(self) -> None:
        self.hang_up()
        self.end_input()


class Nursery:
    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._count = 0

    def kill(self) -> None:
        """Its servers have no parent from then on."""
        self._process.kill()

    def born(self, root: Path, data: Path | None = None) -> Born:
        """A server in this directory, hands shaken. `data`: another data directory than the test's."""
        self._count += 1
        ends = [self._folder / f"{self._count}.{name}" for name in ("given", "answers")]
        for end in ends:
            os.mkfifo(end)
        assert self._process.stdin
        assert self._process.stdout
        words = (root, *ends, data or os.environ["ANCHORMEM_DATA_DIR"])
        self._process.stdin.write("\t".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        number = int(self._process.stdout.readline())
        one = Born(number, ends[0].open("wb"), ends[1].open("rb"))
        client: Json = {"name": "nursery", "version": "1"}
        one.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        assert "result" in next(one.answers())
        return one


@contextmanager
def nursery(folder: Path, errors: Path | None = None) -> Iterator[Nursery]:
    """`errors`: the file that receives what all of them print on standard error."""
    folder.mkdir()
    pipe = subprocess.PIPE
    with ExitStack() as opened:
        printed = opened.enter_context(errors.open("wb")) if errors else None
        command = [sys.executable, "-c", NURSERY]
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=printed, text=True)
    try:
        yield Nursery(process, folder)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()

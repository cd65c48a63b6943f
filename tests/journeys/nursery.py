"""Servers that cost nothing to start: a process that has loaded everything forks one for each that is asked for.

Each is a real process on pipes of its own that runs `serve`; only the loading of modules is shared, so that a test can
afford to kill twenty.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

Json = dict[str, object]
NURSERY = """
import os, signal, sys
import anchormem.cli.command_line, anchormem.cli.serve, anchormem.server.loop
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    root, given, answers = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, path, flags in ((0, given, os.O_RDONLY), (1, answers, os.O_WRONLY)):
            opened = os.open(path, flags)
            os.dup2(opened, number)
            os.close(opened)
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

    def send(self, method: str, params: Json) -> int:
        self._sent += 1
        line = {"jsonrpc": "2.0", "id": self._sent, "method": method, "params": params}
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

    def close(self) -> None:
        self._answers.close()
        try:
            self._given.close()
        except BrokenPipeError:
            return


class Nursery:
    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._count = 0

    def born(self, root: Path) -> Born:
        """A server in this directory, hands shaken."""
        self._count += 1
        ends = [self._folder / f"{self._count}.{name}" for name in ("given", "answers")]
        for end in ends:
            os.mkfifo(end)
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\t".join(map(str, (root, *ends))) + "\n")
        self._process.stdin.flush()
        number = int(self._process.stdout.readline())
        one = Born(number, ends[0].open("wb"), ends[1].open("rb"))
        client: Json = {"name": "nursery", "version": "1"}
        one.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        assert "result" in next(one.answers())
        return one


@contextmanager
def nursery(folder: Path) -> Iterator[Nursery]:
    folder.mkdir()
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", NURSERY], stdin=pipe, stdout=pipe, text=True)
    try:
        yield Nursery(process, folder)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()

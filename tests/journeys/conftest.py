"""One server over pipes for a whole story: a repository whose history, edits and questions build on each other."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from server.wire import PATIENCE, Json, Pipes


@dataclass(frozen=True, slots=True)
class Desk:
    """A repository and the server that an agent talks to."""

    root: Path
    pipes: Pipes

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=anchormem tests", "-c", "user.email=tests@example.invalid")
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "work")

    def answer(self, tool: str, **arguments: object) -> object:
        """The data of a call that must succeed."""
        failed, reply = self.pipes.call(tool, PATIENCE, **arguments)
        assert not failed, reply
        return reply["data"]

    def error(self, tool: str, **arguments: object) -> Json:
        """The error of a call that must be refused."""
        failed, reply = self.pipes.call(tool, PATIENCE, **arguments)
        assert failed, reply
        error = reply["error"]
        assert isinstance(error, dict)
        assert set(error) == {"code", "message", "hint"} or set(error) == {"code", "message"}
        return error

    def remember(self, *anchors: object, body: str = "") -> str:
        """The id of a memory with these anchors."""
        said = body or f"what there is to know about {anchors}"
        stored = self.answer("remember", kind="fact", body=said, anchors=list(anchors), force=True)
        assert isinstance(stored, dict)
        return str(stored["id"])

    def recalled(self, memory: str) -> Json:
        (item,) = self.items(ids=[memory])
        return item

    def items(self, **arguments: object) -> list[Json]:
        data = self.answer("recall", **arguments)
        assert isinstance(data, list)
        return data

    def fate(self, memory: str) -> str:
        """The fate of its first anchor as one word, with its reason: `stale:body_edited`."""
        anchors = self.recalled(memory)["anchors"]
        assert isinstance(anchors, list)
        reason = anchors[0].get("reason")
        return str(anchors[0]["fate"]) + (f":{reason}" if reason else "")

    def status(self, memory: str) -> str:
        return str(self.recalled(memory).get("status", "active"))


@pytest.fixture
def desk(repository: Path) -> Iterator[Desk]:
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        yield Desk(repository, pipes)

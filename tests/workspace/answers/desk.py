"""A small real project, and one word for each question a person or agent asks of it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from anchormem.model import JsonObject, Reply
from anchormem.workspace import affected, recall, remember, verify
from anchormem.workspace import map as mapping
from anchormem.workspace.admin import BY_NAME
from anchormem.workspace.session import open_workspace

Git = Callable[..., str]

QUEUE = '''"""The queue of paths to scan."""

BATCH_SIZE = 50
RETRIES = 7


class Base:
    def run(self, paths):
        return [path for path in paths if path.exists() and not path.is_symlink()]


class ScanQueue(Base):
    """Holds paths until somebody scans them."""

    def seed(self, paths, limit=200):
        """Takes the first paths."""
        chosen = []
        for path in paths:
            if len(chosen) >= limit:
                break
            chosen.append(path)
        return self.batch(chosen)

    def batch(self, chosen):
        total = len(chosen)
        return [chosen[start : start + BATCH_SIZE] for start in range(0, total, BATCH_SIZE)]
'''
USE = """from lib.queue import ScanQueue


def main(paths):
    queue = ScanQueue()
    return queue.seed(paths)
"""
NOTES = """# Service

## Start

Run `make start` and wait for the port.
"""


class Desk:
    """One opened checkout and its use cases."""

    def __init__(self, root: Path, git: Git) -> None:
        self.root = root
        self._git = git
        self.ws = open_workspace(root, client="pytest", session="session-one")

    def git(self, *arguments: str) -> str:
        return self._git(self.root, *arguments)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text("utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def commit(self, message: str = "change") -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def remember(self, body: str, *anchors: object, **more: object) -> Reply:
        return self.ask_to_remember({"kind": "fact", "body": body, "anchors": list(anchors), **more})

    def ask_to_remember(self, arguments: Mapping[str, object]) -> Reply:
        return remember.remember(self.ws, arguments)

    def know(self, body: str, *anchors: object, **more: object) -> str:
        """Remembers and gives the id."""
        return str(record(self.remember(body, *anchors, **more))["id"])

    def update(self, memory: str, **more: object) -> JsonObject:
        return record(remember.remember(self.ws, {"update": memory, **more}))

    def recall(self, task: str, **more: object) -> Reply:
        return recall.recall(self.ws, {"task": task, **more})

    def found(self, task: str, **more: object) -> list[JsonObject]:
        return records(self.recall(task, **more))

    def whole(self, memory: str, **more: object) -> JsonObject:
        return records(recall.recall(self.ws, {"ids": [memory], **more}))[0]

    def map(self, target: str, **more: object) -> JsonObject:
        return record(mapping.map_target(self.ws, {"target": target, **more}))

    def affected(self, **more: object) -> JsonObject:
        return record(affected.affected(self.ws, more))

    def queue(self, **more: object) -> list[JsonObject]:
        return records(verify.queue(self.ws, more))

    def admin(self, op: str, **more: object) -> Reply:
        return BY_NAME[op].run(self.ws, more)

    def found_all(self) -> list[JsonObject]:
        """Every memory, whatever became of it."""
        return records(self.admin("list", limit=500))

    def count(self) -> int:
        """How many memories are stored, whatever became of them."""
        return len(self.found_all())


def record(reply: Reply) -> JsonObject:
    assert isinstance(reply.data, dict)
    return reply.data


def records(reply: Reply) -> list[JsonObject]:
    assert isinstance(reply.data, list)
    return reply.data


def rows(answer: JsonObject, name: str) -> list[JsonObject]:
    """The list of objects under a key; none where the key is left out."""
    value = answer.get(name, [])
    assert isinstance(value, list)
    return value


def part(answer: JsonObject, name: str) -> JsonObject:
    """The object under a key."""
    value = answer[name]
    assert isinstance(value, dict)
    return value

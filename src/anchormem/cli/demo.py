"""`anchormem demo`: the life of one anchor in a scratch repository, told step by step and checked at each.

Uses the tools as an agent would. Touches neither the repository it is started in nor the person's own data.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anchormem.cli.options import Options, Parser
from anchormem.cli.render import fields, items
from anchormem.cli.screen import paint, plain, say
from anchormem.tools.recall import TOOL as RECALL
from anchormem.tools.remember import TOOL as REMEMBER
from anchormem.workspace.session import Workspace, close, open_workspace

_DATA = "ANCHORMEM_DATA_DIR"
_FILE = "jobs.py"
_CODE = '''\
def drain(queue, limit=50):
    """Send at most `limit` jobs."""
    sent = 0
    while queue and sent < limit:
        queue.pop().send()
        sent += 1
    return sent
'''
_BODY = "drain sends at most 50 jobs at a time: the gateway refuses larger bursts"


@dataclass(frozen=True, slots=True)
class Seen:
    """What recall says of the one memory after a step."""

    status: str
    reason: str
    changed: str
    at: str

    def __str__(self) -> str:
        parts = (self.status, self.reason and f"({self.reason})", self.changed, f"at {self.at}")
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Step:
    """`act` changes the scratch repository; `holds` says whether what recall answers then is right."""

    title: str
    act: Callable[[Path], None]
    expected: str
    holds: Callable[[Seen], bool]


def _writes(code: str, name: str = _FILE) -> Callable[[Path], None]:
    def act(root: Path) -> None:
        for old in root.glob("*.py"):
            old.unlink()
        (root / name).write_text(code, "utf-8")

    return act


STEPS = (
    Step("nothing has happened yet", _writes(_CODE), "active", lambda seen: seen.status == "active"),
    Step(
        "a comment is added and the layout changes",
        _writes(_CODE.replace("    sent = 0\n", "    # how many went out\n\n    sent  =  0\n")),
        "active: the code says the same",
        lambda seen: seen.status == "active",
    ),
    Step(
        "somebody raises the limit to 200",
        _writes(_CODE.replace("50", "200")),
        "stale, with what changed: 50 → 200",
        lambda seen: seen.status == "stale" and "50" in seen.changed and "200" in seen.changed,
    ),
    Step("the edit is undone", _writes(_CODE), "active again", lambda seen: seen.status == "active"),
    Step(
        "the function is renamed",
        _writes(_CODE.replace("drain", "flush_pending")),
        "active, followed to its new name",
        lambda seen: seen.status == "active" and seen.at == f"{_FILE}::flush_pending",
    ),
    Step(
        "and moved to another file",
        _writes(_CODE.replace("drain", "flush_pending"), "outbox.py"),
        "active, followed to its new file",
        lambda seen: seen.status == "active" and seen.at == "outbox.py::flush_pending",
    ),
)


def add_arguments(parser: Parser) -> None:
    parser.epilog = "exits with 1 when a step does not show what it must"


def run(options: Options) -> int:  # noqa: ARG001 — every command takes its options
    with tempfile.TemporaryDirectory(prefix="anchormem-demo-") as scratch, _own_data(Path(scratch) / "data"):
        root = Path(scratch) / "repository"
        _repository(root)
        _writes(_CODE)(root)
        ws = open_workspace(root, client="demo")
        try:
            wrong = _story(ws, root)
        finally:
            close(ws)
    say("", paint(f"{wrong} of {len(STEPS)} steps went wrong", "red") if wrong else paint("all as it must be", "green"))
    return int(bool(wrong))


def _story(ws: Workspace, root: Path) -> int:
    """Tells it; gives the number of steps that did not hold."""
    args = {"kind": "decision", "body": _BODY, "anchors": f"{_FILE}::drain"}
    stored = REMEMBER.run(ws, REMEMBER.arguments(args))
    number = str(fields(stored.data).get("id"))
    say(paint(f"An agent remembers, anchored to {_FILE}::drain:", "bold"), f"  {plain(_BODY)}", "")
    wrong = 0
    for step in STEPS:
        step.act(root)
        seen = _recall(ws, number)
        holds = step.holds(seen)
        wrong += not holds
        verdict = paint("ok", "green") if holds else paint(f"WRONG, expected {step.expected}", "red")
        say(f"- {step.title}", f"    recall: {plain(str(seen))}", f"    {verdict}")
    return wrong


def _recall(ws: Workspace, number: str) -> Seen:
    reply = RECALL.run(ws, RECALL.arguments({"ids": [number]}))
    found = fields(next(iter(items(reply.data)), None))
    anchor: Mapping[str, object] = fields(next(iter(items(found.get("anchors"))), None))
    return Seen(
        status=str(found.get("status", "active")),
        reason=str(anchor.get("reason", "")),
        changed=str(anchor.get("changed", "")),
        at=str(anchor.get("at", "")),
    )


def _repository(root: Path) -> None:
    """An empty git repository, made by hand: starting git to write is nothing this program does."""
    for folder in ("objects", "refs/heads"):
        (root / ".git" / folder).mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (root / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n", "utf-8")


@contextmanager
def _own_data(directory: Path) -> Iterator[None]:
    """While inside, stores are kept in this directory."""
    before = os.environ.get(_DATA)
    os.environ[_DATA] = str(directory)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_DATA]
        else:
            os.environ[_DATA] = before

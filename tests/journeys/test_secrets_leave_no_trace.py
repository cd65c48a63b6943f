"""A secret's value reaches no file of ours, no log and no reply, wherever in a call or in the code it stands."""

import json
import string
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchormem.cli import main
from server.conftest import git, home_of, make_repository
from server.wire import Pipes

Call = tuple[str, dict[str, object]]
LETTERS = string.ascii_letters + string.digits
CODE = """\
API = "SECRET"


def f(key="SECRET"):
    return g("SECRET")


class A(B, token="SECRET"):
    KEY = "SECRET"
"""
FILES = {
    "keys.py": CODE,
    "keys.ts": 'import z from "./SECRET";\nexport const T = "SECRET";\n',
    "keys.md": "# Title SECRET\n\ntext SECRET\n",
    "keys.json": '{"SECRET": 1, "k": "SECRET"}\n',
    "keys.sh": "export T=SECRET\nf() {\n  echo SECRET\n}\n",
}

# What a value stands in, so that it is known for a secret.
SHAPES: dict[str, Callable[[str], str]] = {
    "github": lambda v: f"{'gh'}p_{v}",
    "openai": lambda v: f"{'s'}k-{v}",
    "jwt": lambda v: f"{'ey'}JhbGciOiJIUzI1NiJ9.{'ey'}JzdWIiOiIxMjM0In0.{v}",
    "url": lambda v: f"postgres://app:{v}@db/orders",
    "password": lambda v: f'{"pass"}word = "{v}"',
    "connection": lambda v: f"Server=db;User Id=a;{'Pass'}word={v};",
    "bearer": lambda v: f"Authorization: {'Bear'}er {v}",
    "private key": lambda v: f"-----BEGIN {'PRIVATE'} KEY-----\n{v}",
}
FACT: dict[str, object] = {"kind": "fact", "body": "f takes a key", "force": True}
PLACES: dict[str, Callable[[str], Call]] = {
    "body": lambda s: ("remember", {**FACT, "body": s}),
    "kind": lambda s: ("remember", {**FACT, "kind": s}),
    "file": lambda s: ("remember", {**FACT, "anchors": [{"file": s}]}),
    "symbol": lambda s: ("remember", {**FACT, "anchors": [{"file": "keys.py", "symbol": s}]}),
    "quote": lambda s: ("remember", {**FACT, "anchors": [{"file": "keys.py", "symbol": "f", "quote": s}]}),
    "aspect": lambda s: ("remember", {**FACT, "anchors": [{"file": "keys.py", "symbol": "f", "aspect": s}]}),
    "short anchor": lambda s: ("remember", {**FACT, "anchors": [f"keys.py::{s}"]}),
    "key of an anchor": lambda s: ("remember", {**FACT, "anchors": [{"file": "keys.py", s: "f"}]}),
    "anchors as text": lambda s: ("remember", {**FACT, "anchors": f"[{s}"}),
    "command": lambda s: ("remember", {**FACT, "evidence": {"command": s, "output": "ok"}}),
    "output": lambda s: ("remember", {**FACT, "evidence": {"command": "make", "output": f"ok\n{s}"}}),
    "exit code": lambda s: ("remember", {**FACT, "evidence": {"command": "a", "output": "b", "exit_code": s}}),
    "origin": lambda s: ("remember", {**FACT, "origin": s}),
    "link": lambda s: ("remember", {**FACT, "links": [{"target": s, "rel": "supports"}]}),
    "relation": lambda s: ("remember", {**FACT, "links": [{"target": "abc", "rel": s}]}),
    "supersedes": lambda s: ("remember", {**FACT, "supersedes": s}),
    "update": lambda s: ("remember", {**FACT, "update": s}),
    "argument": lambda s: ("remember", {**FACT, s: 1}),
    "confidence": lambda s: ("remember", {**FACT, "confidence": s}),
    "task": lambda s: ("recall", {"task": f"f {s}", "why": True}),
    "working set": lambda s: ("recall", {"task": "f", "working_set": [s, f"x/{s}"]}),
    "ids": lambda s: ("recall", {"ids": [s]}),
    "kinds": lambda s: ("recall", {"task": "f", "kinds": [s]}),
    "target": lambda s: ("map", {"target": s}),
    "symbol of a target": lambda s: ("map", {"target": f"keys.py::{s}"}),
    "detail": lambda s: ("map", {"target": "keys.py", "detail": s}),
    "base": lambda s: ("affected", {"base": s}),
    "paths": lambda s: ("affected", {"paths": [s]}),
    "limit": lambda s: ("verify_queue", {"limit": s}),
    "operation": lambda s: ("admin", {"op": s}),
    "id": lambda s: ("admin", {"op": "get", "id": s}),
    "proof": lambda s: ("admin", {"op": "reverify", "id": "abc", "command": "make", "output": s}),
    "anchors anew": lambda s: ("admin", {"op": "reanchor", "id": "abc", "anchors": [s]}),
    "text": lambda s: ("admin", {"op": "list", "text": s}),
    "path": lambda s: ("admin", {"op": "list", "path": s}),
    "tool": lambda s: (s, {}),
}


KEPT = ("body", "file", "symbol", "quote", "short anchor", "command", "output", "origin")  # what would be kept as it is


SHARED: dict[str, object] = {"kind": "fact", "source": "explicit", "confidence": 0.8, "created_at": 1, "updated_at": 1}
FIELDS: dict[str, Callable[[str], object]] = {
    "body": str,
    "origin": str,
    "evidence": lambda s: {"command": "make", "output": s, "exit_code": 0, "at": 1},
    "anchors": lambda s: [{"slot": ["keys.py", s, ""], "aspect": "body"}],
}


def value(seed: int) -> str:
    """Letters of both cases and digits that stand nowhere else."""
    digest = sha256(str(seed).encode()).digest() * 2
    return "aB3" + "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:40])


class Story:
    """One server, every value that it was told, and everything that it said."""

    def __init__(self, folder: Path, pipes: Pipes) -> None:
        self.folder, self.pipes = folder, pipes
        self.values: dict[str, str] = {}
        self.said: list[str] = []

    def new(self, place: str) -> str:
        made = value(len(self.values))
        self.values[made] = place
        return made

    def traces(self, where: bytes) -> set[str]:
        """Places whose value, or a good part of it, is in these bytes."""
        parts = ((place, one) for one, place in self.values.items())
        return {place for place, one in parts if any(one[at : at + 12].encode() in where for at in (0, 14, 28))}

    def look(self, *, wal: bool) -> None:
        """No file of ours holds any of them; with `wal`, there is a log of what was written last."""
        files: dict[Path, bytes] = {}
        for path in (self.folder / "home").rglob("*"):
            with suppress(FileNotFoundError, IsADirectoryError):  # a draft of the running server may be gone again
                files[path] = path.read_bytes()
        assert any(path.suffix == ".db" for path in files)
        assert not wal or any(data for path, data in files.items() if path.name == "memory.db-wal")
        for path, data in files.items():
            assert self.traces(data) == set(), path.name


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("secrets")
    root = make_repository(folder / "repository")
    with Pipes(root, env=home_of(folder) | {"CLAUDE_PROJECT_DIR": str(root)}) as pipes:
        one = Story(folder, pipes)
        for path, text in FILES.items():
            pieces = text.split("SECRET")
            tokens = [SHAPES["github"](one.new(f"code of {path}")) for _ in pieces[1:]]
            code = "".join(part for pair in zip(pieces, [*tokens, ""], strict=True) for part in pair)
            (root / path).write_text(code, "utf-8")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", "keys")
        pipes.shake_hands()
        yield one


def ask(story: Story, tool: str, arguments: Mapping[str, object]) -> str:
    """The answer, as the client got it."""
    answer = story.pipes.request("tools/call", {"name": tool, "arguments": arguments})
    story.said.append(repr(answer))
    return json.dumps(answer)


def test_code_with_secrets_is_remembered_mapped_and_seen_to_change_without_them(story: Story) -> None:
    ask(story, "admin", {"op": "index"})
    anchors = [
        "keys.py::API",
        "keys.py::f",
        "keys.py::A",
        "keys.py::A.KEY",
        "keys.ts::T",
        "keys.sh::f",
        "keys.json",
        "keys.md",
    ]
    for anchor in anchors:
        ask(story, "remember", {**FACT, "body": f"about {anchor}", "anchors": [anchor]})
    told = [("map", {"target": path, "detail": "body"}) for path in FILES]
    later = [("recall", {"task": "about"}), ("affected", {}), ("verify_queue", {}), ("map", {"target": "f"})]
    for tool, arguments in (*told, *later):
        ask(story, tool, arguments)
    for path in FILES:
        file = story.folder / "repository" / path
        file.write_text(file.read_text("utf-8").replace("ghp_", "ghp_9"), "utf-8")
    for tool, arguments in (*later, *told):
        ask(story, tool, arguments)
    assert sum("about keys" in said for said in story.said) >= 2


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=st.sampled_from(sorted(PLACES)),
    shape=st.sampled_from(sorted(SHAPES)),
    split=st.sampled_from(["", "\n", "\r\n", "\u200b"]),
    at=st.integers(4, 30),
    before=st.sampled_from(["", "the key: ", "ключ "]),
)
def test_wherever_it_stands_in_a_call(
    *, story: Story, place: str, shape: str, split: str, at: int, before: str
) -> None:
    made = story.new(f"{place} ({shape})")
    cut = made[:at] + (split if shape in ("github", "openai") else "") + made[at:]
    said = ask(story, *PLACES[place](before + SHAPES[shape](cut)))
    if place in KEPT:
        assert '\\"code\\":\\"secret\\"' in said, said


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_what_is_no_call_at_all_leaves_no_trace_either(story: Story, shape: str) -> None:
    one = SHAPES[shape](story.new(f"line ({shape})"))
    story.pipes.send(f'{{"jsonrpc": "2.0", "id": 1, "method": "{one}'.encode() + b"\n")
    story.said.append(repr(story.pipes.receive()))
    story.said.append(repr(story.pipes.request("tools/list", {"cursor": one})))
    story.pipes.request(one)  # the protocol's own answer repeats the name of an unknown method


def test_no_log_of_the_store_holds_one_while_the_server_runs(story: Story) -> None:
    ask(story, "remember", {**FACT, "body": "nothing is secret here"})
    story.look(wal=True)


@pytest.fixture
def at_hand(story: Story, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of the server, for a person's commands."""
    root = story.folder / "repository"
    for name, value_of in home_of(story.folder).items():
        monkeypatch.setenv(name, value_of)
    monkeypatch.chdir(root)
    return root


def typed(story: Story, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """How a command ends and what it prints, on either stream; both are kept."""
    capsys.readouterr()
    code = main([*words])
    said = capsys.readouterr()
    story.said += said
    return code, said.out + said.err


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.usefixtures("at_hand")
def test_a_person_who_types_one_is_refused(shape: str, story: Story, capsys: pytest.CaptureFixture[str]) -> None:
    one = SHAPES[shape](story.new(f"typed ({shape})"))
    for words in ([f"the key is {one}"], ["a key", "--command", "make", "--output", one], ["a key", "--origin", one]):
        code, said = typed(story, capsys, "remember", *words, "--kind", "fact")
        assert code == 1
        assert "looks like it holds a secret" in said


def test_notes_with_one_are_refused_alone(story: Story, at_hand: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = [f"- {shape}: {SHAPES[shape](story.new(f'note ({shape})'))}\n" for shape in sorted(SHAPES)]
    (at_hand / "NOTES.md").write_text(f"# Keys\n\n{''.join(notes)}- This note holds none.\n", "utf-8")
    code, said = typed(story, capsys, "seed", "NOTES.md", "--json")
    data = json.loads(said)["data"]
    assert (code, len(data["refused"]), len(data["stored"])) == (1, len(SHAPES), 1)


def test_shared_memories_with_one_are_refused_alone(
    story: Story, at_hand: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[dict[str, object]] = [{"anchormem": 1}, {**SHARED, "id": "s000000000", "body": "no key is shared here"}]
    for shape in sorted(SHAPES):
        for field, made in FIELDS.items():
            one = SHAPES[shape](story.new(f"{field} of a shared memory ({shape})"))
            told = {"id": f"s{len(lines):09}", "body": f"a shared fact about {field} and {shape}", field: made(one)}
            lines.append({**SHARED, **told})
    (at_hand / "shared.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    _, said = typed(story, capsys, "import", "--path", "shared.jsonl", "--json")
    data = json.loads(said)["data"]
    assert (data["new"], data["refused"]) == (1, len(lines) - 2), data


@pytest.mark.parametrize("event", ["SessionStart", "PreToolUse", "PostToolUse"])
def test_an_event_of_an_agent_with_one_is_not_repeated(event: str, story: Story, at_hand: Path) -> None:
    one = SHAPES["github"](story.new(event))
    tool = {"file_path": str(at_hand / "keys.py"), "new_string": one, "command": one}
    given = {"hook_event_name": event, "session_id": one, "cwd": str(at_hand), "prompt": one, "tool_input": tool}
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", "hook"], input=json.dumps(given), text=True, capture_output=True, check=True
    )
    story.said += [done.stdout, done.stderr]


def test_no_file_no_log_and_no_reply_holds_any_of_them(story: Story) -> None:
    assert story.values  # how many depends on which of the tests above ran in this process
    story.pipes.end_input()
    story.pipes.gone(5)
    assert story.pipes.child.stderr
    assert story.traces(story.pipes.child.stderr.read()) == set()
    story.look(wal=False)
    assert {(one, said[:600]) for said in story.said for one in story.traces(said.encode())} == set()

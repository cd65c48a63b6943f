"""Bad input over the wire: each a clear error or a stated state, nothing stored or lost, and the next call is fine."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import modes
from journeys.conftest import Desk
from server.wire import Pipes

CODE = (
    "LIMIT = 50\n\n\ndef send(rows):\n    return rows[:LIMIT]\n\n\nclass Box:\n    def send(self):\n        return 1\n"
)


@pytest.fixture
def shop(desk: Desk) -> Iterator[Desk]:
    """A committed repository with one module and one memory; afterwards both are as they were."""
    desk.write("jobs.py", CODE)
    desk.write(".gitignore", ".env\n")
    desk.write(".env", "MODE=local\n")
    desk.commit()
    kept = desk.remember("jobs.py::LIMIT", body="the limit is 50 rows")
    yield desk
    assert desk.recalled(kept)["body"] == "the limit is 50 rows"
    (item,) = desk.items(task="what is the limit of rows")
    assert item["id"] == kept


FACT = {"kind": "fact", "body": "something worth knowing"}
SEND = {"file": "jobs.py", "symbol": "send"}
QUOTE = {"file": "jobs.py", "symbol": "LIMIT", "quote": "LIMIT = 51"}
FAILED = {"command": "make", "output": "no", "exit_code": 2}
REFUSALS: dict[str, tuple[str, dict[str, object], str, str]] = {
    "an unknown argument": ("recall", {"tasks": "x"}, "unknown_argument", "task"),
    "a misspelt argument": ("remember", {**FACT, "bodyy": "x"}, "unknown_argument", "body"),
    "an unknown kind": ("remember", {**FACT, "kind": "facts"}, "usage", "fact"),
    "a budget out of range": ("recall", {"task": "x", "budget_tokens": 100}, "usage", "256"),
    "an absolute path": ("remember", {**FACT, "anchors": ["/etc/passwd"]}, "bad_path", "/etc/passwd"),
    "a traversing path": ("remember", {**FACT, "anchors": ["../../etc/passwd"]}, "bad_path", "etc/passwd"),
    "a path with NUL": ("remember", {**FACT, "anchors": ["jobs\0.py"]}, "bad_path", ""),
    "an ignored file": ("remember", {**FACT, "anchors": [".env"]}, "bad_path", ".env"),
    "a missing file": ("remember", {**FACT, "anchors": ["job.py"]}, "not_found", "job.py"),
    "an unknown symbol": ("remember", {**FACT, "anchors": ["jobs.py::LIMITS"]}, "not_found", "LIMIT"),
    "an ambiguous symbol": ("remember", {**FACT, "anchors": [SEND]}, "ambiguous_symbol", "Box.send"),
    "an empty body": ("remember", {"kind": "fact", "body": ""}, "usage", "body"),
    "a huge body": ("remember", {"kind": "fact", "body": "x" * 70_000}, "usage", "65"),
    "a quote that is not there": ("remember", {**FACT, "anchors": [QUOTE]}, "", "quote"),
    "an unknown memory": ("admin", {"op": "forget", "id": "zzzzzzzzzz"}, "not_found", "zzzzzzzzzz"),
    "an unknown operation": ("admin", {"op": "forgot"}, "usage", "forget"),
    "a target nobody has": ("map", {"target": "nothing_like_that"}, "not_found", "nothing_like_that"),
    "a base that does not exist": ("affected", {"base": "no-such-ref"}, "not_found", "no-such-ref"),
    "evidence that failed": ("remember", {**FACT, "evidence": FAILED}, "", "exit"),
    "evidence without output": ("remember", {**FACT, "evidence": {"command": "make", "output": ""}}, "", "output"),
    "a secret": ("remember", {"kind": "fact", "body": "the key is AKIA" + "Q3EGRZ7WXN2MPL5D"}, "secret", "body"),
}  # fmt: skip


def test_each_bad_call_is_refused_by_name_and_changes_nothing(shop: Desk) -> None:
    for name, (tool, arguments, code, word) in REFUSALS.items():
        error = shop.error(tool, **arguments)
        if code:
            assert error["code"] == code, (name, error)
        assert word in f"{error['message']} {error['hint']}", (name, error)
        assert "Q3EGRZ7WXN2MPL5D" not in str(error), name
    status = shop.answer("admin", op="status")
    assert isinstance(status, dict)
    assert status["memories"]["total"] == 1


def test_a_form_that_an_ambiguity_offers_is_accepted_as_it_is_written(shop: Desk) -> None:
    hint = str(shop.error("remember", **FACT, anchors=[SEND])["hint"])
    offered = [word.strip(",") for word in hint.split() if "::" in word]
    assert offered == ["jobs.py::send", "jobs.py::Box.send"]
    for form in offered:
        stored = shop.answer("remember", **FACT, anchors=[form], force=True)
        assert isinstance(stored, dict)
        assert stored["anchors"] == [form]
        shop.answer("admin", op="forget", id=stored["id"])


def test_files_that_no_parser_likes_keep_their_file_anchor_and_harm_nothing(shop: Desk) -> None:
    (shop.root / "latin.py").write_bytes("# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'\n".encode("latin-1"))
    (shop.root / "bytes.bin").write_bytes(bytes(range(256)) * 10)
    shop.write("broken.py", "def f(:\n    return (1\n")
    shop.write("deep.py", "x = " + "(" * 3000 + "1" + ")" * 3000 + "\n")
    shop.write("deep.js", "[" * 3000 + "]" * 3000 + ";\n")
    for path in ("latin.py", "bytes.bin", "broken.py", "deep.py", "deep.js"):
        memory = shop.remember(path)
        assert shop.fate(memory) == "fresh", path
    assert shop.fate(shop.remember("latin.py::NAME")) == "fresh"
    shop.answer("admin", op="index")
    shop.answer("map", target="deep.py")


def test_a_line_that_is_not_json_is_answered_as_such(shop: Desk) -> None:
    shop.pipes.send(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"\n')
    error = shop.pipes.receive()["error"]
    assert isinstance(error, dict)
    assert error["code"] == -32700


def test_an_empty_repository_and_one_without_commits_work(desk: Desk) -> None:
    assert desk.items(task="anything") == []
    desk.write("jobs.py", CODE)
    memory = desk.remember("jobs.py::LIMIT")
    assert desk.fate(memory) == "fresh"
    desk.write("jobs.py", CODE.replace("50", "60"))
    assert desk.fate(memory) == "stale:body_edited"


def test_a_directory_without_git_works_and_says_what_needs_git(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "jobs.py").write_text(CODE, "utf-8")
    with Pipes(folder) as pipes:
        pipes.shake_hands()
        desk = Desk(folder, pipes)
        memory = desk.remember("jobs.py::LIMIT")
        desk.write("jobs.py", CODE.replace("50", "60"))
        assert desk.fate(memory) == "stale:body_edited"
        assert desk.error("affected")["code"] == "not_a_repository"


@pytest.mark.parametrize("where", ["~", "/"])
def test_home_and_the_root_of_the_disk_are_refused_and_nothing_is_created(private_home: Path, where: str) -> None:
    start = private_home if where == "~" else Path("/")
    with Pipes(start) as pipes:
        pipes.shake_hands()
        error = Desk(start, pipes).error("recall", task="x")
    assert error["code"] == "bad_root"
    assert not (private_home / "data").exists()


def writable(data: Path, *, yes: bool) -> None:
    for each in [data, *data.rglob("*")]:
        with suppress(FileNotFoundError):  # a draft of a running server may be gone again
            mode = each.stat().st_mode
            each.chmod(mode | 0o200 if yes else mode & ~0o222)


@modes.obeyed
def test_a_read_only_data_directory_still_answers_and_refuses_to_store(shop: Desk, private_home: Path) -> None:
    data = private_home / "data"
    writable(data, yes=False)
    try:
        with Pipes(shop.root) as pipes:
            pipes.shake_hands()
            desk = Desk(shop.root, pipes)
            assert desk.items(task="what is the limit of rows")
            assert desk.error("remember", **FACT)["code"] == "store_read_only"
    finally:
        writable(data, yes=True)


def test_end_of_input_in_the_middle_of_an_index_loses_nothing(repository: Path) -> None:
    body = "\n\n".join(f"def f{n}(a):\n    return [a, {n}, a + {n}]" for n in range(60))
    for number in range(150):
        (repository / f"m{number}.py").write_text(f"N = {number}\n\n{body}\n", "utf-8")
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        memory = Desk(repository, pipes).remember("m7.py::f3", body="the third is special")
        pipes.notify("tools/call", {})
        pipes.send(
            {
                "jsonrpc": "2.0",
                "id": 9,
                "method": "tools/call",
                "params": {"name": "admin", "arguments": {"op": "index"}},
            }
        )
        time.sleep(0.2)
        pipes.end_input()
        pipes.gone(within=4)
    with Pipes(repository) as pipes:
        pipes.shake_hands()
        desk = Desk(repository, pipes)
        assert desk.recalled(memory)["body"] == "the third is special"
        assert desk.fate(memory) == "fresh"
        index = desk.answer("admin", op="index")
    assert isinstance(index, dict)
    assert index["outcome"] == "complete"

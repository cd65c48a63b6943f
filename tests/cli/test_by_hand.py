"""The tools in a person's hands: the same answers, text or JSON, and a walk through the queue."""

import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anchormem.cli import demo, main
from anchormem.cli.recall import NOTHING
from anchormem.cli.verify import arguments
from anchormem.errors import Refused

CODE = "BATCH = 50\n\n\ndef drain(queue):\n    return queue[:BATCH]\n"
PROOF = f"{sys.executable} check.py"


@pytest.fixture
def project(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (repository / "jobs.py").write_text(CODE, "utf-8")
    (repository / "check.py").write_text("print('proved')\n", "utf-8")
    monkeypatch.chdir(repository)
    return repository


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """The JSON of one command that must succeed."""
    code = main([*words, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    value = json.loads(out)
    assert isinstance(value, dict)
    return value


def remember(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    words = ("remember", "drain takes the first batch", "--kind", "fact", "--anchor", "jobs.py::drain", *more)
    data = answered(capsys, *words)["data"]
    assert isinstance(data, dict)
    return str(data["id"])


def edit(project: Path) -> None:
    (project / "jobs.py").write_text(CODE.replace("queue[:BATCH]", "queue[1:BATCH]"), "utf-8")


@pytest.mark.usefixtures("project")
def test_what_a_person_remembers_is_marked_as_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    number = remember(capsys)
    data = answered(capsys, "admin", "get", number)["data"]
    assert '"by": "human"' in json.dumps(data)


@pytest.mark.usefixtures("project")
def test_text_for_people_is_not_json(capsys: pytest.CaptureFixture[str]) -> None:
    number = remember(capsys)
    assert main(["recall", "what does drain take"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(number)
    assert "drain takes the first batch" in out
    assert "{" not in out


@pytest.mark.usefixtures("project")
def test_a_recall_that_finds_nothing_says_where_to_look(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "quaternions"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == NOTHING


@pytest.mark.parametrize(
    "words",
    [
        ["recall", "drain"],
        ["map", "jobs.py"],
        ["map", "jobs.py::drain"],
        ["verify"],
        ["admin", "list"],
        ["admin", "ledger"],
        ["admin", "--kinds", "fact", "list", "--limit", "3"],
        ["status"],
        ["index"],
        ["index", "--full"],
        ["stats"],
    ],
    ids=" ".join,
)
def test_every_command_answers_in_text_and_in_json(
    project: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    remember(capsys)
    edit(project)
    assert main(words) == 0
    assert capsys.readouterr().out.strip()
    assert answered(capsys, *words).keys() == {"data", "meta"}


@pytest.mark.usefixtures("project")
def test_the_body_can_come_from_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", "remember", "-", "--kind", "fact", "--json"],
        input="a long story\n",
        capture_output=True,
        text=True,
        check=True,
    )
    number = json.loads(done.stdout)["data"]["id"]
    items = answered(capsys, "recall", "--ids", number)["data"]
    assert isinstance(items, list)
    assert items[0]["body"].strip() == "a long story"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("said", [(), ("--source", "verified")])
def test_evidence_given_by_flags_makes_a_memory_verified(
    said: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    number = remember(capsys, *said, "--command", PROOF, "--output", "proved")
    assert '"source": "verified"' in json.dumps(answered(capsys, "admin", "get", number)["data"])


@pytest.mark.usefixtures("project")
def test_advice_is_printed_as_the_anchor_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    (Path.cwd() / "it's.py").write_text("def drain(queue, size=50):\n    return queue[:size]\n", "utf-8")
    words = ["remember", "at most 50 jobs go out", "--kind", "fact"]
    assert main([*words, "--anchor", "it's.py::drain"]) == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.strip().startswith("--anchor "))
    typed = shlex.split(line)
    assert json.loads(typed[1]) == {"file": "it's.py", "symbol": "drain", "quote": "size=50"}
    assert 'drain \\"size=50\\"' in json.dumps(answered(capsys, *words, "--force", *typed)["data"])


@pytest.mark.parametrize("name", ["remember", "admin"])
def test_the_help_shows_the_form_for_quotes_and_aspects(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert 'JSON {"file", "symbol", "quote"}' in shown
    assert "signature or exists" in shown


def walk(project: Path, answers: list[str], *words: str) -> str:
    """`anchormem verify` on a terminal, each answer typed when it asks."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "anchormem", "verify", *words],
        cwd=project,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "NO_COLOR": "1"},
    )
    os.close(theirs)
    seen, waiting, end = "", list(answers), time.monotonic() + 30
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.1)[0]:
            if child.poll() is not None:
                break
            continue
        try:
            chunk = os.read(ours, 65536).decode()
        except OSError:
            break
        seen += chunk
        if waiting and re.search(r"(\? |\[y/N\] |it\): )$", seen):
            os.write(ours, waiting.pop(0).encode() + b"\n")
            seen += "\n"
    child.wait(10)
    os.close(ours)
    assert child.returncode == 0, seen
    return seen


def test_a_proof_is_shown_approved_run_and_stored(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = remember(capsys, "--command", PROOF, "--output", "proved")
    edit(project)
    seen = walk(project, ["run", "y", "y"])
    assert PROOF in seen
    assert "proved" in seen
    assert answered(capsys, "verify")["data"] == []
    assert '"status": "stale"' not in json.dumps(answered(capsys, "recall", "--ids", number)["data"])


def test_a_proof_runs_only_when_approved_and_stores_nothing_when_it_fails(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remember(capsys, "--command", PROOF, "--output", "proved")
    edit(project)
    (project / "check.py").write_text("import sys\nopen('runs', 'a').write('x')\nsys.exit('disproved')\n", "utf-8")
    seen = walk(project, ["run", "n", "run", "y", "skip"])
    assert (project / "runs").read_text("utf-8") == "x"
    assert "failed with exit code 1" in seen
    assert answered(capsys, "verify")["data"] != []


def test_an_imported_proof_is_shown_with_a_warning_and_a_forged_one_is_not_offered(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(capsys, "--command", PROOF, "--output", "proved")
    answered(capsys, "export")
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(project.parent / "data of another"))
    edit(project)
    (project / "check.py").write_text("open('runs', 'a').write('x')\nprint('proved')\n", "utf-8")
    refused = walk(project, ["run", "n", "skip"])
    assert "(it was imported: read it with care)" in refused
    assert refused.index("read it with care") < refused.index("run it? [y/N]")
    assert not (project / "runs").exists()
    export = project / ".anchormem/memory.jsonl"
    export.write_text(export.read_text("utf-8").replace('"output":"proved"', '"output":"all is well"'), "utf-8")
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(project.parent / "data of a third"))
    forged = walk(project, ["run", "keep"])
    assert "its proof is forged" in forged
    assert "r run" not in forged
    assert "run it?" not in forged
    assert not (project / "runs").exists()


@pytest.mark.parametrize(
    ("answers", "left"),
    [(["keep"], 0), (["drop", "n", "drop", "y"], 0), (["edit", "drain drops the first"], 0), (["s"], 1)],
)
def test_each_decision_does_what_it_says(
    project: Path, answers: list[str], left: int, capsys: pytest.CaptureFixture[str]
) -> None:
    remember(capsys)
    edit(project)
    seen = walk(project, answers)
    assert "+    return queue[1:BATCH]" in seen, "the diff is shown"
    data = answered(capsys, "verify")["data"]
    assert isinstance(data, list)
    assert len(data) == left


def test_the_keys_are_shown_with_their_meaning_and_explained(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    remember(capsys, "--command", PROOF, "--output", "proved")
    edit(project)
    seen = walk(project, ["?", "q"])
    for shown in ("r run: its proof", "k keep: it still holds", "d drop: forget it", "s skip: later", "q quit"):
        assert shown in seen
    assert "brings it back for 30 days" in seen.split("explains", 1)[1]
    assert answered(capsys, "verify")["data"] != []


def test_the_list_names_the_commands_to_type(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = remember(capsys)
    edit(project)
    assert main(["verify", "--list"]) == 0
    out = capsys.readouterr().out
    typed = [shlex.split(line) for line in out.splitlines() if line.strip().startswith("anchormem ")]
    assert ["anchormem", "admin", "confirm", number] in typed
    assert ["anchormem", "remember", "--update", number, "new text"] in typed
    answered(capsys, "admin", "confirm", number)
    assert answered(capsys, "verify")["data"] == []


def test_without_a_terminal_it_lists_and_changes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = remember(capsys)
    edit(project)
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", "verify"], input="keep\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(number)
    assert answered(capsys, "verify")["data"] != []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("pytest -q tests/a.py", ["pytest", "-q", "tests/a.py"]),
        ("grep 'a b' file", ["grep", "a b", "file"]),
        ('echo "a|b"', ["echo", "a|b"]),
        ("pytest -k 'a and (b)'", ["pytest", "-k", "a and (b)"]),
    ],
)
def test_a_plain_command_is_an_argument_array(command: str, words: list[str]) -> None:
    assert arguments(command) == words


@pytest.mark.parametrize(
    "command", ["a | b", "a && b", "a;b", "a > b", "a `b`", "a $(b)", "a\nb", "a 'b", "", "(a)", "a &", "a 2>&1"]
)
def test_a_command_that_needs_a_shell_is_refused(command: str) -> None:
    with pytest.raises(Refused):
        arguments(command)


def test_the_demo_tells_the_life_of_an_anchor(capsys: pytest.CaptureFixture[str], private_home: Path) -> None:
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert "50 → 200" in out
    assert "jobs.py::flush_pending" in out
    assert "outbox.py::flush_pending" in out
    assert not (private_home / "data").exists(), "it has a data directory of its own"


def test_the_demo_fails_when_a_step_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    never = demo.Step("never right", lambda _root: None, "the impossible", lambda _seen: False)
    monkeypatch.setattr(demo, "STEPS", (never,))
    assert main(["demo"]) == 1
    assert "WRONG, expected the impossible" in capsys.readouterr().out

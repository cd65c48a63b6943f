"""Two people share memories through git: one process a command, two clones, two homes of data, and git's own merge."""

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.model import Memory, Revision
from anchormem.store import listing, revisions
from anchormem.workspace import exported, ids
from anchormem.workspace.recall import recall
from anchormem.workspace.session import close, open_workspace
from cli.cold import run, start

Git = Callable[..., str]
FILE = exported.PATH
CODE = '''def send(rows, gateway, size=50):
    """Send rows in batches."""
    for start in range(0, len(rows), size):
        gateway.post(rows[start : start + size])


def receive(gateway, limit):
    found = []
    while len(found) < limit:
        found.extend(gateway.fetch(limit - len(found)))
    return found
'''


@dataclass(frozen=True, slots=True)
class Person:
    """One clone with a data directory of its own, and the commands that are typed in it."""

    root: Path
    data: Path
    git_: Git

    def git(self, *arguments: str) -> str:
        return self.git_(self.root, *arguments)

    def say(self, *words: str) -> Mapping[str, object]:
        """The answer of a command that must succeed."""
        printed = io.StringIO()
        before = os.environ["ANCHORMEM_DATA_DIR"]
        os.environ["ANCHORMEM_DATA_DIR"] = str(self.data)
        try:
            with redirect_stdout(printed):
                assert main([*words, "--root", str(self.root), "--json"]) == 0
        finally:
            os.environ["ANCHORMEM_DATA_DIR"] = before
        answer = json.loads(printed.getvalue())
        assert isinstance(answer, dict)
        return answer

    def know(self, body: str, anchor: str, *more: str) -> str:
        data = self.say("remember", body, "--kind", "decision", "--anchor", anchor, *more)["data"]
        assert isinstance(data, dict)
        return str(data["id"])

    def share(self) -> None:
        self.say("export", "--setup-git")
        self.git("add", "-A")
        self.git("commit", "-qm", "share what was learnt")

    def found(self) -> dict[str, str]:
        """id → `status body` of all that is not forgotten."""
        data = self.say("admin", "list")["data"]
        assert isinstance(data, list)
        return {
            str(one["id"]): f"{one.get('status', 'active')} {one['body']}" for one in data if not one.get("forgotten")
        }

    def fates(self) -> dict[str, str]:
        """id → the fates of its anchors."""
        data = self.say("admin", "get", *self.found())["data"]
        assert isinstance(data, list)
        return {str(one["id"]): " ".join(held["fate"] for held in one["anchors"]) for one in data}

    def warnings(self) -> str:
        return str(self.say("recall", "batch").get("meta"))

    def starts(self, *words: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "anchormem", *words]
        env = {**os.environ, "ANCHORMEM_DATA_DIR": str(self.data)}
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.root, env=env, stdout=pipe, stderr=pipe, text=True)

    def listed(self) -> dict[str, list[Revision]]:
        """Every memory in the store, with its history."""
        before = os.environ["ANCHORMEM_DATA_DIR"]
        os.environ["ANCHORMEM_DATA_DIR"] = str(self.data)
        ws = open_workspace(self.root)
        try:
            return {one.id: revisions.history(ws.store, one.id) for one in listing.everything(ws.store)}
        finally:
            os.environ["ANCHORMEM_DATA_DIR"] = before
            close(ws)

    def hook(self) -> str:
        return run("hook", event=start(self.root), env={"ANCHORMEM_DATA_DIR": str(self.data)}).out

    def lines(self) -> bytes:
        return (self.root / FILE).read_bytes()


@pytest.fixture
def team(repository: Path, tmp_path: Path, git: Git) -> tuple[Person, Person]:
    """Ann, who has the code, and Ben, who cloned what she shared."""
    (repository / "jobs.py").write_text(CODE, "utf-8")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "code")
    ann = Person(repository, tmp_path / "data of ann", git)
    ann.know("a batch holds 50 rows", "jobs.py::send")
    ann.know("limit bounds what is received", "jobs.py::receive", "--command", "pytest -q", "--output", "3 passed")
    ann.share()
    git(tmp_path, "clone", "-q", str(repository), "ben's clone")
    return ann, Person(tmp_path / "ben's clone", tmp_path / "data of ben", git)


def test_what_one_learnt_the_other_knows_and_what_each_learnt_meanwhile_is_merged_by_git(
    team: tuple[Person, Person],
) -> None:
    ann, ben = team
    reply = ben.say("recall", "how large may a batch be")
    assert "imported 2 shared memories" in str(reply["meta"])
    assert ben.found() == ann.found()
    assert "imported" in str(reply["data"])
    # Exporting twice, after a recall, and in the other clone: the same bytes.
    ann.say("recall", "batch")
    assert "'changed': False" in str(ann.say("export")["data"])
    ben.say("export", "--path", "elsewhere.jsonl")
    assert ann.lines() == (ben.root / "elsewhere.jsonl").read_bytes()
    (ben.root / "elsewhere.jsonl").unlink()
    # Each changes, adds and forgets something; both export; git merges.
    one, other = ann.found()
    ben.say("remember", "--update", one, "ben saw it closer")
    ben.know("fetch may give less than asked for", "jobs.py::receive")
    ben.share()
    ann.say("admin", "forget", other)
    ann.know("a gateway may close", "jobs.py::send")
    ann.share()
    ben.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert b"<<<<" not in ben.lines()
    assert len(exported.opened(ben.lines()).lines) == 4
    assert "changed since it was imported: anchormem import tells; recall" in ben.hook()
    assert "2 newer shared memories: anchormem import" in ben.warnings()
    assert "; 2 newer shared memories: anchormem import; recall before" in ben.hook()
    assert "newer shared" not in str(ben.say("import")["meta"])
    assert "import" not in ben.hook()
    ben.say("export")
    ben.git("commit", "-qam", "as it is now", "--allow-empty")
    ann.git("pull", "-q", str(ben.root), "main")
    assert "imported 2 shared memories" in ann.warnings(), "the first that ever came from others"
    assert ann.found() == ben.found()
    assert len(ann.found()) == 3
    assert "active ben saw it closer" in ann.found().values()
    before = ann.lines()
    for person in (ann, ben):
        person.say("export")
        assert person.lines() == before


def test_stale_there_is_stale_here_and_other_code_here_is_stale_here(team: tuple[Person, Person]) -> None:
    ann, ben = team
    (ann.root / "jobs.py").write_text(CODE.replace("size=50", "size=200"), "utf-8")
    assert sorted(ann.found().values())[1].startswith("stale a batch")
    ann.git("commit", "-qam", "larger batches")
    ben.git("pull", "-q", "origin", "main")
    assert ben.found() == ann.found()
    edited = CODE.replace("limit - len", "limit + len").replace("size=50", "size=70")
    (ben.root / "jobs.py").write_text(edited, "utf-8")
    assert {one.split()[0] for one in ben.found().values()} == {"stale"}
    (ben.root / "jobs.py").write_text(CODE, "utf-8")
    assert {one.split()[0] for one in ben.found().values()} == {"active"}
    (ben.root / "jobs.py").write_text(CODE.replace("size=50", "size=70"), "utf-8")
    assert "50 → 70" in str(ben.say("recall", "batch")["data"]), "the text that was anchored is found again in git"


def test_a_clone_sees_every_fate_that_the_author_sees(team: tuple[Person, Person]) -> None:
    """Edited, moved, moved and edited, gone, half typed: the hashes travel, and what was anchored is in git."""
    ann, ben = team
    head, tail = CODE.split("\n\n\n")
    for text in (
        CODE.replace("def send", "def deliver"),
        tail,
        tail.replace("limit - len", "limit - 1 - len").replace("def receive", "def fetch_all"),
        CODE.replace("def send(rows", "def send((rows"),
        head + "\n",
        "",
    ):
        states = []
        for person in (ann, ben):
            (person.root / "jobs.py").write_text(text, "utf-8")
            states.append(person.found())
        assert states[0] == states[1], text


KNOWN = (
    "jobs.py", "notes.md::Limits", "settings.json::batch.size", "QUERY.sql", "jobs.py::send",
    '{"file": "jobs.py", "symbol": "send", "quote": "size=50"}',
)  # fmt: skip
TEXTS = {
    "notes.md": "# Notes\n\n## Limits\n\nA batch holds 50 rows.\n\n## Others\n\nNone.\n",
    "settings.json": '{\n  "batch": {\n    "size": 50\n  }\n}\n',
    "QUERY.sql": "SELECT name\nFROM rows\nLIMIT 50;\n",
}


@pytest.fixture
def two_systems(team: tuple[Person, Person], tmp_path: Path, git: Git) -> tuple[Person, Person]:
    """Ann, who knows something of each kind of anchor, and Eve, whose git writes the line ends of Windows."""
    ann, _ = team
    for path, text in TEXTS.items():
        (ann.root / path).write_bytes(text.encode())
    for number, anchor in enumerate(KNOWN):
        ann.know(f"lesson {number} of how much there is", anchor, "--force")
    ann.share()
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", str(ann.root), "eve's clone")
    return ann, Person(tmp_path / "eve's clone", tmp_path / "data of eve", git)


def test_every_anchor_is_in_the_same_state_on_a_system_with_other_line_ends(
    two_systems: tuple[Person, Person],
) -> None:
    ann, eve = two_systems
    for path in ("jobs.py", *TEXTS):
        assert b"\r\n" in (eve.root / path).read_bytes(), path
    assert b"\r" not in eve.lines()
    assert set(eve.fates().values()) == {"fresh"}
    assert len(eve.fates()) == len(KNOWN) + 2
    assert eve.fates() == ann.fates()
    edited = {path: text.replace("50", "70") for path, text in TEXTS.items()}
    for path, text in {**edited, "jobs.py": CODE.replace("size=50", "size=70")}.items():
        (ann.root / path).write_bytes(text.encode())
        (eve.root / path).write_bytes(text.replace("\n", "\r\n").encode())
    assert eve.fates() == ann.fates()
    assert list(eve.fates().values()).count("fresh") == 1, "what was not edited"
    assert "50 → 70" in str(eve.say("recall", "lesson batch")["data"])
    # What she shares has the bytes that it had, though an editor gave the file her line ends.
    (eve.root / FILE).write_bytes(eve.lines().replace(b"\n", b"\r\n"))
    told = eve.say("import")["data"]
    assert isinstance(told, dict)
    assert (told["new"], told["changed"], told["refused"]) == (0, 0, 0)
    eve.say("export")
    assert eve.lines() == ann.lines()


def test_another_recipe_there_is_no_edit_here(team: tuple[Person, Person]) -> None:
    """Equal text is fresh whatever the recipe; the text that was anchored is found in git and hashed anew."""
    _, ben = team
    lines = [json.loads(line) for line in ben.lines().decode().splitlines()]
    for line in lines[1:]:
        for held in line["anchors"]:
            held.update(epoch="0.of.old", body="ab" * 16, signature="ab" * 16)
            if line["kind"] == "decision" and "batch" in line["body"]:
                held["raw"] = "cd" * 16
    (ben.root / FILE).write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    found = sorted(ben.found().values())
    assert found == ["active limit bounds what is received", "unknown a batch holds 50 rows"]
    (ben.root / "jobs.py").write_text(CODE.replace("limit - len", "limit  -  len"), "utf-8")
    assert "active limit bounds what is received" in ben.found().values(), "laid out anew, it has the same tokens"
    (ben.root / "jobs.py").write_text(CODE.replace("limit - len", "limit + len"), "utf-8")
    assert "stale limit bounds what is received" in ben.found().values()
    assert "imported_at" in str(ben.say("status")["data"])


def test_without_the_driver_git_leaves_marks_and_an_import_reads_past_them(team: tuple[Person, Person]) -> None:
    ann, ben = team
    (ben.root / ".anchormem/.gitattributes").write_text("", "utf-8")
    name = next(iter(ann.found()))
    ben.know("ben's own", "jobs.py::send")
    ben.say("remember", "--update", name, "ben saw it closer")
    ben.say("export")
    ben.git("commit", "-qam", "ben")
    ann.know("ann's own", "jobs.py::send")
    ann.say("remember", "--update", name, "ann saw it closer still")
    ann.say("export")
    ann.git("commit", "-qam", "ann")
    pulled = subprocess.run(
        ["git", "pull", "-q", "--no-rebase", "origin", "main"], cwd=ben.root, capture_output=True, check=False
    )
    assert pulled.returncode == 1
    assert b"<<<<" in ben.lines()
    done = ben.say("import")
    assert "a conflict marker of git" in str(done["data"])
    assert {"active ann's own", "active ben's own", "active ann saw it closer still"} <= set(ben.found().values())
    assert "two versions" not in str(done["data"]), "one is simply newer"
    ben.say("export")
    assert b"<<<<" not in ben.lines()


def test_where_the_driver_is_gone_git_merges_as_text_and_nothing_is_lost(team: tuple[Person, Person]) -> None:
    """The environment of the program was deleted, or an older program meets a newer file."""
    ann, ben = team
    ben.say("export", "--setup-git")
    command = ben.git("config", "merge.anchormem.driver")
    program, verb, rest = command.partition(" merge-driver ")
    assert program.endswith("anchormem")
    ben.git("config", "merge.anchormem.driver", f"{program}-is-gone{verb}{rest}")
    ben.know("ben's own", "jobs.py::send")
    ann.know("ann's own", "jobs.py::send")
    ben.say("export")
    ann.say("export")
    for person in (ann, ben):
        person.git("commit", "-qam", "learnt")
    pulled = subprocess.run(
        ["git", "pull", "-q", "--no-rebase", "--no-edit", "origin", "main"],
        cwd=ben.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "is-gone" in pulled.stderr
    assert (pulled.returncode == 0) is (b"<<<<<<<" not in ben.lines())
    assert b"ann's own" in ben.lines()
    assert b"ben's own" in ben.lines()
    ben.say("import")
    assert {"active ann's own", "active ben's own"} <= set(ben.found().values())


def many(person: Person, count: int) -> None:
    """An export of so many memories, as a pull would bring it."""
    lines = sorted(
        exported.line(Memory(ids.derived(f"{number}"), "fact", f"lesson {number} of many", "explicit", 0.8, 1, 1))
        for number in range(count)
    )
    (person.root / FILE).write_bytes(exported.whole(lines))


def test_a_first_import_that_is_killed_is_finished_by_the_next_calls_however_many(team: tuple[Person, Person]) -> None:
    _, ben = team
    many(ben, 400)
    process = ben.starts("recall", "lesson")
    time.sleep(0.6)
    process.kill()
    process.communicate()
    processes = [ben.starts("recall", "lesson", "--json") for _ in range(2)]
    answers = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0, 0], answers
    assert len(ben.listed()) == 400
    assert {len(history) for history in ben.listed().values()} == {0}


def test_a_server_takes_in_what_a_pull_brings_while_it_runs(
    team: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its workspace stays open: the file is looked at again before every call."""
    _, ben = team
    (ben.root / FILE).rename(ben.root / "away")
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(ben.data))
    ws = open_workspace(ben.root)
    try:
        assert listing.everything(ws.store) == []
        (ben.root / "away").rename(ben.root / FILE)
        reply = recall(ws, {"task": "batch"})
        assert "imported 2 shared memories" in str(reply.meta["warnings"])
        assert "warnings" not in recall(ws, {"task": "batch"}).meta
    finally:
        close(ws)

"""`anchormem doctor`: each of its checks is broken once, is said by name, and decides about the exit code."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import modes
from anchormem.agents import checkup as registered
from anchormem.agents.table import CLAUDE, agent
from anchormem.cli import main
from anchormem.workspace import checkup, checkup_machine
from cli.cold import CODE

GONE = {"command": "/gone/anchormem", "args": ["serve"]}
ELSEWHERE = {"servers", registered.NONE}  # they need one that runs, and none: tests/agents/test_checkup.py


@dataclass(frozen=True, slots=True)
class Broken:
    """A check, what it must say in words, and how that comes about."""

    name: str
    verdict: str
    said: str
    how: Callable[["Here"], object]


@dataclass(frozen=True, slots=True)
class Here:
    """A project with a store, the home of its user, and what a test may pretend."""

    root: Path
    home: Path
    patch: pytest.MonkeyPatch

    @property
    def memory(self) -> Path:
        [found] = (self.home / "data").glob("*/memory.db")
        return found

    @property
    def checkout(self) -> Path:
        [found] = (self.home / "data").glob("*/checkouts/*.db")
        return found

    def put(self, path: Path, found: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found), "utf-8")

    def sql(self, path: Path, statement: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
            connection.commit()


def held(here: Here) -> None:
    connection = sqlite3.connect(here.memory)
    connection.execute("BEGIN IMMEDIATE")
    here.patch.setattr(checkup, "HELD", connection, raising=False)  # closed when it is forgotten


def given_away(here: Here) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser can give a folder away")
    os.chown(here.root, 65534, 65534)


def driver_gone(here: Here) -> None:
    with (here.root / ".git/config").open("a", encoding="utf-8") as file:
        file.write('[merge "anchormem"]\n\tdriver = "\'/gone/a b/anchormem\' merge-driver %O %A %B"\n')


def old_copies(here: Here) -> None:
    days = time.time() - (checkup.OLD_BACKUP_DAYS + 2) * 86_400
    for path in here.memory.parent.glob("backups/*"):
        os.utime(path, (days, days))


def settings(here: Here, found: object) -> None:
    here.put(here.home / ".claude" / "settings.json", found)


HOOK = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "/gone/anchormem hook"}]}]}}
# fmt: off
BROKEN = (
    Broken(
        "interpreter", "fail", "too old",
        lambda here: here.patch.setattr(checkup_machine, "LOWEST_PYTHON", (99, 0)),
    ),
    Broken(
        "grammars", "fail", "no grammar for",
        lambda here: here.patch.setattr(checkup_machine, "_loads", lambda _: False),
    ),
    Broken(
        "registration", "fail", "not there",
        lambda here: here.put(CLAUDE.file(), {"mcpServers": {"anchormem": GONE}}),
    ),
    Broken(
        "Cursor", "fail", "not there",
        lambda here: here.put(agent("cursor").file(), {"mcpServers": {"anchormem": GONE}}),
    ),
    Broken("skill", "warn", "not there", lambda here: settings(here, {})),
    Broken("hooks", "fail", "not there", lambda here: settings(here, HOOK)),
    Broken(
        "status line", "fail", "not there",
        lambda here: settings(here, {"statusLine": "/gone/anchormem statusline"}),
    ),
    Broken("data directory", "fail", "cannot be written", lambda here: (here.home / "data").chmod(0o500)),
    Broken("data directory", "warn", "read by others", lambda here: (here.home / "data").chmod(0o755)),
    Broken("configuration", "fail", ".anchormem.json", lambda here: (here.root / ".anchormem.json").write_text("{")),
    Broken("git", "fail", "owner", given_away),
    Broken("merge driver", "warn", "/gone/a b/anchormem, which is not there", driver_gone),
    Broken("store", "fail", "vanished", lambda here: here.memory.unlink()),
    Broken(
        "clock", "warn", "still to come",
        lambda here: here.sql(here.memory, "UPDATE memories SET updated_at = 4e12"),
    ),
    Broken("stamps", "warn", "never indexed", lambda here: here.checkout.unlink()),
    Broken(
        "stamps", "warn", "other grammars",
        lambda here: here.sql(here.checkout, "UPDATE stamps SET content = 'x' WHERE name = 'recipe'"),
    ),
    Broken("backups", "warn", "no backup", lambda here: shutil.rmtree(here.memory.parent / "backups")),
    Broken("backups", "warn", "days old", old_copies),
    Broken("index", "fail", "is empty", lambda here: here.sql(here.checkout, "DELETE FROM files")),
    Broken("probe row", "fail", "another process", held),
    Broken("probe row", "fail", "cannot be written", lambda here: here.memory.parent.chmod(0o500)),
)
# fmt: on


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project with one memory and an index, and its data directory, which no test touches."""
    top = tmp_path_factory.mktemp("doctor")
    root, data = top / "project", top / "data"
    root.mkdir()
    (root / "jobs.py").write_text(CODE, "utf-8")
    env = {**os.environ, "HOME": str(top), "GIT_CONFIG_GLOBAL": os.devnull, "ANCHORMEM_DATA_DIR": str(data)}
    program = (sys.executable, "-m", "anchormem")
    words = ("remember", "a batch holds 50 rows", "--kind", "decision", "--anchor", "jobs.py::send")
    for command in (("git", "init", "-q"), (*program, *words), (*program, "index")):
        subprocess.run(command, cwd=root, env=env, check=True, stdout=subprocess.DEVNULL)
    return root, data


@pytest.fixture
def here(pristine: tuple[Path, Path], private_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    """Nothing is wrong with it."""
    root, data = pristine
    owner, config = root.stat(), (root / ".git/config").read_bytes()
    shutil.copytree(data, private_home / "data")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    yield Here(root, private_home, monkeypatch)
    os.chown(root, owner.st_uid, owner.st_gid)
    (root / ".anchormem.json").unlink(missing_ok=True)
    (root / ".git/config").write_bytes(config)


def doctor(here: Here, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, str]]]:
    capsys.readouterr()
    code = main(["doctor", "--json", "--root", str(here.root)])
    return code, {one["name"]: one for one in json.loads(capsys.readouterr().out)}


def test_what_is_well_is_said_of_every_check(here: Here, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = doctor(here, capsys)
    assert code == 0
    assert {one["verdict"] for one in found.values()} <= {"ok", "info"}, found
    rows = (*checkup_machine.MACHINE, *checkup.REPOSITORY, *registered.CHECKS)
    assert set(found) == {name for name, _ in rows} | {registered.NONE}
    assert set(found) == {one.name for one in BROKEN if one.name != "Cursor"} | ELSEWHERE


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
@pytest.mark.parametrize("broken", BROKEN, ids=lambda one: f"{one.name}: {one.said}")
@modes.obeyed
def test_what_is_broken_is_said_by_name(broken: Broken, here: Here, capsys: pytest.CaptureFixture[str]) -> None:
    broken.how(here)
    try:
        code, found = doctor(here, capsys)
    finally:
        for path in (here.home / "data", *(here.home / "data").glob("*")):
            path.chmod(0o700)
    told = found[broken.name]
    assert told["verdict"] == broken.verdict, told
    assert broken.said in told["message"]
    assert told["fix"]
    assert code == int(any(one["verdict"] == "fail" for one in found.values()))
    assert code or broken.verdict == "warn"

"""An SQLite that takes no double-quoted text for a string, as some systems build it: every command and tool works."""

import _sqlite3
import ctypes
import sqlite3
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.store import search
from cli.cold import CODE, known
from workspace.answers.desk import Desk

Git = Callable[..., str]
DQS_DML, DQS_DDL = 1013, 1014  # of sqlite3_db_config

PROOF = {"command": "pytest -q", "output": "3 passed"}
COMMANDS = (
    ("index", "--full"),
    ("recall", "what \"batch\" of 'rows' is sent"),
    ("map", "jobs.py"),
    ("map", "send"),
    ("affected",),
    ("status",),
    ("stats",),
    ("check",),
    ("prove", "--seconds", "1"),
    ("admin", "list"),
    ("admin", "consolidate"),
    ("admin", "ledger"),
    ("admin", "gc"),
    ("doctor",),
)


def library() -> ctypes.CDLL:
    """SQLite itself, as far as the module shows it."""
    return ctypes.CDLL(getattr(_sqlite3, "__file__", None))


def strict(open_one: Callable[..., sqlite3.Connection], *arguments: object, **named: object) -> sqlite3.Connection:
    """A connection that behaves as if SQLite had been built so."""
    connection = open_one(*arguments, **named)
    if sys.version_info >= (3, 12):
        connection.setconfig(DQS_DML, False)  # noqa: FBT003 — as the standard library has it
        connection.setconfig(DQS_DDL, False)  # noqa: FBT003 — as above
        return connection
    configure = library().sqlite3_db_config
    inner = ctypes.c_void_p.from_address(id(connection) + object.__basicsize__)
    for setting in (DQS_DML, DQS_DDL):
        assert configure(inner, setting, ctypes.c_int(0), None) == 0
    return connection


@pytest.fixture
def strict_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.version_info < (3, 12) and not hasattr(library(), "sqlite3_db_config"):
        pytest.skip("this Python cannot set up a connection so")
    monkeypatch.setattr(sqlite3, "connect", partial(strict, sqlite3.connect))
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        sqlite3.connect(":memory:").execute('SELECT "text"')


@pytest.mark.usefixtures("strict_sqlite")
def test_every_command_works_without_double_quoted_strings(
    repository: Path, git: Git, capfd: pytest.CaptureFixture[str]
) -> None:
    known(repository, git)
    (repository / "jobs.py").write_text(CODE.replace("50", "60"), "utf-8")
    for command in COMMANDS:
        assert main([*command, "--root", str(repository)]) == 0, (command, capfd.readouterr().err)
    assert main(["statusline", "--root", str(repository)]) == 0
    assert "⚓" in capfd.readouterr().out


@pytest.mark.usefixtures("strict_sqlite")
def test_every_operation_works_without_double_quoted_strings(repository: Path, git: Git) -> None:
    known(repository, git)
    desk = Desk(repository, git)
    with desk.ws.store as store:
        one = desk.know("send takes lists", {"file": "jobs.py", "symbol": "send"}, evidence=PROOF)
        two = desk.know("send takes no lists", {"file": "jobs.py", "symbol": "send"}, supersedes=one, force=True)
        desk.update(two, body="send takes tuples")
        acts: tuple[tuple[str, Mapping[str, object]], ...] = (
            ("get", {"ids": [two]}),
            ("history", {"ids": [two]}),
            ("confirm", {"ids": [two]}),
            ("reverify", {"ids": [two], "command": "pytest", "output": "1 passed"}),
            ("reanchor", {"ids": [two], "anchors": [{"file": "jobs.py"}]}),
            ("archive", {"ids": [two]}),
            ("restore", {"ids": [two]}),
            ("unlink", {"ids": [two], "target": one, "rel": "supersedes"}),
            ("forget", {"ids": [one]}),
            ("restore", {"ids": [one]}),
            ("ledger_reset", {}),
            ("gc", {"dry_run": False}),
        )
        for name, arguments in acts:
            desk.admin(name, **arguments)
        desk.queue()
        assert search.sound(store)
        search.rebuild(store)
        assert desk.found("tuples")

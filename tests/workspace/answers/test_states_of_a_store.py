"""What may become of a store between two calls: the doctor gives each its own name, and no reader invents an answer."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from anchormem.errors import StoreDamaged, StoreNewer
from anchormem.workspace.checkup import Finding, checks
from anchormem.workspace.session import close, open_workspace
from workspace.answers.desk import Desk

SEED = {"file": "lib/queue.py", "symbol": "seed"}


def look(root: Path) -> dict[str, Finding]:
    return {one.name: one for one in checks(root)}


def test_a_store_of_a_newer_version_is_called_so_and_kept_as_it_is(desk: Desk) -> None:
    desk.know("seed takes the first paths", SEED)
    close(desk.ws)
    with closing(sqlite3.connect(desk.ws.store.memory_path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    found = look(desk.root)["store"]
    assert found.verdict == "fail"
    assert "99" in found.message
    assert "newer" in found.fix
    with pytest.raises(StoreNewer):
        open_workspace(desk.root)


def test_a_database_of_another_program_in_its_place_is_called_so(desk: Desk) -> None:
    close(desk.ws)
    for path in desk.ws.directory.glob("memory.db*"):
        path.unlink()
    with closing(sqlite3.connect(desk.ws.store.memory_path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()
    before = desk.ws.store.memory_path.read_bytes()
    found = look(desk.root)["store"]
    assert found.verdict == "fail"
    with pytest.raises(StoreDamaged):
        open_workspace(desk.root)
    assert desk.ws.store.memory_path.read_bytes() == before


def test_a_held_store_is_read_and_its_probe_says_who_is_in_the_way(desk: Desk) -> None:
    desk.know("seed takes the first paths", SEED)
    with desk.ws.store.writing():
        found = look(desk.root)
    assert found["store"].verdict == "ok"
    assert found["probe row"].verdict == "fail"
    assert "another process" in found["probe row"].message


def test_a_damaged_full_text_index_is_a_warning_with_the_line_that_mends_it(
    desk: Desk, open_desk: Callable[[Path], Desk]
) -> None:
    memory = desk.know("seed takes the first paths", SEED)
    close(desk.ws)
    with closing(sqlite3.connect(desk.ws.store.memory_path)) as connection:
        connection.execute("UPDATE search_data SET block = zeroblob(9) WHERE id > 1")
        connection.commit()
    found = look(desk.root)["store"]
    assert (found.verdict, found.fix) == ("warn", "anchormem index --full")
    again = open_desk(desk.root)
    assert "rebuilt" in str(again.admin("index", full=True).meta["warnings"])
    assert again.found("first paths")[0]["id"] == memory
    assert look(desk.root)["store"].verdict == "ok"


@pytest.mark.parametrize("how", ["truncated", "foreign", "empty", "text"])
def test_a_spoilt_index_of_a_checkout_is_made_anew_and_costs_no_fate(
    desk: Desk, open_desk: Callable[[Path], Desk], how: str
) -> None:
    memory = desk.know("seed takes the first paths", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=300")
    close(desk.ws)
    path = desk.ws.store.checkout_path
    match how:
        case "truncated":
            os.truncate(path, path.stat().st_size // 2)
        case "foreign":
            path.unlink()
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("CREATE TABLE theirs (x)")
                connection.commit()
        case "empty":
            path.write_bytes(b"")
        case _:
            path.write_text("not a database at all " * 500)
    before = look(desk.root)
    assert before["stamps"].verdict == "warn" or before["index"].verdict in ("warn", "fail")
    again = open_desk(desk.root)
    assert again.whole(memory)["status"] == "stale"
    assert again.count() == 1
    again.admin("index")
    assert {one.verdict for one in checks(desk.root)} == {"ok"}

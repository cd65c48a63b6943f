"""What may become of a store between two calls: the doctor gives each its own name, and no reader invents an answer."""

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from anchormem.errors import StoreDamaged, StoreFull, StoreNewer
from anchormem.workspace.checkup import checks
from anchormem.workspace.finding import Finding
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


def test_a_page_of_noise_is_damage_and_where_it_lies_the_rest_is_still_read(desk: Desk) -> None:
    """The file is whole and opens as one; only a look at all of it finds the page."""
    memory = desk.know("a long rule " * 5000, SEED)
    close(desk.ws)
    path = desk.ws.store.memory_path
    with path.open("r+b") as file:
        file.seek(path.stat().st_size - 3 * 4096)
        file.write(b"\xa5" * 4096)
    found = look(desk.root)["store"]
    assert found.verdict == "fail"
    assert "damaged" in found.message
    assert "doctor --recover" in found.fix
    assert open_workspace(desk.root, write=False).store.exists
    assert memory


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of nine megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=9m", "tmpfs", str(place)]
    try:
        done = subprocess.run(mounted, check=False, capture_output=True)
    except OSError:
        pytest.skip("no mount here")
    if done.returncode:
        pytest.skip("only the superuser can mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_is_told_reads_go_on_and_a_write_is_refused_for_what_it_is(
    small_disk: Path, repository: Path, open_desk: Callable[[Path], Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(small_disk / "data"))
    desk = open_desk(repository)
    desk.write("a.py", "A = 1\n")
    memory = desk.know("the rule of a is one")
    desk.admin("index")
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    assert desk.found("rule of a")[0]["id"] == memory
    with pytest.raises(StoreFull) as refused:
        desk.know("another rule, with much to say: " + "more of it " * 2000)
    assert "space" in f"{refused.value.message} {refused.value.hint}"
    close(desk.ws)
    found = look(repository)
    assert (found["store"].verdict, found["data directory"].verdict) == ("ok", "fail")
    assert "no space is left" in found["data directory"].message
    filler.unlink()
    assert look(repository)["data directory"].verdict == "ok"
    assert open_desk(repository).count() == 1


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
    before = look(desk.root)["stamps"]
    assert (before.verdict, before.fix) == ("warn", "anchormem index")
    assert f"the index file {path.name} cannot be used" in before.message
    again = open_desk(desk.root)
    assert again.whole(memory)["status"] == "stale"
    assert again.count() == 1
    again.admin("index")
    assert {one.verdict for one in checks(desk.root)} == {"ok"}

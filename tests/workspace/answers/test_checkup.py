"""The doctor's checks: each can fail, and four states that look alike are told apart."""

import os
import shutil
import subprocess
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

import modes
from anchormem.errors import Refused
from anchormem.store import marks
from anchormem.workspace import checkup, checkup_machine
from anchormem.workspace.checkup import checks
from anchormem.workspace.finding import Finding
from anchormem.workspace.session import close, settle
from workspace.answers.desk import Desk

SEED = {"file": "lib/queue.py", "symbol": "seed"}


def verdicts(root: Path) -> dict[str, Finding]:
    return {one.name: one for one in checks(root)}


def test_a_healthy_repository_is_all_well(desk: Desk) -> None:
    desk.know("seed takes the first paths", SEED)
    settle(desk.ws)
    found = verdicts(desk.root)
    assert {one.verdict for one in found.values()} == {"ok"}, found
    assert found["store"].message.startswith("1 memory in ")


def test_a_new_repository_is_no_fault_and_nothing_is_created(repository: Path, private_home: Path) -> None:
    found = verdicts(repository)
    assert found["store"].verdict == "info"
    assert "new repository" in found["store"].message
    assert not any(one.verdict == "fail" for one in found.values())
    assert not (private_home / "data").exists()


def test_a_store_removed_after_use_is_told_from_a_new_repository(desk: Desk) -> None:
    desk.know("seed takes the first paths", SEED)
    close(desk.ws)
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        (desk.ws.directory / name).unlink(missing_ok=True)
    found = verdicts(desk.root)["store"]
    assert found.verdict == "fail"
    assert found.fix


def test_a_whole_store_directory_removed_after_use_is_a_fault(desk: Desk) -> None:
    close(desk.ws)
    shutil.rmtree(desk.ws.directory)
    found = verdicts(desk.root)["store"]
    assert found.verdict == "fail"
    assert "gone" in found.message


def test_a_truncated_store_is_damaged(desk: Desk) -> None:
    desk.know("a long rule " * 5000, SEED)
    close(desk.ws)
    memory = desk.ws.directory / "memory.db"
    os.truncate(memory, memory.stat().st_size // 2)
    found = verdicts(desk.root)["store"]
    assert found.verdict == "fail"
    assert "damaged" in found.message or "malformed" in found.message


def test_a_damaged_store_is_set_aside_and_its_newest_copy_put_back(desk: Desk) -> None:
    desk.know("a long rule " * 5000, SEED)
    memory = desk.ws.directory / "memory.db"
    desk.ws.store.save_memory(memory.parent / "backups" / "memory-2999-01-01.db")
    close(desk.ws)
    os.truncate(memory, memory.stat().st_size // 2)
    assert "doctor --recover" in verdicts(desk.root)["store"].fix
    done = checkup.recover(desk.root)
    assert "memory.db.damaged-" in done.message
    assert "with 1 memory is back in its place" in done.message
    assert next(memory.parent.glob("memory.db.damaged-*")).stat().st_size
    found = verdicts(desk.root)["store"]
    assert found.verdict == "ok", found
    with pytest.raises(Refused):
        checkup.recover(desk.root)


@pytest.mark.skipif(os.name == "nt", reason="the steps are a shell's")
def test_the_steps_by_hand_bring_a_damaged_store_back_wherever_it_lies(
    repository: Path, tmp_path: Path, open_desk: Callable[[Path], Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / "it's $HOME data"))
    desk = open_desk(repository)
    desk.know("a long rule " * 5000)
    memory = desk.ws.directory / "memory.db"
    desk.ws.store.save_memory(memory.parent / "backups" / "memory-2999-01-01.db")
    close(desk.ws)
    for spoilt in ("cut", "gone"):
        if spoilt == "cut":
            os.truncate(memory, memory.stat().st_size // 2)
        else:
            memory.unlink()
        fix = verdicts(repository)["store"].fix
        subprocess.run(["sh", "-c", fix.partition("by hand: ")[2]], check=True)
        found = verdicts(repository)["store"]
        assert found.verdict == "ok", found
        assert found.message.startswith("1 memory ")
    assert len(list(memory.parent.glob("damaged-*/memory.db"))) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_owner_is_a_fault_with_the_line_that_mends_it(desk: Desk) -> None:
    os.chown(desk.root, 65534, 65534)
    found = verdicts(desk.root)["git"]
    assert found.verdict == "fail"
    assert "git config --global --add safe.directory" in found.fix


def test_nothing_is_recovered_where_nothing_was(repository: Path, private_home: Path) -> None:
    with pytest.raises(Refused):
        checkup.recover(repository)
    assert not (private_home / "data").exists()


def test_a_missing_grammar_and_a_pack_without_grammars_are_faults(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup_machine, "_loads", lambda name: name != "python")
    found = verdicts(repository)["grammars"]
    assert found.verdict == "fail"
    assert "python" in found.message
    monkeypatch.setattr(metadata, "version", "1.9.1".format)
    assert "1.9.1 carries no grammars" in verdicts(repository)["grammars"].message


def test_an_index_that_was_never_made_or_is_behind_says_so(repository: Path, open_desk: Callable[[Path], Desk]) -> None:
    desk = open_desk(repository)
    desk.write("a.py", "A = 1\n")
    assert verdicts(repository)["index"].verdict == "warn"
    assert verdicts(repository)["stamps"].verdict == "warn"
    desk.admin("index")
    assert verdicts(repository)["index"].verdict == "ok"
    for number in range(30):
        desk.write(f"b{number}.py", "B = 1\n")
    assert verdicts(repository)["index"].verdict == "warn"


def test_a_malformed_configuration_is_a_fault(desk: Desk) -> None:
    desk.write(".anchormem.json", '{"extension": {}}')
    assert verdicts(desk.root)["configuration"].verdict == "fail"


@modes.obeyed
def test_a_data_directory_that_cannot_be_written_is_a_fault(desk: Desk) -> None:
    desk.ws.directory.parent.chmod(0o500)
    try:
        assert verdicts(desk.root)["data directory"].verdict == "fail"
    finally:
        desk.ws.directory.parent.chmod(0o700)


def test_a_data_directory_others_can_read_is_a_warning(desk: Desk) -> None:
    desk.ws.directory.parent.chmod(0o750)
    assert verdicts(desk.root)["data directory"].verdict == "warn"


def test_the_probe_leaves_nothing_behind(desk: Desk) -> None:
    assert verdicts(desk.root)["probe row"].verdict == "ok"
    assert marks.get(desk.ws.store, checkup.PROBE) == ""


def test_the_home_directory_is_no_project(private_home: Path) -> None:
    assert verdicts(private_home)["repository"].verdict == "fail"


def test_a_clone_that_was_never_told_how_to_merge_is_told_from_one_that_shares_nothing(desk: Desk) -> None:
    def merging() -> tuple[str, str]:
        return verdicts(desk.root)["merge driver"].verdict, verdicts(desk.root)["merge driver"].fix

    once = "anchormem export --setup-git, once in each clone"
    assert merging() == ("ok", "")
    desk.admin("export")
    assert merging() == ("info", f"{once}, for those who share")
    desk.admin("export", driver="git merge-driver %O %A %B")
    assert merging() == ("ok", "")
    desk.git("config", "--remove-section", "merge.anchormem")
    assert merging() == ("warn", once)

"""A disk that is full, and one that cannot be written: questions are answered, writes say why not, and all heals."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.errors import StoreFull, StoreReadOnly
from anchormem.workspace.checkup import checks
from anchormem.workspace.session import close
from cli.cold import CODE, context, edit, known, run, start
from workspace.answers.desk import Desk

Git = Callable[..., str]
SIZE = "3m"


def mount(*words: str) -> bool:
    try:
        return subprocess.run(["mount", *words], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.fixture
def disk(private_home: Path) -> Iterator[Path]:
    """The data directory, on a disk of its own that holds next to nothing."""
    place = private_home / "data"
    place.mkdir()
    if not mount("-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "anchormem-tests", str(place)):
        pytest.skip("only the superuser may mount a disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(disk: Path) -> Path:
    """Takes all the room there is."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65_536, 4096, 512):
            try:
                while file.write(b"x" * size) == size:
                    continue
            except OSError:
                continue
    assert os.statvfs(disk).f_bavail == 0
    return ballast


def bystanders(root: Path) -> None:
    """Hook and status line look, say what they know, and never fail."""
    assert "1 memory" in run("hook", event=start(root)).out
    assert run("statusline", event={"cwd": str(root)}).code == 0
    after = run("hook", event=edit("PostToolUse", root, "jobs.py"))
    assert (after.code, after.err) == (0, "")
    assert "50 → 60" in context(after)


def test_a_full_disk_refuses_to_store_answers_questions_and_heals(
    disk: Path, repository: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    known(repository, git)
    desk = Desk(repository, git)
    try:
        [before] = desk.found_all()
        ballast = fill(disk)
        (repository / "jobs.py").write_text(CODE.replace("50", "60"), "utf-8")
        with pytest.raises(StoreFull, match="no space left"):  # noqa: PT012 — which one no longer fits does not matter
            for number in range(40):
                desk.know(f"{number} rows " * 300, "jobs.py::send", force=True)
        assert desk.whole(str(before["id"]))["status"] == "stale"
        assert desk.found("batch rows")[0]["id"] == before["id"]
        bystanders(repository)
        assert "no space is left" in " ".join(one.message for one in checks(repository))
        capsys.readouterr()
        assert main(["remember", "rows " * 900, "--kind", "fact", "--root", str(repository)]) != 0
        assert "no space left" in capsys.readouterr().err
        ballast.unlink()
        known_now = desk.count()
        assert desk.know("room again", "jobs.py::send")
        assert desk.count() == known_now + 1
        desk.admin("index")
    finally:
        close(desk.ws)
    assert {one.name for one in checks(repository) if one.verdict != "ok"} <= {"data directory"}, "a disk that is small"


def test_a_disk_that_cannot_be_written_answers_questions_and_says_why_it_stores_nothing(
    disk: Path, repository: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    known(repository, git)
    before = {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}
    (repository / "jobs.py").write_text(CODE.replace("50", "60"), "utf-8")
    assert mount("-o", "remount,ro", str(disk))
    capsys.readouterr()
    assert main(["recall", "batch", "--json", "--root", str(repository)]) == 0
    [found] = json.loads(capsys.readouterr().out)["data"]
    assert found["status"] == "stale"
    bystanders(repository)
    for command in (["remember", "x", "--kind", "fact"], ["admin", "forget", found["id"]]):
        assert main([*command, "--root", str(repository)]) != 0, command
        assert "cannot be written" in capsys.readouterr().err
    desk = Desk(repository, git)
    with pytest.raises(StoreReadOnly):
        desk.know("nothing more")
    close(desk.ws)
    assert {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()} == before
    assert mount("-o", "remount,rw", str(disk))
    assert main(["remember", "room again", "--kind", "fact", "--root", str(repository)]) == 0

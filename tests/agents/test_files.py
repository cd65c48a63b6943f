"""Somebody else's file, changed while others change it, where it cannot be, and with what was there kept."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import modes
from anchormem.agents import files, jsontext
from anchormem.errors import Refused


def ours(text: str) -> str:
    return jsontext.put(text, ("ours",), 1)


def test_a_change_keeps_a_dated_copy_and_the_mode(home: Path) -> None:
    path = home / ".tool" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"secret": "x"}\n', "utf-8")
    path.chmod(0o640)
    files.changed(path, ours)
    assert json.loads(path.read_text("utf-8")) == {"secret": "x", "ours": 1}
    assert path.stat().st_mode & 0o777 == 0o640
    [copy] = files.copies().iterdir()
    assert copy.read_text("utf-8") == '{"secret": "x"}\n'
    assert copy.name.startswith("tool-settings.json.2")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in path.parent.iterdir()) == ["settings.json"]


def test_nothing_to_change_touches_nothing(home: Path) -> None:
    path = home / "settings.json"
    path.write_text('{"ours": 1}\n', "utf-8")
    before = path.stat()
    files.changed(path, ours)
    after = path.stat()  # to read it may count as an access
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert not files.copies().exists()


def test_what_another_program_writes_between_our_look_and_our_turn_is_not_lost(home: Path) -> None:
    path = home / "settings.json"
    path.write_text('{"theirs": 0}\n', "utf-8")
    looks = 0

    def slow(text: str) -> str:
        nonlocal looks
        looks += 1
        made = ours(text)
        if looks in {2, 3}:  # inside the lock, after we have read: another program, which knows no lock of ours
            other = path.with_name("other")
            other.write_text(f'{{"theirs": {looks}}}\n', "utf-8")
            other.replace(path)
        return made

    files.changed(path, slow)
    assert json.loads(path.read_text("utf-8")) == {"theirs": 3, "ours": 1}


def test_two_of_us_at_once_lose_nothing(home: Path) -> None:
    path = home / "settings.json"
    path.write_text("{}\n", "utf-8")
    code = (
        "import sys; from pathlib import Path; from anchormem.agents import files, jsontext\n"
        "for n in range(10): files.changed(Path(sys.argv[1]), lambda t: jsontext.put(t, (f'{sys.argv[2]}{n}',), n))"
    )
    children = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [child.wait(60) for child in children] == [0, 0]
    assert len(json.loads(path.read_text("utf-8"))) == 20


def test_a_program_that_writes_all_the_time_is_given_way_to(home: Path) -> None:
    path = home / "settings.json"
    count = 0

    def never_the_same(text: str) -> str:
        nonlocal count
        count += 1
        path.write_text(f'{{"theirs": {count}}}\n', "utf-8")
        return ours(text)

    path.write_text("{}\n", "utf-8")
    with pytest.raises(Refused, match="all the time"):
        files.changed(path, never_the_same)
    assert "ours" not in path.read_text("utf-8")
    assert sorted(one.name for one in home.iterdir()) == ["settings.json"]


def test_a_lock_that_is_held_is_waited_for_and_a_dead_one_taken(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "settings.json"
    lock = home / "settings.json.lock"
    lock.mkdir()
    monkeypatch.setattr(files, "LOCK_SECONDS", 0.1)
    with pytest.raises(Refused, match="held by another program"):
        files.changed(path, ours)
    assert not path.exists()
    old = time.time() - 60
    os.utime(lock, (old, old))
    files.changed(path, ours)
    assert path.exists()
    assert not lock.exists()


def test_a_link_stays_a_link(home: Path) -> None:
    (home / "dotfiles").mkdir()
    real = home / "dotfiles" / "settings.json"
    real.write_text("{}\n", "utf-8")
    link = home / "settings.json"
    link.symlink_to(real)
    files.changed(link, ours)
    assert link.is_symlink()
    assert json.loads(real.read_text("utf-8")) == {"ours": 1}


def test_a_change_that_leaves_nothing_takes_the_file_away(home: Path) -> None:
    path = home / ".tool" / "mcp.json"
    files.changed(path, ours)
    files.changed(path, lambda _: "")
    assert not path.parent.exists()


@pytest.mark.parametrize(
    "kind", ["a folder", "a pipe", "not UTF-8", "huge", "read-only", "in a read-only folder", "in a file"]
)
@modes.obeyed
def test_what_cannot_be_changed_is_named_and_left_alone(kind: str, home: Path) -> None:
    path = home / "settings.json"
    if kind == "a folder":
        path.mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    elif kind == "not UTF-8":
        path.write_bytes(b'{"a": "\xff"}')
    elif kind == "huge":
        with path.open("wb") as file:
            file.truncate(files.MOST_BYTES + 1)
    elif kind == "in a file":
        path.write_text("{}", "utf-8")
        path = path / "settings.json"
    elif kind == "in a read-only folder":
        path.write_text("{}", "utf-8")
        home.chmod(0o500)
    else:
        path.write_text("{}", "utf-8")
        path.chmod(0o400)
    with pytest.raises(Refused, match=r"settings\.json"):
        files.changed(path, ours)
    home.chmod(0o700)
    assert not list(home.rglob("*.anchormem"))
    assert "read-only" not in kind or path.read_text("utf-8") == "{}"


def test_only_the_newest_copies_of_a_file_are_kept(home: Path) -> None:
    path = home / "settings.json"
    path.write_text("{}\n", "utf-8")
    for number in range(files.KEPT + 5):
        files.changed(path, lambda text, number=number: jsontext.put(text, ("n",), number))  # type: ignore[misc]  # its default is an int
    assert len(list(files.copies().iterdir())) == files.KEPT

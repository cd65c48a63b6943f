"""Whatever stands on the standard streams of `hook` and `statusline`: exit 0, nothing on stderr, and no waiting."""

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.cold import known, run, start

HOSTILE = {
    "nothing": b"",
    "a blank": b" \n",
    "broken": b'{"hook_event_name": "SessionStart", "cwd": ',
    "no object": b"[1, 2]",
    "two objects": b"{} {}",
    "not UTF-8": b'{"cwd": "\xff\xfe"}',
    "NUL bytes": b"\0" * 100,
    "deep": b'{"a":' * 100_000,
    "a number without end": b'{"a": ' + b"9" * 10_000 + b"}",
    "other types": b'{"hook_event_name": 7, "cwd": [], "session_id": {}, "tool_input": "x", "workspace": "y"}',
    "an unknown event": b'{"hook_event_name": "TeammateIdle", "cwd": "/"}',
    "a path with NUL": b'{"hook_event_name": "PreToolUse", "tool_input": {"file_path": "/a\\u0000b"}}',
    "a lone surrogate": b'{"hook_event_name": "PreToolUse", "tool_input": {"file_path": "\\ud800"}, "cwd": "\\ud800"}',
    "ten megabytes": b'{"hook_event_name": "PostToolUse", "x": "' + b"x" * 10_000_000 + b'"}',
    "ten megabytes of nothing": b" " * 10_000_000,
}


@pytest.mark.parametrize("words", ["hook", "statusline"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_input_makes_them_fail(words: str, kind: str, tmp_path: Path, private_home: Path) -> None:
    said = run(words, raw=HOSTILE[kind], cwd=tmp_path)
    assert (said.out, said.err, said.code) == ("", "", 0)
    assert not (private_home / "data").exists()


@pytest.mark.parametrize("kind", ["broken", "two objects", "an unknown event", "ten megabytes of nothing"])
def test_a_hook_is_silent_about_what_it_cannot_read(kind: str, project: Path) -> None:
    assert run("hook", raw=HOSTILE[kind], cwd=project).out == ""


@pytest.mark.parametrize("redirected", ["<&-", "< /dev/null", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["hook", "statusline"])
def test_closed_streams_are_no_failure(words: str, redirected: str, project: Path) -> None:
    line = f"'{sys.executable}' -m anchormem {words} {redirected}"
    done = subprocess.run(["sh", "-c", line], cwd=project, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert (">&-" in redirected) == (done.stdout == "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize("words", ["hook", "statusline"])
def test_a_full_or_broken_output_is_no_failure(words: str, project: Path) -> None:
    for line in (f"'{sys.executable}' -m anchormem {words} </dev/null >/dev/full",):
        done = subprocess.run(["sh", "-c", line], cwd=project, capture_output=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", ["hook", "statusline"])
def test_an_input_held_open_and_never_written_is_not_waited_for(words: str, project: Path) -> None:
    """Measured from when the process is up: how fast a machine starts Python is not ours."""
    code = "import sys, time; began = time.monotonic(); from anchormem.cli import main; main(sys.argv[1:]);"
    code += "sys.stderr.write(str(time.monotonic() - began))"
    with subprocess.Popen(
        [sys.executable, "-c", code, words],
        cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout
        assert child.stderr
        assert child.stdout.read()
        took = float(child.stderr.read())
        assert child.wait(10) == 0
    assert 0.1 < took < 1.0, "0.15 s and the look itself, and a margin for a busy machine"


def test_a_line_is_there_within_300_ms_of_an_input_that_stays_silent(project: Path) -> None:
    """On a machine so busy that an empty Python takes long, as many times that one; the bench has the bare figure."""
    nothing = min(until_the_end(project, "-c", "print()") for _ in range(3))
    took = min(until_the_end(project, "-m", "anchormem", "statusline") for _ in range(3))
    assert took < max(0.3, 0.15 + 6 * nothing)


@pytest.mark.parametrize(("words", "begins"), [("hook", b"anchormem has 1 memory"), ("statusline", "⚓ 1".encode())])
def test_the_way_of_windows_to_read_waits_no_longer(words: str, begins: bytes, project: Path) -> None:
    """There a pipe cannot be asked whether something is in it."""
    code = "import os, sys; from types import SimpleNamespace; from anchormem.cli import event, main;"
    code += "event.os = SimpleNamespace(**{**vars(os), 'name': 'nt'}); sys.exit(main(sys.argv[1:]))"
    for said in (b"", json.dumps(start(project)).encode()):
        with subprocess.Popen(
            [sys.executable, "-c", code, words], cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as child:
            assert child.stdin
            assert child.stdout
            child.stdin.write(said)
            child.stdin.flush()
            assert child.stdout.read().startswith(begins), "with the input still open"
            assert child.wait(10) == 0


def until_the_end(where: Path, *words: str) -> float:
    """Seconds from the start of a process until it has said its line, its input held open."""
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, *words], cwd=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:  # fmt: skip
        assert child.stdout
        assert child.stdout.readline()
        took = time.monotonic() - began
        assert child.wait(10) == 0
    return took


def test_an_event_whose_writer_keeps_the_stream_open_is_answered(project: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "anchormem", "hook"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin
        assert child.stdout
        text = json.dumps(start(project))
        child.stdin.write(text[:20])
        child.stdin.flush()
        time.sleep(0.05)
        child.stdin.write(text[20:])
        child.stdin.flush()
        assert "1 active" in child.stdout.read()
        assert child.wait(10) == 0


@pytest.mark.parametrize(("words", "begins"), [("hook", "anchormem has 1 memory"), ("statusline", "⚓ 1")])
def test_at_a_terminal_nobody_is_waited_for(words: str, begins: str, project: Path) -> None:
    master, slave = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "anchormem", words],
            cwd=project, stdin=slave, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
    finally:
        os.close(master)
        os.close(slave)
    assert done.returncode == 0
    assert done.stdout.startswith(begins)


@pytest.mark.skipif(os.name == "nt", reason="the command is a POSIX shell's")
def test_it_works_by_its_whole_path_with_an_empty_path_and_a_folder_with_a_space(
    tmp_path: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "a föld er"
    root.mkdir()
    git(root, "init", "-q")
    known(root, git)
    capsys.readouterr()
    program = Path(sys.executable).with_name("anchormem")
    environment = {name: value for name, value in os.environ.items() if name != "PATH"}
    for word, expected in (("hook", "anchormem has 1 memory"), ("statusline", "⚓ 1")):
        done = subprocess.run(
            ["/bin/sh", "-c", f"'{program}' {word}"],
            input=json.dumps(start(root)), cwd="/", env={**environment, "PATH": "", "LC_ALL": "C"},
            capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.stdout.startswith(expected)
        assert (done.stderr, done.returncode) == ("", 0)


def test_a_current_directory_that_is_gone_is_no_failure(project: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    line = f"mkdir '{gone}'; cd '{gone}'; rmdir '{gone}'; '{sys.executable}' -m anchormem"
    for words in ("hook", "statusline"):
        done = subprocess.run(["sh", "-c", f"{line} {words} </dev/null"], capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    told = subprocess.run(
        ["sh", "-c", f"{line} hook"], input=json.dumps(start(project)), capture_output=True, text=True, check=False
    )
    assert told.stdout.startswith("anchormem has 1 memory")

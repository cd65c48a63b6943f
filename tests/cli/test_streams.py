"""Standard streams that are closed, full, or hold no text: one clear line and an exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"'{sys.executable}' -m anchormem"
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full here")  # noqa: PTH110 — at import


def shell(where: Path, line: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(["sh", "-c", line], cwd=where, capture_output=True, check=False, timeout=120)


@FULL
@pytest.mark.parametrize("words", ["--help", "--version", "recall --help", "map . ", "map . --json", "doctor", "check"])
def test_a_full_output_is_one_line_and_a_failure(repository: Path, words: str) -> None:
    done = shell(repository, f"{COMMAND} {words} > /dev/full")
    assert done.returncode == 1, done.stderr
    first, *more = done.stderr.decode().splitlines()
    assert first.startswith("anchormem: standard output cannot be written: No space left")
    assert len(more) == 1, more


@FULL
def test_a_full_output_of_many_lines_is_told_the_same_way(repository: Path) -> None:
    (repository / "many.py").write_text("".join(f"def function_{n}():\n    return {n}\n\n\n" for n in range(900)))
    done = shell(repository, f"{COMMAND} map many.py --budget-tokens 20000 > /dev/full")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 2)
    assert b"cannot be written" in done.stderr


@pytest.mark.parametrize("words", ["--help", "map .", "remember 'a b c' --kind fact", "recall --json --offset -1"])
def test_a_closed_output_is_one_line_and_nothing_is_done(repository: Path, words: str) -> None:
    done = shell(repository, f"{COMMAND} {words} >&-")
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[0] == "anchormem: standard output is closed"
    assert b"0" in shell(repository, f"{COMMAND} admin list; echo 0").stdout
    assert b"a b c" not in shell(repository, f"{COMMAND} admin list").stdout


def test_with_errors_closed_the_exit_code_still_tells(repository: Path) -> None:
    done = shell(repository, f"{COMMAND} recal 2>&-")
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_closed_input_is_no_terminal(repository: Path) -> None:
    assert shell(repository, f"{COMMAND} verify <&-").returncode == 0
    done = shell(repository, f"{COMMAND} remember - --kind fact <&-")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, b"anchormem: standard input is closed")


def test_an_input_that_is_no_text_is_called_so(repository: Path) -> None:
    done = shell(repository, f"printf '\\377\\376' | {COMMAND} remember - --kind fact")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == b"anchormem: standard input is not UTF-8"

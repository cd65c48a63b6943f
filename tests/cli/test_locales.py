"""One store whatever the locale and the encoding of the streams, and nothing printed that stops a command."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.cli import main
from anchormem.cli.utf8 import spell_out
from cli.cold import known, run, start

LEGACY = {"LC_ALL": "C", "PYTHONUTF8": "0"}  # file names and streams are ASCII
NARROW = {"PYTHONIOENCODING": "ascii"}  # the streams alone


@pytest.fixture
def accented(tmp_path: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with a memory, and letters beyond ASCII in its path and its text."""
    root = tmp_path / "dépôt 道"
    root.mkdir()
    git(root, "init", "-q")
    known(root, git)
    (root / "größe.py").write_text("def größe():\n    return 50\n", "utf-8")
    main(["remember", "größe ist 50 → nie mehr", "--kind", "fact", "--anchor", "größe.py::größe", "--root", str(root)])
    assert not capsys.readouterr().err
    return root


@pytest.mark.parametrize("env", [LEGACY, NARROW, {**LEGACY, **NARROW}], ids=["legacy", "narrow", "both"])
def test_every_locale_opens_the_same_store_and_prints_what_it_finds(accented: Path, env: dict[str, str]) -> None:
    found = run("recall", "größe", "--working-set", "größe.py", cwd=accented, env=env)
    assert (found.code, found.err) == (0, "")
    assert "größe.py::größe" in found.out.encode().decode("utf-8").replace("\\u00f6", "ö").replace("\\u00df", "ß")
    as_json = run("recall", "größe", "--json", "--root", str(accented), env=env)
    assert "größe ist 50 → nie mehr" in [item["body"] for item in json.loads(as_json.out)["data"]]
    assert run("hook", event=start(accented), env=env).out.startswith("anchormem has 2 memories of this repository")
    assert run("statusline", "--root", str(accented), cwd=accented, env=env).out.startswith("⚓ 2")


def test_an_error_with_any_letter_is_told_under_any_encoding(tmp_path: Path) -> None:
    done = run("map", "größe→", "--root", str(tmp_path), env=NARROW)
    assert done.code == 1
    assert "gr\\u00f6\\u00dfe\\u2192" in done.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_what_a_stream_cannot_encode_is_spelled_as_json_does(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, errors="strict"))
    spell_out()
    text = "é → 🦀 \udce9 道"
    sys.stdout.write(json.dumps(text, ensure_ascii=False))
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode(encoding)) == text


def test_json_is_utf8_whatever_the_stream_was(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    spell_out(as_json=True)
    sys.stdout.write('"é"')
    sys.stdout.flush()
    assert raw.getvalue() == '"é"'.encode()

"""Paths and words as a person writes them: from the current directory, after `--`, with odd characters."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.cli import COMMANDS, main


@pytest.fixture
def inner(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder inside a project, where one stands."""
    folder = repository / "django/views"
    (folder / "generic").mkdir(parents=True)
    (folder / "generic/base.py").write_text("class RedirectView:\n    url = None\n", "utf-8")
    (repository / "setup.py").write_text("def setup():\n    return 1\n", "utf-8")
    monkeypatch.chdir(folder)
    return folder


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = main([words[0], "--json", *words[1:]])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.dumps(json.loads(out)["data"])


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) != 0
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 2, err
    return err


@pytest.mark.usefixtures("inner")
@pytest.mark.parametrize(
    "written", ["generic/base.py", "./generic//base.py", "django/views/generic/base.py", "../views/generic/base.py"]
)
def test_a_path_is_read_from_where_one_stands_else_from_the_root(
    written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there = "django/views/generic/base.py"
    assert there in answered(capsys, "affected", written)
    assert "RedirectView" in answered(capsys, "map", written)
    assert f"{there}::RedirectView.url" in answered(capsys, "map", f"{written}::RedirectView.url")
    whole = {"file": written, "symbol": f"{written}::RedirectView"}
    for number, anchor in enumerate((f"{written}::RedirectView", written, json.dumps(whole))):
        words = ("remember", f"redirects {number} keep the query", "--kind", "fact", "--force", "--anchor", anchor)
        assert there in answered(capsys, *words)
    assert "redirects 0" in answered(capsys, "recall", "--working-set", written)
    assert "redirects 0" in answered(capsys, "admin", "list", "--path", written)


def test_an_absolute_path_inside_the_project_is_taken(inner: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "RedirectView" in answered(capsys, "map", str(inner / "generic/base.py"))
    (inner.parents[2] / "link").symlink_to(inner)
    assert "RedirectView" in answered(capsys, "map", str(inner.parents[2] / "link/generic/base.py"))
    assert "setup" in answered(capsys, "map", "../../setup.py::setup")
    assert "absolute" in refused(capsys, "map", "/etc/passwd")
    assert ".." in refused(capsys, "map", "../../../setup.py")


@pytest.mark.usefixtures("inner")
def test_here_is_the_current_directory_and_a_bare_symbol_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    answered(capsys, "index")
    here = answered(capsys, "map", ".")
    assert "generic" in here
    assert "setup.py" not in here
    assert "RedirectView.url" in answered(capsys, "map", "RedirectView.url")


@pytest.mark.usefixtures("inner")
def test_a_mistyped_path_is_answered_with_what_is_near_it(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["affected"], ["remember", "x y z", "--kind", "fact", "--anchor"]):
        assert "django/views/generic/base.py" in refused(capsys, *words, "generic/bsae.py")


@pytest.mark.parametrize("name", ["recall", "map", "affected", "remember", "admin"])
def test_the_help_says_what_paths_are_relative_to(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert name in COMMANDS
    with pytest.raises(SystemExit):
        main([name, "--help"])
    assert "relative to the current directory" in " ".join(capsys.readouterr().out.split())


def test_two_dashes_end_the_options(inner: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inner / "-x.py").write_text("def odd():\n    return 1\n", "utf-8")
    assert "odd" in answered(capsys, "map", "--", "-x.py")
    assert "odd" in answered(capsys, "affected", "--", "-x.py", "generic/base.py")
    answered(capsys, "recall", "--", "--weird")
    assert main(["recall", "--", "--json"]) == 0
    assert not capsys.readouterr().out.startswith("{")
    assert "unknown argument '--json'" in refused(capsys, "status", "--", "--json")


def test_a_name_with_two_colons_is_refused_with_the_reason(inner: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inner / "a::b.py").write_text("x = 1\n", "utf-8")
    for words in (["map"], ["remember", "x y z", "--kind", "fact", "--anchor"]):
        assert "a file whose name holds ::" in refused(capsys, *words, "a::b.py")


@pytest.mark.skipif(sys.platform == "darwin", reason="such a name cannot be made there")
def test_what_is_not_utf8_is_called_so(inner: Path) -> None:
    for words in ([b"map", b"caf\xe9.py"], [b"remember", b"caf\xe9", b"--kind", b"fact"]):
        done = subprocess.run(
            [os.fsencode(sys.executable), b"-m", b"anchormem", *words], cwd=inner, capture_output=True, check=False
        )
        assert done.returncode == 2
        assert done.stderr.startswith(b"anchormem: not UTF-8: 'caf\\udce9")


def test_a_name_with_a_line_break_stays_on_one_line(inner: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (inner / "a\nstale  x\x1b[2J.py").write_text("def odd():\n    return 1\n", "utf-8")
    assert main(["affected"]) == 0
    odd = [line for line in capsys.readouterr().out.splitlines() if "stale  x" in line]
    assert odd
    assert all(r"a\nstale  x\x1b[2J.py" in line for line in odd)
    words = ["remember", "two\nlines", "--kind", "fact", "--anchor", "a\nstale  x\x1b[2J.py::odd"]
    assert main(words) == 0
    assert r"anchors: django/views/a\nstale  x\x1b[2J.py::odd" in capsys.readouterr().out
    assert main(["recall", "two lines"]) == 0
    out = capsys.readouterr().out
    assert "  two\n  lines\n" in out, "prose keeps its lines"
    assert r"anchors: django/views/a\nstale" in out


@pytest.mark.usefixtures("inner")
@pytest.mark.parametrize(
    "anchor", ["generic/base.py::", "generic/base.py:: ", '{"file": "generic/base.py", "symbol": "generic/base.py::"}']
)
def test_an_anchor_that_names_no_symbol_is_refused(anchor: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "names no symbol" in refused(capsys, "remember", "a b c", "--kind", "fact", "--anchor", anchor)


def test_that_nothing_changed_is_said(inner: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    git(inner, "add", "-A", ":/")
    git(inner, "commit", "-qm", "all")
    assert main(["affected", "generic/base.py"]) == 0
    assert capsys.readouterr().out.startswith("nothing changed since HEAD ")

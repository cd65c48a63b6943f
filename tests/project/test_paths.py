"""The gate for paths from outside: what passes, in which form, and what is refused."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchormem.errors import BadPath, NotFound
from anchormem.project.paths import anchorable, gate
from anchormem.project.root import Root, find_root


@pytest.fixture
def root(repository: Path) -> Root:
    (repository / "src").mkdir()
    (repository / "src" / "a.py").write_text("a = 1\n")
    (repository / ".gitignore").write_text(".env\n")
    (repository / ".env").write_text("SECRET=1\n")
    return find_root(repository)


@pytest.mark.parametrize(
    ("given_path", "expected"),
    [
        ("src/a.py", "src/a.py"),
        ("./src//a.py", "src/a.py"),
        ("src/./a.py", "src/a.py"),
        ("src/", "src"),
        (".", "."),
        ("./", "."),
        ("src\\a.py", "src/a.py"),
        ("new/file.py", "new/file.py"),
        ("a b/ü\n'\".txt", "a b/ü\n'\".txt"),
        (".github/workflows/x.yml", ".github/workflows/x.yml"),
        (".gitignore", ".gitignore"),
        ("..a/b..", "..a/b.."),
        ("console.py", "console.py"),
        ("auxiliary/con_fig", "auxiliary/con_fig"),
        ("src/~x", "src/~x"),
        ("-rf", "-rf"),
        ("a:b", "a:b"),
        ("\udcff.txt", "\udcff.txt"),
    ],
)
def test_leaves_alone_or_tidies(root: Root, given_path: str, expected: str) -> None:
    if given_path == "a:b":
        (root.path / "a:b").write_text("")
    assert gate(root, given_path) == expected


@pytest.mark.parametrize(
    "given_path",
    [
        "",
        "   ",
        "a\0b",
        "/etc/passwd",
        "//server/share",
        "\\\\server\\share",
        "C:\\x",
        "C:/x",
        "c:x",
        "~/x",
        "~root/x",
        "../x",
        "src/../../x",
        "src/..",
        "..",
        "..\\x",
        "src\\..\\..\\x",
        ".git/config",
        ".GIT/config",
        "sub/.git",
        ".git./config",
        "git~1/config",
        ".git::$INDEX_ALLOCATION/config",
        "CON",
        "nul.txt",
        "src/aux.c",
        "COM1",
        "lpt9.log",
        "NUL:x",
        "con ",
        "x" * 256,
        "é" * 128,
        "a/" * 2100 + "b",
        "\ud800",
    ],
)
def test_refuses(root: Root, given_path: str) -> None:
    with pytest.raises(BadPath) as refused:
        gate(root, given_path)
    assert refused.value.hint
    assert "\0" not in refused.value.message


def test_an_absolute_path_inside_is_refused_with_its_relative_form(root: Root, tmp_path: Path) -> None:
    with pytest.raises(BadPath) as refused:
        gate(root, str(root.path / "src" / "a.py"))
    assert refused.value.hint == 'use "src/a.py"'
    (tmp_path / "link").symlink_to(root.path)
    with pytest.raises(BadPath) as refused:
        gate(root, str(tmp_path / "link" / "src"))
    assert refused.value.hint == 'use "src"'


def test_a_detour_that_stays_inside_is_refused_with_the_straight_form(root: Root) -> None:
    with pytest.raises(BadPath) as refused:
        gate(root, "src/../src/a.py")
    assert refused.value.hint == 'use "src/a.py"'


def test_symlinks_that_lead_out_are_refused(root: Root, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root.path / "out").symlink_to(tmp_path / "outside")
    (root.path / "passwd").symlink_to("/etc/passwd")
    (root.path / "up").symlink_to("..")
    (root.path / "hooks").symlink_to(".git/hooks")
    for path in ("out", "out/x", "passwd", "up/x", "hooks/x"):
        with pytest.raises(BadPath):
            gate(root, path)


def test_symlinks_inside_lead_to_the_real_file(root: Root) -> None:
    (root.path / "link").symlink_to("src")
    assert gate(root, "link/a.py") == "src/a.py"


def test_a_symlink_loop_ends(root: Root) -> None:
    (root.path / "loop").symlink_to("loop")
    assert gate(root, "loop/x").startswith("loop")


@pytest.mark.skipif(os.name == "nt", reason="such names do not exist there")
def test_files_that_are_really_called_oddly_can_be_named(root: Root) -> None:
    for name in ("a\\b.txt", "aux.c", "x:y"):
        (root.path / name).write_text("")
        assert gate(root, name) == name


def test_a_missing_file_is_told_with_near_names(root: Root) -> None:
    with pytest.raises(NotFound) as missing:
        gate(root, "src/b.py", must_exist=True)
    assert "src/a.py" in missing.value.hint


def test_ignored_files_and_folders_cannot_be_anchored(root: Root) -> None:
    assert anchorable(root, "src/a.py") == "src/a.py"
    for path, why in ((".env", "ignored"), ("src", "folder")):
        with pytest.raises(BadPath, match=why):
            anchorable(root, path)
    with pytest.raises(NotFound):
        anchorable(root, "src/nope.py")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.text(alphabet=st.sampled_from("a./\\~:\0 -é\udcff\ud800cCoOnN") | st.characters(), max_size=20))
def test_whatever_passes_lies_inside(root: Root, text: str) -> None:
    try:
        passed = gate(root, text)
    except BadPath:
        return
    real = Path(os.path.realpath(root.path / passed))
    assert real.is_relative_to(root.path)
    assert not real.is_relative_to(root.path / ".git")
    assert gate(root, passed) == passed

"""Ignore files outside git decide as git does, proved against git itself."""

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.project.ignores import IgnoreFiles, parse
from anchormem.project.root import Root

PATHS = [
    "out/keep.txt", "gen/x", "gen/gen/y", "a.log", "keep/a.log", "src/gen/z", "src/build/q", "build/q", "foo/bar/baz",
    "foo/x", "b/foo/y", "doc/a/b/c.txt", "a b", "#c", "!d", "[x]", "é", "UP/x", "abc/def", "x.y/z.w",
]  # fmt: skip

TABLE = [
    "out\n!keep.txt",
    "!**/gen/**\n/gen",
    "/gen\n!**/gen/**",
    "*.log\n!keep",
    "*.log\n!keep/*",
    "*.log\n!a.log",
    "*\n!*.txt",
    "*\n!*/\n!*.txt",
    "/*\n!/src",
    "build/",
    "/build/",
    "src/build",
    "src/*",
    "foo/**",
    "foo/**/",
    "**/foo",
    "**/foo/**",
    "foo/**/baz",
    "doc/**/c.txt",
    "**",
    "**/",
    "/",
    "!/",
    "a\\ b",
    "a b ",
    "a b\\ ",
    "\\#c\n#c",
    "\\!d",
    "[[]x]",
    "[ab]*",
    "[!a]*",
    "[^a]*",
    "[[:alpha:]]*",
    "[[:upper:]]*",
    "[a-c]bc",
    "[",
    "abc\\",
    "?.log",
    "u*/x",
    "x.y/",
    "x?y/*",
    "foo/\n!foo/x",
    "foo/*\n!foo/x",
    "é\r",
    "  ",
    "gen/x\n",
    "a//b",
    "***",
    "f**o",
    "*/x",
    "/**/x",
    "\ufeffout",
]


def build(root: Path, ignore: str) -> None:
    for path in PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")
    (root / ".gitignore").write_bytes(ignore.encode())


def by_git(root: Path) -> set[str]:
    command = ["git", "ls-files", "-z", "-o", "--exclude-standard"]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True)
    return set(done.stdout.decode().split("\0")) - {"", ".gitignore"}


def by_us(root: Path) -> set[str]:
    files = IgnoreFiles(Root(root), ".gitignore")
    return {path for path in PATHS if not files.excludes(path)}


@pytest.mark.parametrize("ignore", TABLE)
def test_every_pattern_of_the_table_means_what_git_means(repository: Path, ignore: str) -> None:
    build(repository, ignore)
    assert by_us(repository) == by_git(repository)


LINES = st.builds(
    lambda negated, anchored, parts, folder: f"{negated}{anchored}{'/'.join(parts)}{folder}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/", "**/"]),
    st.lists(
        st.sampled_from(["gen", "foo", "src", "*", "**", "*.log", "a*", "b?r", "x", "keep", "[a-f]*", "build"]),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(["", "", "/", "/**", "/*"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=4))
def test_any_short_ignore_file_decides_as_in_git(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        build(root, "\n".join(lines))
        assert by_us(root) == by_git(root)


@given(st.binary(max_size=60))
def test_any_bytes_are_an_ignore_file(data: bytes) -> None:
    parse(data)


def test_an_ignore_file_that_is_a_symlink_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("*\n")
    root = tmp_path / "project"
    root.mkdir()
    (root / ".gitignore").symlink_to(tmp_path / "elsewhere")
    assert not IgnoreFiles(Root(root), ".gitignore").excludes("a.py")


def test_folders_nested_deeper_than_python_calls_are_decided(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("x.py\nb\n")
    deep = "a/" * 1500
    files = IgnoreFiles(Root(tmp_path), ".gitignore")
    assert files.excludes(f"{deep}x.py")
    assert files.excludes(f"{deep}b/y.py")
    assert not files.excludes(f"{deep}y.py")

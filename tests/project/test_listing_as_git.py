"""What is listed is what git tracks or would track, whatever a repository's ignore files and file names are."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.project.listing import list_files, why_not_listed
from anchormem.project.root import find_root

FOLDERS = (
    "",
    "src/",
    "src/deep/",
    "Gen/",
    "gen/",
    "sp ace/",
    "new\nline/",
    os.fsdecode(b"latin\xe9/"),
    "[a]/",
    "!bang/",
)
NAMES = (
    "a.py", "A.py", "x.log", "X.LOG", "keep.log", "quote'\".py", "new\nline.py", "tab\t.py", "-dash", "? x.py",
    "H 1.py", "100644 0 0\tx", "sp ace.py ", "back\\slash.py", "*.py", "#hash.py", "!bang.py", "é.py", "e\u0301.py",
    os.fsdecode(b"\xff\xfe.py"), "[a].py", "trailing. ",
)  # fmt: skip
WORDS = (
    "*", "**", "*.log", "*.LOG", "*.py", "a.py", "gen", "Gen", "src", "deep", "keep.log", "sp ace*", "\\#hash.py",
    "#hash.py", "\\!bang.py", "[a]*", "\\[a\\]*", "?.py", "[!a]*.py", "back\\\\slash.py", "*.py\\", "tab\t*",
    "trailing. ", "trailing.\\ ", "é.py", "\ufeffa.py", "[", "x.log\r", "latin*", "**/deep", "deep/**",
)  # fmt: skip
LINES = st.builds(
    lambda negated, start, word, end: f"{negated}{start}{word}{end}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/", "**/", "src/"]),
    st.sampled_from(WORDS),
    st.sampled_from(["", "", "/", "/*", "/**", "  "]),
)
IGNORES = st.dictionaries(st.sampled_from([*FOLDERS[:5], ".git/info/"]), st.lists(LINES, max_size=6), max_size=4)
PATHS = st.sets(
    st.builds(lambda folder, name: folder + name, st.sampled_from(FOLDERS), st.sampled_from(NAMES)), max_size=40
)


def git(root: Path, *words: str, given: bytes = b"") -> bytes:
    return subprocess.run(["git", *words], cwd=root, input=given, capture_output=True, check=True).stdout


def put(root: Path, path: str, data: bytes) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="the file system allows fewer names")
@settings(max_examples=12)
@given(ignores=IGNORES, tracked=PATHS, others=PATHS, blind_to_case=st.booleans())
def test_whatever_is_ignored_negated_nested_or_tracked_all_the_same_git_and_we_list_one_set(
    ignores: dict[str, list[str]], tracked: set[str], others: set[str], *, blind_to_case: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        git(root, "init", "-q")
        for path in tracked | others:
            put(root, path, b"x = 1\n")
        for place, lines in ignores.items():
            name = "exclude" if place.startswith(".git/") else ".gitignore"
            put(root, place + name, "\n".join(lines).encode("utf-8", "surrogateescape"))
        named = b"".join(os.fsencode(path) + b"\0" for path in tracked)
        git(root, "--literal-pathspecs", "add", "-f", "--pathspec-from-file=-", "--pathspec-file-nul", given=named)
        git(root, "config", "core.ignoreCase", str(blind_to_case).lower())  # now: two of one name could not be added
        told = os.fsdecode(git(root, "ls-files", "-z", "-co", "--exclude-standard")).split("\0")[:-1]
        ours = [file.path for file in list_files(find_root(root)).files]
        assert sorted(ours) == sorted(set(told))
        refused = why_not_listed(find_root(root), sorted(tracked | others))
        assert {path for path in tracked | others if path not in refused} == (tracked | others) & set(told)

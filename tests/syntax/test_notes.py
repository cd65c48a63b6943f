"""Markdown notes taken apart: what is a note of its own, what belongs to another, what is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem.errors import Refused
from anchormem.syntax.notes import Note, notes_of
from anchormem.syntax.parsed import LARGEST


def read(text: str) -> list[Note]:
    return list(notes_of(text.encode()))


def texts(text: str) -> list[str]:
    return [note.text for note in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one claim\ngoes on here\n\nanother claim", ["one claim goes on here", "another claim"]),
        ("- one item\n  goes on\nlazily too\n- two items", ["one item goes on lazily too", "two items"]),
        ("* one item\n\n  a second paragraph\n* two items", ["one item\na second paragraph", "two items"]),
        ("- one item\n  - inner a\n    on\n  - inner b\n    1. deep", ["one item\n- inner a on\n- inner b\n  1. deep"]),
        ("-\titem one\n\t- inner\n-\titem two", ["item one\n- inner", "item two"]),
        ("- - item one\n  - item two\n- last one", ["- item one\n- item two", "last one"]),
        ("3. third one\n4) other list", ["third one", "other list"]),
        ("- [ ] to do\n- [X] all done", ["[ ] to do", "[x] all done"]),
        ("say this:\n\n```sh\nrun  it\n\n  now\n```", ["say this:\n```sh\nrun  it\n\n  now\n```"]),
        ("- an item\n  ```\n  code\n   more\n  ```\n- two items", ["an item\n```\ncode\n more\n```", "two items"]),
        ("- an item\n\n```\ncode\n```\n\nnext text", ["an item\n```\ncode\n```", "next text"]),
        ("a claim\n\n    code()\n      more()", ["a claim\n    code()\n      more()"]),
        ("~~~\nonly code\n~~~", ["~~~\nonly code\n~~~"]),
        ("> a quoted\n> claim\n>\n> - an item\n>   goes on", ["a quoted claim", "an item goes on"]),
        ("> [!WARNING]\n> mind the gap", ["mind the gap"]),
        ("a line  \nbroken\\\ntwice", ["a line\nbroken\ntwice"]),
        ("| a | b |\n|---|---|\n| 1 | `x\\|y` |\n| | 2 |", ["a: 1; b: `x|y`", "b: 2"]),
        ("| a |\n|---|\n| 1 | 2 | 3 |", ["a: 1; 2; 3"]),
        ("- an item\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |", ["an item\n| a | b |\n|---|---|\n| 1 | 2 |"]),
        ("中文一行\n接着写\n\n한국어 줄\n이어서", ["中文一行接着写", "한국어 줄 이어서"]),
        ("<!-- hidden -->\n\nshown text\n\n<div>x</div>", ["shown text"]),
        ("- [One](#one)\n  - [Two](#two)\n\nreal text", ["real text"]),
        ("![badge](x.svg) [![ci](y.svg)](z)\n\nreal text", ["real text"]),
        ("@AGENTS.md\n\nreal text\n\n[x]: http://example", ["real text"]),
        ("Accepted\n\n已接受\n\n***", ["已接受"]),
        ("", []),
        ("#\n\n-\n\n>\n", []),
    ],
)  # fmt: skip
def test_what_is_one_note(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def headings(text: str) -> list[tuple[str, ...]]:
    return [note.headings for note in read(text)]


def test_headings_are_what_a_note_stands_under() -> None:
    text = "lead text\n# A `a.py` #\nfirst text\n### deep **B**\nsecond text\n\nC\n---\nthird text\n# D\nlast text"
    assert headings(text) == [(), ("A `a.py`",), ("A `a.py`", "deep **B"), ("A `a.py`", "C"), ("D",)]


def test_a_heading_in_an_item_belongs_to_the_item() -> None:
    assert texts("- # Title\n  and text\n- other item") == ["Title\nand text", "other item"]


@pytest.mark.parametrize("list_", ["- one item\n- two items", "| a b |\n|---|\n| one item |\n| two items |"])
def test_a_short_line_before_a_list_leads_to_its_items_and_to_no_further(list_: str) -> None:
    notes = read(f"# T\n\n**What broke**:\n\n{list_}\n\nafter that\n\n- free item")
    assert [note.headings for note in notes] == [("T", "What broke")] * 2 + [("T",)] * 2


def test_a_long_paragraph_before_a_list_is_a_claim_of_its_own() -> None:
    notes = read(f"{'many words ' * 12}:\n\n- one item")
    assert [note.headings for note in notes] == [(), ()]


def test_a_wide_colon_leads_too() -> None:
    assert headings("后端\uff1a\n- 一个项目") == [("后端",)]


def test_front_matter_is_no_note_and_its_title_stands_over_what_has_no_other() -> None:
    assert headings('---\ntitle: "T"\nx: [1]\n---\nsome text\n\n## S\n\nmore text') == [("T",), ("T", "S")]
    assert headings("+++\ntitle = 'T'\n+++\n# Real\n\nsome text") == [("Real",)]
    assert headings("---\ndate: 1\n---\nsome text") == [()]


def test_names_are_what_stands_in_backticks_outside_of_code() -> None:
    (note,) = read("# In `a.py`\n\n- call ``b`c`` and `d\n  e`, not `` ` ``\n  ```\n  `no`\n  ```\n")
    assert note.named == ("a.py", "b`c", "d e", "`")


def test_lines_are_told_from_one() -> None:
    assert [note.line for note in read("---\na: 1\n---\n\n# T\n\ntext here\n\n- item one\n- item two")] == [7, 9, 10]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_a_mark_do_not_matter(end: str) -> None:
    text = "# T\n\n- item `a`\n  goes on\n\n  ```\n  x\n  ```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert notes_of(b"\xef\xbb\xbf" + text.replace("\n", end).encode()) == notes_of(text.encode())


def test_what_no_person_could_read_is_refused() -> None:
    with pytest.raises(Refused, match="too deeply"):
        notes_of(b"- " * 5000 + b"x")
    with pytest.raises(Refused, match=f"{LARGEST + 1:,} bytes"):
        notes_of(b"x" * (LARGEST + 1))


PIECES = [
    "# ",
    "- ",
    "  ",
    "\n",
    "\n\n",
    "> ",
    "1. ",
    "```",
    "`",
    "|",
    "|---|\n",
    "---\n",
    "text",
    "\t",
    "*",
    "[x](#y)",
    "<!--",
    "\\",
    ":",
]


@settings(max_examples=150)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=40).map("".join))
def test_any_text_is_read_and_says_nothing_that_it_does_not_hold(text: str) -> None:
    there = set("".join(text.split()))
    for note in notes_of(text.encode("utf-8", "surrogatepass")):
        assert note.text.strip() == note.text != ""
        assert 1 <= note.line <= text.count("\n") + text.count("\r") + 1
        assert set("".join(note.text.split())) <= there | set(";:?-\ufffd")


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    notes_of(data)

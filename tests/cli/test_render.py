"""Replies as text for people."""

import pytest

from anchormem.cli import screen
from anchormem.cli.check import _annotation, _text
from anchormem.cli.render import envelope, memories, outline


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"files": 12345, "full": True}, ["files: 12,345", "full: yes"]),
        ({"by_kind": {"fact": 2}}, ["by kind:", "  fact: 2"]),
        ({"ids": ["a", "b"]}, ["ids:", "  - a", "  - b"]),
        ({"ids": ["a"]}, ["ids: a"]),
        ({"ids": []}, ["ids: none"]),
        ({"body": "one\ntwo"}, ["body:", "  one", "  two"]),
        ([{"a": 1, "b": [1]}], ["- a: 1", "  b: 1"]),
        ([{"name": "drain", "kind": "function", "lines": "4-5"}], ["- drain  kind function, lines 4-5"]),
        ([{"body": "x" * 200, "id": 1}], [f"- body: {'x' * 200}", "  id: 1"]),
        ({"x": None}, ["x: none"]),
        ("plain", ["plain"]),
        ([], ["nothing"]),
        ({"a": []}, ["a: none"]),
    ],
)
def test_any_value_is_an_indented_outline(value: object, lines: list[str]) -> None:
    assert list(outline(value)) == lines


def test_a_memory_is_a_head_its_flags_and_its_body() -> None:
    item = {
        "id": "abc",
        "kind": "decision",
        "body": "one\ntwo",
        "conf": 0.9,
        "on": "2026-01-31",
        "flags": ["stale:body_edited"],
        "anchors": ["a.py::f", "b.py"],
    }
    assert list(memories([item])) == [
        "abc  decision, confidence 0.9, 2026-01-31",
        "  stale:body_edited",
        "  one",
        "  two",
        "  anchors:",
        "    - a.py::f",
        "    - b.py",
        "",
    ]


def test_nothing_found_is_said() -> None:
    assert list(memories([])) == ["nothing"]


def test_the_envelope_says_what_was_left_out_and_how_fresh_it_is() -> None:
    meta = {
        "freshness": {"indexed_at": "2026-01-31T12:00:00Z", "dirty": 2, "failed_files": ["x.py"]},
        "completeness": {"matched": 5, "returned": 3, "omitted_reason": "relevance_floor"},
        "staleness": {"stale": 1, "contradicted": 0},
        "warnings": ["the configuration is broken"],
    }
    counts, *rest = envelope(meta)
    assert counts.startswith("3 of 5 shown · the rest left out: relevance floor · 1 stale · indexed 2026-01-31T12:")
    assert counts.endswith(" · 2 files changed since")
    assert rest == ["could not be read: x.py", "warning: the configuration is broken"]


def test_one_is_counted_as_one() -> None:
    meta = {"freshness": {"indexed_at": "2026-01-31T12:00:00Z", "dirty": 1, "unchecked": 1}}
    (line,) = envelope(meta)
    assert line.endswith("1 file changed since · 1 anchor not searched for since")
    assert list(_text({"checked": 1, "base": "a", "head": "b"}, [])) == [
        "1 decision or verified fact, a to b: all hold"
    ]


def test_without_an_index_what_was_not_searched_for_is_due() -> None:
    (line,) = envelope({"freshness": {"indexed_at": "never", "unchecked": 2}})
    assert line == "indexed never · 2 anchors not searched for yet"


def test_a_count_is_grouped_and_a_line_number_is_not() -> None:
    assert list(outline({"symbols": 21468, "line": 1209})) == ["symbols: 21,468", "line: 1209"]
    assert list(outline([{"at": "a.py::f", "line": 1209}])) == ["- a.py::f  line 1209"]


def test_what_comes_from_a_store_cannot_command_a_terminal() -> None:
    evil = "before\x1b]0;title\x07\x1b[2Jafter\x9b1m"
    shown = "\n".join([*memories([{"id": "a", "body": evil, "flags": [evil]}]), *outline({"k\x1b[1m": evil})])
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\x9b" not in shown


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert screen.paint("x", "red") == "\x1b[31mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert screen.paint("x", "red") == "x"
    monkeypatch.setenv("NO_COLOR", "")
    assert screen.paint("x", "red") != "x"
    monkeypatch.setenv("TERM", "dumb")
    assert screen.paint("x", "red") == "x"


FINDING = {
    "id": "abc",
    "kind": "decision",
    "body": "at most 50%\nof jobs",
    "reason": "body_edited",
    "path": "a,b:c.py",
    "line": 7,
    "at": "a,b:c.py::f",
}


def test_a_finding_is_an_annotation_that_github_reads() -> None:
    assert (
        _annotation(FINDING)
        == "::error file=a%2Cb%3Ac.py,line=7,title=stale decision abc::body_edited: at most 50%25 of jobs"
    )


def test_a_finding_cannot_add_a_command_of_its_own() -> None:
    line = _annotation({**FINDING, "body": "x\n::set-output name=a::b", "path": "a\n::warning::x"})
    assert "\n" not in line


def test_findings_are_counted_for_people() -> None:
    lines = list(_text({"checked": 3, "base": "main", "head": "HEAD"}, [FINDING]))
    assert lines == [
        "stale  abc  a,b:c.py::f  body_edited",
        "       at most 50% of jobs",
        "change the code, or renew what it changed: anchormem verify, then anchormem export, committed with the code",
        "3 decisions and verified facts, main to HEAD: 1 would be stale",
    ]
    assert list(_text({"checked": 3, "base": "main", "head": "HEAD"}, []))[-1].endswith("all hold")

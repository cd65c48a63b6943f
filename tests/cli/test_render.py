"""Replies as text for people."""

import pytest

from anchormem.cli import screen
from anchormem.cli.check import _annotation, _text
from anchormem.cli.render import envelope, memories, outline
from anchormem.workspace.check import INDEX


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
    assert counts.endswith(" · 2 files changed since, judged as they are now")
    assert rest == ["could not be read: x.py", "warning: the configuration is broken"]


def test_one_is_counted_as_one() -> None:
    meta = {"freshness": {"indexed_at": "2026-01-31T12:00:00Z", "dirty": 1, "unchecked": 1}}
    line, unsearched = envelope(meta)
    assert line.endswith("1 file changed since, judged as it is now")
    assert unsearched.startswith("1 anchor's code is not where it was")
    assert list(_text({"checked": 1, "base": "a", "head": "HEAD", "changed_files": 1}, [])) == [
        "HEAD compared with where it left a: 1 decision or verified fact, all hold"
    ]


def test_without_an_index_it_is_said_what_brings_one() -> None:
    first, second = envelope({"freshness": {"indexed_at": "never", "dirty": 3, "unchecked": 2}})
    assert first == "not indexed completely yet: anchormem index"
    assert second == (
        "the code of 2 anchors is not where it was, and not yet searched for elsewhere: anchormem index does that now"
    )


def test_what_is_invalidated_is_counted_apart_from_what_is_stale() -> None:
    (line,) = envelope({"staleness": {"stale": 1, "contradicted": 0, "invalidated": 2, "unknown": 3}})
    assert line == "1 stale · 2 invalidated · 3 unknown"


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
    data = {"checked": 3, "base": "main", "head": "HEAD", "changed_files": 2}
    lines = list(_text(data, [FINDING]))
    assert lines == [
        "stale  abc  a,b:c.py::f  body_edited",
        "       at most 50% of jobs",
        "change the code, or renew what it changed: anchormem verify, then anchormem export, committed with the code",
        "HEAD compared with where it left main: 3 decisions and verified facts, 1 would be stale",
    ]
    assert list(_text(data, []))[-1].endswith("all hold")


@pytest.mark.parametrize(
    ("base", "head", "said"),
    [
        ("HEAD", INDEX, "what is staged compared with HEAD"),
        ("main", "HEAD", "HEAD compared with where it left main"),
        ("main", INDEX, "what is staged compared with where HEAD left main"),
    ],
)
def test_a_check_says_what_it_compared_with_what(base: str, head: str, said: str) -> None:
    data = {"checked": 2, "base": base, "head": head, "changed_files": 1}
    assert list(_text(data, [])) == [f"{said}: 2 decisions and verified facts, all hold"]


def test_a_check_without_anything_to_judge_does_not_say_that_all_holds() -> None:
    (line,) = _text({"checked": 0, "base": "main", "head": "HEAD", "changed_files": 1, "store": 3}, [])
    assert line.endswith("left main: nothing to judge, as no decision and no verified fact is anchored here")


def test_a_check_of_nothing_staged_says_that_other_edits_were_not_judged() -> None:
    data = {"checked": 2, "base": "HEAD", "head": INDEX, "changed_files": 0}
    assert list(_text(data, []))[-1].startswith("nothing is staged, and other edits are not judged here: git add them")
    assert list(_text({**data, "head": "HEAD"}, []))[-1] == "no file differs between them"

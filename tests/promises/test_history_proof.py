"""The replay of real histories gives precision, recall and false alarms, and each of its gates can break."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from proof import oracle
from proof.judge import Verdict
from proof.oracle import Module
from proof.releases import commit_all, steps
from proof.replay import Replay
from proof.score import Score, Seen

FRESH = Verdict("fresh", frozenset({"fresh"}))
STALE = Verdict("stale", frozenset({"stale:body_edited"}))
FOLLOWED = Verdict("followed", frozenset({"followed a.py::g"}))
RIGHT = (
    *(Seen(f"c{n}", "a.py::f", FRESH, "fresh") for n in range(300)),
    *(Seen(f"c{n}", "a.py::f", STALE, "stale:body_edited") for n in range(40)),
    *(Seen(f"c{n}", "a.py::f", FOLLOWED, "followed a.py::g") for n in range(40)),
    *(Seen(f"c{n}", "a.py::f", Verdict("gone", frozenset({"gone"})), "gone") for n in range(40)),
)


def broken(*wrong: Seen) -> list[str]:
    """The gates that break when these opinions are among many right ones, by the first words of their promise."""
    return [gate.promise.partition(":")[0] for gate in Score().take((*RIGHT, *wrong)).gates() if not gate.kept]


def test_right_opinions_keep_every_gate() -> None:
    assert broken() == []


@pytest.mark.parametrize(
    ("wrong", "gate"),
    [
        (Seen("c", "a.py::f", STALE, "fresh"), "wrong active"),
        (Seen("c", "a.py::f", STALE, "followed a.py::g"), "wrong followed"),
        (Seen("c", "a.py::f", FOLLOWED, "followed a.py::h"), "wrong followed"),
        (Seen("c", "a.py::f", FOLLOWED, "fresh"), "wrong active"),
    ],
)
def test_one_wrong_opinion_breaks_its_gate(wrong: Seen, gate: str) -> None:
    assert broken(wrong) == [gate]


def test_more_than_one_false_alarm_in_a_hundred_breaks_its_gate() -> None:
    assert broken(*[Seen("c", "a.py::f", FRESH, "stale:body_edited")] * 3) == []
    assert broken(*[Seen("c", "a.py::f", FRESH, "stale:body_edited")] * 4) == ["false stale"]
    assert broken(*[Seen("c", "a.py::f", FOLLOWED, "unknown:pending")] * 4) == ["false stale"]


def test_more_than_one_wrong_death_in_a_hundred_breaks_its_gate() -> None:
    assert broken(Seen("c", "a.py::f", STALE, "gone")) == ["wrongly gone"]


def test_what_lasts_for_many_commits_hides_no_false_alarm() -> None:
    quiet = [Seen(f"q{n}", "a.py::f", FRESH, "fresh", new=False) for n in range(10_000)]
    assert broken(*quiet, *[Seen("c", "a.py::f", FRESH, "stale:body_edited")] * 4) == ["false stale"]


def test_a_replay_that_compared_nothing_keeps_no_gate() -> None:
    assert not any(gate.kept for gate in Score().gates())


def test_a_miss_names_commit_anchor_and_both_opinions() -> None:
    (miss,) = Score().take([Seen("1a2b3c4d5e", "a.py::f", STALE, "fresh")]).misses
    assert miss == "1a2b3c4d5e: a.py::f: said fresh, should be stale:body_edited"


def test_precision_recall_and_false_alarms_are_reported() -> None:
    wrong = [Seen("c", "a.py::f", FRESH, "stale:body_edited")] * 20 + [Seen("c", "a.py::f", STALE, "fresh")] * 10
    rows = {row.what: row for row in Score().take((*RIGHT, *wrong)).rows()}
    assert (rows["precision of alarms"].tried, rows["precision of alarms"].right) == (100, 80)
    assert (rows["recall of alarms"].tried, rows["recall of alarms"].right) == (90, 80)
    assert rows["sound code without an alarm"].note == "false alarms 5.56 %"


# ── a history of four commits, with the real server ─────────────────────────────────────────────────────────────────

ONE = '''\
"""A module."""
LIMIT = 50


def total(rows, limit=LIMIT):
    """Add up."""
    found = 0
    for row in rows[:limit]:
        if row.amount and not row.cancelled:
            found += row.amount * row.rate
    return found


def mean(rows):
    return total(rows) / len(rows) if rows else 0
'''
FORMATTED = ONE.replace("rows[:limit]:", "(rows[:limit]):").replace("Add up.", "Add them up.")
EDITED = FORMATTED.replace("LIMIT = 50", "LIMIT = 200")
TREES = [
    {"pack/sums.py": ONE},
    {"pack/sums.py": FORMATTED},
    {"pack/sums.py": EDITED},
    {
        "pack/sums.py": EDITED.partition("def total")[0],
        "pack/totals.py": "def total" + EDITED.partition("def total")[2],
    },
]


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    releases = [(f"1.{at}", {path: text.encode() for path, text in tree.items()}) for at, tree in enumerate(TREES)]
    commits = commit_all(tmp_path / "root", steps(releases, seed=1, most=9))
    assert len(commits) == len(TREES)
    return Replay(tmp_path / "root", tmp_path / "data", commits, {0: 9}, seed=3)


def test_product_and_oracle_agree_on_a_small_history(replay: Replay) -> None:
    seen = list(replay.run())
    assert [one for one in seen if not one.is_right] == []
    words = {(one.anchor, one.word) for one in seen}
    assert ("pack/sums.py::LIMIT", "stale:body_edited") in words
    assert ("pack/sums.py::mean", "followed pack/totals.py::mean") in words
    assert {one.word for one in seen[-len(replay.notes) :]} == {"fresh"}  # back at the first commit


# ── the oracle ──────────────────────────────────────────────────────────────────────────────────────────────────────


def read(text: str) -> Module:
    found = oracle.read(text.encode())
    assert isinstance(found, Module)
    return found


def bodies(text: str) -> Iterator[str]:
    yield from (one.body for one in read(text).definitions)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n  'doc'\n  return f(0XFF) # c", "def g(a,):\n  'other'\n  return (g(0xff))"),
        ("def f():\n  'doc'", 'def f():\n  """doc\n  """'),
        ("x = 'it\\'s' 'b'", 'x = ("it\'sb")'),
        ("class A:\n def f(self): return self.f(A)", "class A:\n\n  def f(self):\n    return self.f(A)"),
    ],
)
def test_the_oracle_overlooks_layout_documentation_and_own_names(one: str, other: str) -> None:
    assert list(bodies(one)) == list(bodies(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 50", "x = 200"),
        ("def f():\n  'doc'", "def f():\n  'other'"),
        ("x = '\\x41'", "x = 'A'"),
        ("x = '\\1' '2'", "x = '\\12'"),
        ("def f(a): return a", "def f(b): return b"),
        ("def f(a):\n if a: b\n elif c: d", "def f(a):\n if a: b\n else:\n  if c: d"),
        ("@a\ndef f(): pass", "def f(): pass"),
    ],
)
def test_the_oracle_tells_edits(one: str, other: str) -> None:
    assert list(bodies(one)) != list(bodies(other))


def test_to_the_oracle_a_documentation_before_a_decorated_function_is_none_of_the_signature() -> None:
    plain = read("def f(a):\n  @b\n  def g(): c").called("f")
    documented = read("def f(a):\n  'doc'\n  @b\n  def g(): c").called("f")
    assert plain[0].signature == documented[0].signature


def test_the_oracle_says_what_it_cannot_read() -> None:
    assert "SyntaxError" in str(oracle.read(b"print 'two'"))

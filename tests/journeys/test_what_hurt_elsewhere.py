"""What hurt the users of comparable tools, as whole stories over the wire: deletion, formatters, line ends, names."""

import subprocess
import sys

import pytest

from journeys.conftest import Desk

BILLING = """class Invoice:
    def parse(self, text):
        rows = [line.split(',') for line in text.splitlines() if line]
        return [(name, int(amount)) for name, amount in rows]

    @property
    def total(self):
        return sum(amount for _, amount in self.rows if amount > 0)

    @total.setter
    def total(self, value):
        self.rows = [(name, value) for name, _ in self.rows if name]


def parse(text, *, strict=False):
    def keep(line):
        return bool(line.strip()) and not line.startswith('#') and strict is not None
    return [line for line in text.splitlines() if keep(line)]


@cached
@logged(level='debug')
def rates(day, currency="EUR"):
    table = {'EUR': 1.0, 'USD': 1.1, 'GBP': 0.9}
    return table[currency] * (2 if day.weekday() > 4 else 1)


QUERY = '''
SELECT name
FROM invoices
'''
"""
UGLY = """class Totals(  ):
    def add( self,rows ,limit = 50 ) :
        picked=[ row for row in rows if (row.amount>limit) and row.name in ('a','b',"c",) ]
        return {'sum':sum( [row.amount for row in picked] ),'count':len(picked),'first':picked[ 0 ] if picked else 0}
"""


@pytest.fixture
def billing(desk: Desk) -> Desk:
    desk.write("billing.py", BILLING)
    desk.commit()
    desk.answer("admin", op="index")
    return desk


def test_a_deleted_function_is_invalidated_with_its_reason_and_leaves_no_row_or_line_behind(billing: Desk) -> None:
    memory = billing.remember("billing.py::rates")
    billing.write("billing.py", BILLING[: BILLING.index("@cached")])
    billing.commit()
    found = billing.recalled(memory)
    assert found["status"] == "invalidated"
    assert "invalidated:anchor_deleted" in found["flags"]  # type: ignore[operator]  # a list of texts
    shown = billing.answer("map", target="billing.py", detail="signature")
    assert isinstance(shown, dict)
    lines = (billing.root / "billing.py").read_text().count("\n")
    assert "rates" not in [symbol["name"] for symbol in shown["symbols"]]
    assert all(int(symbol["lines"].rpartition("-")[2]) <= lines for symbol in shown["symbols"])
    assert billing.error("map", target="billing.py::rates")["code"] == "not_found"


def test_a_real_formatter_that_changes_quotes_commas_and_wrapping_makes_nothing_stale(desk: Desk) -> None:
    desk.write("totals.py", UGLY)
    desk.commit()
    memories = [desk.remember(anchor) for anchor in ("totals.py::Totals.add", "totals.py::Totals", "totals.py")]
    formatter = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "60", "totals.py"]
    subprocess.run(formatter, cwd=desk.root, check=True, capture_output=True)
    assert (desk.root / "totals.py").read_text() != UGLY
    assert {desk.status(memory) for memory in memories} == {"active"}
    assert {desk.fate(memory) for memory in memories} == {"fresh"}


def test_line_ends_of_another_system_change_no_state_in_files_and_in_texts_of_many_lines(billing: Desk) -> None:
    anchors = ("billing.py", "billing.py::QUERY", "billing.py::rates", {"file": "billing.py", "quote": "FROM invoices"})
    memories = [billing.remember(anchor) for anchor in anchors]
    (billing.root / "billing.py").write_bytes(BILLING.replace("\n", "\r\n").encode())
    assert [billing.fate(memory) for memory in memories] == ["fresh"] * len(anchors)


def test_a_name_of_a_function_and_a_method_is_refused_with_the_forms_that_work(billing: Desk) -> None:
    bare = {"file": "billing.py", "symbol": "parse"}
    error = billing.error("remember", kind="fact", body="splits lines", anchors=[bare])
    said = f"{error['message']} {error['hint']}"
    assert "billing.py::Invoice.parse" in said
    forms = [word.strip(",") for word in str(error["hint"]).split() if word.startswith("billing.py::")]
    assert len(forms) == 2
    for form in forms:
        assert billing.fate(billing.remember(form)) == "fresh"


def test_nested_decorated_and_both_halves_of_a_property_can_be_anchored(billing: Desk) -> None:
    nested, decorated = billing.remember("billing.py::parse.keep"), billing.remember("billing.py::rates")
    error = billing.error("remember", kind="fact", body="the total", anchors=["billing.py::Invoice.total"])
    forms = [word.strip(",") for word in str(error["hint"]).split() if word.startswith("billing.py::")]
    halves = [billing.remember(form) for form in forms]
    assert len(halves) == 2
    billing.write("billing.py", BILLING.replace("@cached\n", "").replace("if name]", "if value]"))
    assert billing.fate(nested) == "fresh"
    assert billing.fate(decorated) == "stale:body_edited"
    assert sorted(billing.fate(half) for half in halves) == ["fresh", "stale:body_edited"]


def test_a_language_without_a_grammar_here_says_so_and_offers_the_file(desk: Desk) -> None:
    desk.write("main.zig", 'const std = @import("std");\npub fn main() void {\n    std.debug.print("hi", .{});\n}\n')
    desk.commit()
    error = desk.error("remember", kind="fact", body="prints", anchors=["main.zig::main"])
    assert "no grammar" in str(error["message"])
    assert "main.zig" in str(error["hint"])
    memory = desk.remember("main.zig")
    shown = desk.answer("map", target="main.zig")
    assert isinstance(shown, dict)
    assert [one["id"] for one in shown["memories"]] == [memory]

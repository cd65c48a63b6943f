"""From written names to symbols."""

import pytest

from anchormem.model import FileFacts, Slot
from anchormem.syntax.facts import facts_of
from anchormem.syntax.lookup import at, exact_form, matches, near

SOURCE = b"""\
def parse(): return 1
class Reader:
    def parse(self): return 2
    def read(self): return 3
    @property
    def size(self): return 4
    @size.setter
    def size(self, value): pass
class Writer:
    class Reader:
        def read(self): return 5
def over(a): return 6
def over(a, b = 1): return 7
"""
TYPESCRIPT = b"class Thing { constructor() {} Thing() { return 1 } m(a: number) { return a } }"


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of(SOURCE, "python")


def forms(facts: FileFacts, wanted: str) -> list[str]:
    return [exact_form(symbol, facts.symbols) for symbol in matches(facts, wanted)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("Reader.parse", ["Reader.parse"]),
        ("Writer.Reader.read", ["Writer.Reader.read"]),
        ("parse", ["parse", "Reader.parse"]),
        ("read", ["Reader.read", "Writer.Reader.read"]),
        ("Reader", ["Reader", "Writer.Reader"]),
        ("Writer", ["Writer"]),
        ("size", ["Reader.size@get", "Reader.size@set"]),
        ("size@set", ["Reader.size@set"]),
        ("Reader.size@get", ["Reader.size@get"]),
        ("over@(a,b=1)", ["over@(a, b=1)"]),
        ("over@( a )", ["over@(a)"]),
        ("over", ["over@(a)", "over@(a, b=1)"]),
        ("parse@", ["parse"]),
        ("Reader::parse", ["Reader.parse"]),
        ("nothing", []),
        ("", []),
        ("@", []),
    ],
)
def test_a_name_gives_what_it_may_mean(facts: FileFacts, wanted: str, expected: list[str]) -> None:
    assert forms(facts, wanted) == expected


def test_after_a_path_a_name_is_exact(facts: FileFacts) -> None:
    assert [s.qualified for s in matches(facts, "parse", exact_only=True)] == ["parse"]
    assert matches(facts, "read", exact_only=True) == ()


def test_a_class_wins_over_its_own_members() -> None:
    facts = facts_of(TYPESCRIPT, "typescript")
    assert [symbol.kind for symbol in matches(facts, "Thing")] == ["class"]


def test_a_class_wins_over_its_constructor_inside_a_namespace_too() -> None:
    facts = facts_of(b"namespace shop { class Basket { public: Basket(); int n; }; }", "cpp")
    assert [symbol.qualified for symbol in matches(facts, "Basket")] == ["shop.Basket"]


def test_twins_with_equal_parameters_answer_to_their_order_alone() -> None:
    facts = facts_of(b"try:\n  def load(s): return 1\nexcept ImportError:\n  def load(s): return 2\n", "python")
    assert forms(facts, "load") == ["load@(s)", "load@(s)#2"]
    assert forms(facts, "load@#2") == ["load@(s)#2"]
    assert forms(facts, "load@") == ["load@(s)"]


def test_a_name_may_be_separated_as_its_language_does() -> None:
    facts = facts_of(b"<?php\nnamespace App\\Model;\nclass U { function mk() { return 1; } }\n", "php")
    assert forms(facts, "App\\Model\\U") == forms(facts, "\\App\\Model\\U") == ["App.Model.U"]
    assert forms(facts, "U::mk") == ["App.Model.U.mk"]


def test_a_heading_may_hold_what_separates_elsewhere() -> None:
    facts = facts_of(b"# @scope/pkg\n\na\n\n# Using std::vector\n\nb\n", "markdown")
    assert [symbol.qualified for symbol in matches(facts, "@scope/pkg")] == ["@scope/pkg"]
    assert [symbol.qualified for symbol in matches(facts, "Using std::vector")] == ["Using std::vector"]


def test_a_symbol_that_stands_alone_answers_to_the_form_it_could_have() -> None:
    facts = facts_of(TYPESCRIPT, "typescript")
    assert [symbol.qualified for symbol in matches(facts, "Thing.m@(a:number)")] == ["Thing.m"]
    assert matches(facts, "Thing.m@(b: string)") == ()


def test_a_slot_holds_its_symbol_else_every_twin(facts: FileFacts) -> None:
    assert [s.disambiguator for s in at(facts, Slot("x.py", "over", "(a)"))] == ["(a)"]
    assert [s.disambiguator for s in at(facts, Slot("x.py", "over"))] == ["(a)", "(a, b=1)"]
    assert at(facts, Slot("x.py", "gone")) == ()


def test_near_names_are_offered_best_first(facts: FileFacts) -> None:
    assert near(facts, "pasre")[0] in {"parse", "Reader.parse"}
    assert near(facts, "Reader.raed")[0] == "Reader.read"
    assert near(facts, "zzzzzz") == ()


C_PLUS_PLUS = b"""\
int f(int, const char *name = "x");
int g(double); int g(int);
class A { A(); void m(int) const; void m(int); };
int f(int a, const char *b) { return a; }
int g(int x) { return x; }
A::A() {}
void A::m(int q) const {}
void A::m(int q) { r(); }
"""


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        ("f", [4]),
        ("f@", [4]),
        ("f@declaration", [1]),
        ("A.A", [6]),
        ("A", [3]),
        ("g", [2, 5]),  # one of them is defined elsewhere: another function
        ("g@(int x)", [5]),
        ("g@declaration", [2]),
        ("A.m", [7, 8]),
    ],
)
def test_a_definition_wins_over_what_declares_it_and_over_nothing_else(wanted: str, lines: list[int]) -> None:
    facts = facts_of(C_PLUS_PLUS, "cpp")
    assert [symbol.start_line for symbol in matches(facts, wanted)] == lines


def test_a_declaration_stands_for_itself_where_its_function_is_defined_elsewhere_or_twice() -> None:
    facts = facts_of(b"int f(void);\n#if A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n", "c")
    assert forms(facts, "f") == ["f@(void)", "f@(void)#2", "f@(void)#3"]
    assert forms(facts_of(b"int f(void);\n", "c"), "f") == ["f"]


def test_a_declaration_that_comes_later_leaves_the_definition_its_name() -> None:
    before = facts_of(b"int f(int a) { return a; }\n", "c")
    after = facts_of(b"int f(int);\nint f(int a) { return a; }\n", "c")
    assert [symbol.body for symbol in at(after, Slot("a.c", "f", ""))] == [before.symbols[0].body]

"""Facts of hostile and broken content: an answer every time, in bounded time, and isolation of what is damaged."""

import copy
import pickle
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchormem import languages
from anchormem.model import FileFacts
from anchormem.syntax.facts import content_digest, facts_of

CODE = ["python", "javascript", "typescript", "tsx"]
SECONDS = 10.0  # of processor time, generous; each case takes well under two

NASTY = {
    "nothing": b"",
    "only a mark": b"\xef\xbb\xbf",
    "NUL": b"x = 1\0\ny = 2\n",
    "not UTF-8": b"x = '\xff\xfe'\ndef f(): return '\xc3\x28'\n",
    "UTF-16": "x = 1\n".encode("utf-16"),
    "carriage returns": b"x = 1\ry = 2\r\n",
    "form feeds": b"x = 1\n\x0c\ny = 2\n",
    "control bytes": bytes(range(32)),
    "an open string": b'x = """' + b"a" * 1000,
    "nothing but brackets": b"(" * 5000,
    "nothing but closers": b"}" * 5000,
}


@pytest.mark.parametrize("language", CODE)
@pytest.mark.parametrize("name", NASTY)
def test_any_content_gives_facts(name: str, language: str) -> None:
    facts = facts_of(NASTY[name], language)
    assert facts.content == content_digest(NASTY[name])
    assert facts.language == language


@given(st.binary(max_size=400))
@settings(max_examples=60, deadline=None)
def test_random_bytes_give_facts(source: bytes) -> None:
    for language in CODE:
        facts_of(source, language)


@given(
    st.lists(
        st.sampled_from(["def f(a):", "\n", "    ", "return", "(", ")", "'", '"""', "x", "=", ",", ";", "\\", "#"])
    )
)
@settings(max_examples=60, deadline=None)
def test_half_typed_python_gives_facts(pieces: list[str]) -> None:
    facts_of(" ".join(pieces).encode(), "python")


def test_deeply_nested_definitions_are_walked() -> None:
    depth = 5_000
    source = b"function f() {" * depth + b"f()" + b"}" * depth
    start = time.process_time()
    facts = facts_of(source, "javascript")
    assert max(symbol.qualified.count(".") for symbol in facts.symbols) < 100
    assert facts.normal != facts_of(source.replace(b"f()}", b"g()}"), "javascript").normal
    assert time.process_time() - start < SECONDS


MANY = {
    "decorators": ("python", b"@a\n" * 15_000 + b"def f(): pass\n"),
    "targets": ("python", b",".join(b"a%d" % i for i in range(5_000)) + b" = x\n"),
    "links of a call chain": ("python", b"x" + b".a()" * 15_000 + b"\n"),
    "adjacent literals": ("python", b"x = (" + b'"a" ' * 15_000 + b")\n"),
    "documented functions": ("python", b'def f():\n "a"\n 1\n' * 3_000),
    "nested arrow functions": ("javascript", b"x=" + b"()=>" * 35_000 + b"1"),
    "operands with parentheses": ("javascript", b"x=" + b"a&&(" * 10_000 + b"a" + b")" * 10_000),
    "declarators": ("javascript", b"var " + b",".join(b"a%d=1" % i for i in range(5_000))),
    "enum members": ("typescript", b"enum A{" + b",".join(b"a%d" % i for i in range(5_000)) + b"}"),
}


@pytest.mark.parametrize("name", MANY)
def test_many_of_one_thing_cost_time_in_proportion(name: str) -> None:
    language, source = MANY[name]
    start = time.process_time()
    facts_of(source, language)
    assert time.process_time() - start < SECONDS


def test_a_text_over_the_limit_or_without_a_grammar_is_a_file_anchor_only() -> None:
    assert facts_of(b"x = 1\n" * 100_000, "python").language is None
    assert facts_of(b"x", None) == FileFacts(content_digest(b"x"), None, "", None, 0)
    assert facts_of(b"x", "no such language").language is None


@pytest.mark.parametrize("language", CODE)
def test_line_ends_marks_and_the_last_newline_change_nothing(language: str) -> None:
    source = b"x = `a\nb`\n" if language != "python" else b'x = """a\nb"""\n'
    plain = facts_of(source, language)
    for other in (source.replace(b"\n", b"\r\n"), source.replace(b"\n", b"\r"), b"\xef\xbb\xbf" + source, source[:-1]):
        assert facts_of(other, language) == plain


def test_a_definition_with_an_error_inside_says_so() -> None:
    facts = facts_of(b"class A:\n    def f(self):\n        return 1 +\n    def g(self):\n        return 2\n", "python")
    damaged = {symbol.qualified: symbol.damaged for symbol in facts.symbols}
    assert damaged["A"]
    assert damaged["A.f"]


@pytest.mark.parametrize("language", languages.names())
def test_every_language_answers_broken_content(language: str) -> None:
    for source in NASTY.values():
        facts_of(source, language)


def test_facts_come_through_another_process_as_they_were() -> None:
    source = b"import os\n\nclass A(B):\n    def f(self):\n        return os.sep\n\n\ndef g():\n    return A().f()\n"
    facts = facts_of(source, "python")
    assert facts.symbols
    assert facts.references
    assert pickle.loads(pickle.dumps(facts)) == facts  # noqa: S301 — our own
    assert copy.deepcopy(facts) == facts

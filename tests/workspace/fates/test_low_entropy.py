"""Where evidence begins, over all languages: what looks alike everywhere lies below, what decides something above."""

import pytest

from anchormem.reason.resolve import LOW_ENTROPY_BYTES, LOW_ENTROPY_TOKENS
from anchormem.syntax.facts import facts_of

# Per language: an empty body, a bare delegation, a one-line getter; then the smallest function that decides something.
# Each source holds one function or method called `f`.
TRIVIAL = {
    "python": ("def f(): pass", "def f(a, b): return g(a, b)", "class C:\n    def f(self): return self.x"),
    "javascript": ("function f() {}", "function f(a, b) { return g(a, b); }", "class C { f() { return this.x; } }"),
    "typescript": ("function f(): void {}", "function f(a: A) { return g(a); }", "class C { f() { return this.x; } }"),
    "tsx": ("function f(): void {}", "function f(a: A) { return g(a); }", "class C { f() { return this.x; } }"),
    "php": ("<?php function f() {}", "<?php function f($a) { return g($a); }", "<?php function f() { return $a; }"),
    "rust": ("fn f() {}", "fn f(a: A) -> B { g(a) }", "impl C { fn f(&self) -> i32 { self.x } }"),
    "go": ("func f() {}", "func f(a A) B { return g(a) }", "func (c C) f() int { return c.x }"),
    "java": ("class C { void f() {} }", "class C { int f(int a) { return g(a); } }", "class C { X f() { return x; } }"),
    "c": ("void f(void) {}", "int f(int a) { return g(a); }", "int f(C *c) { return c->x; }"),
    "cpp": ("void f() {}", "int f(int a) { return g(a); }", "class C { int f() const { return x; } };"),
    "ruby": ("def f; end", "def f(a, b) = g(a, b)", "class C\n  def f\n    @x\n  end\nend"),
    "csharp": ("class C { void f() {} }", "class C { int f(int a) => g(a); }", "class C { int f() { return x; } }"),
    "bash": ("f() { :; }", 'f() { g "$@"; }', "f() { echo $x; }"),
}  # fmt: skip
DECIDES = {
    "python": "def f(a, rate):\n    if a > 50:\n        return a * rate\n    return 0",
    "javascript": "function f(a, rate) { if (a > 50) { return a * rate; } return 0; }",
    "typescript": "function f(a: number, rate: number) { if (a > 50) { return a * rate; } return 0; }",
    "tsx": "function f(a: number, rate: number) { if (a > 50) { return a * rate; } return 0; }",
    "php": "<?php function f($a, $rate) { if ($a > 50) { return $a * $rate; } return 0; }",
    "rust": "fn f(a: f64, rate: f64) -> f64 { if a > 50.0 { return a * rate; } 0.0 }",
    "go": "package p\nfunc f(a, rate int) int { if a > 50 { return a * rate }; return 0 }",
    "java": "class C { int f(int a, int rate) { if (a > 50) { return a * rate; } return 0; } }",
    "c": "int f(int a, int rate) { if (a > 50) { return a * rate; } return 0; }",
    "cpp": "int f(int a, int rate) { if (a > 50) { return a * rate; } return 0; }",
    "ruby": "def f(a, rate)\n  return a * rate if a > 50\n  0\nend",
    "csharp": "class C { int f(int a, int rate) { if (a > 50) { return a * rate; } return 0; } }",
    "bash": 'f() { if [ "$a" -gt 50 ]; then echo $((a * rate)); else echo 0; fi; }',
}  # fmt: skip


def tokens(language: str, source: str) -> int:
    (symbol,) = (one for one in facts_of(source.encode(), language).symbols if one.name == "f")
    return symbol.tokens


@pytest.mark.parametrize("language", TRIVIAL)
def test_what_looks_alike_everywhere_is_no_evidence(language: str) -> None:
    counted = {source: tokens(language, source) for source in TRIVIAL[language]}
    assert max(counted.values()) < LOW_ENTROPY_TOKENS, counted


@pytest.mark.parametrize("language", DECIDES)
def test_the_smallest_function_that_decides_something_is_evidence(language: str) -> None:
    assert tokens(language, DECIDES[language]) >= LOW_ENTROPY_TOKENS


def weight(text: str) -> int:
    return len("".join(text.split()))


REPEATED = (
    "",
    "\n",
    "from .queue import *\n",
    "export * from './queue';\n",
    "# placeholder\n",
    "{}\n",
    "package com.jobs;\n",
)
OWN = (
    DECIDES["python"] + "\n\nLIMIT = 50\nRATE_OF_EXCHANGE = 3\n",
    DECIDES["c"] + "\nint limit = 50;\nint rate = 3;\n",
    DECIDES["ruby"] + "\nLIMIT = 50\nRATE_OF_EXCHANGE = 3\nDAYS = 30\n",
)


@pytest.mark.parametrize("text", REPEATED)
def test_files_that_repeat_across_projects_are_no_evidence(text: str) -> None:
    assert weight(text) < LOW_ENTROPY_BYTES


@pytest.mark.parametrize("source", OWN)
def test_files_with_code_of_their_own_are_evidence(source: str) -> None:
    assert weight(source) >= LOW_ENTROPY_BYTES

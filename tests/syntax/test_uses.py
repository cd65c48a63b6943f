"""What code calls, imports and derives from."""

from anchormem.model import Import, Inheritance, Reference
from anchormem.syntax.facts import facts_of

PYTHON = b"""\
import os.path, sys as system
from ..pkg import a, b as c
from . import d
@decorate
class Queue(Base, mod.Mixin[int], metaclass=Meta):
    def seed(self):
        return self.store.put(fetch(1))
seed()
"""
TYPESCRIPT = b"""\
import def, { a as b } from './m'
import * as all from "n"
export { c } from "o"
const fs = require("fs")
class A<T> extends B<T> implements I, J.K<T> { f() { new Map(); this.x.g() } }
interface L extends M<T> {}
"""


def test_python_uses() -> None:
    facts = facts_of(PYTHON, "python")
    assert facts.imports == (
        Import("os.path", (), 1),
        Import("sys", (), 1),
        Import("..pkg", ("a", "b"), 2),
        Import(".", ("d",), 3),
    )
    assert facts.inheritance == (
        Inheritance("Queue", "Base", "extends", 5),
        Inheritance("Queue", "mod.Mixin", "extends", 5),
    )
    assert facts.references == (
        Reference("decorate", "", 4, "Queue"),
        Reference("put", "self.store", 7, "Queue.seed"),
        Reference("fetch", "", 7, "Queue.seed"),
        Reference("seed", "", 8, ""),
    )


def test_typescript_uses() -> None:
    facts = facts_of(TYPESCRIPT, "typescript")
    assert facts.imports == (
        Import("./m", ("def", "a"), 1),
        Import("n", (), 2),
        Import("o", ("c",), 3),
        Import("fs", (), 4),
    )
    assert {(i.qualified, i.base, i.rel) for i in facts.inheritance} == {
        ("A", "B", "extends"),
        ("A", "I", "implements"),
        ("A", "J.K", "implements"),
        ("L", "M", "extends"),
    }
    assert [(r.name, r.receiver, r.within) for r in facts.references] == [
        ("require", "", "fs"),
        ("Map", "", "A.f"),
        ("g", "this.x", "A.f"),
    ]

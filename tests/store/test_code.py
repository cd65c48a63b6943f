"""Facts of code, files of a checkout, and questions that join them."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anchormem.model import FileFacts, Import, Inheritance, Place, Reference, Slot, Stat, Symbol
from anchormem.store import fact_codec, facts, files
from anchormem.store.db import Store, open_store
from store import samples
from store.samples import digest, state, symbol


def see(store: Store, path: str, content: object, *symbols: Symbol) -> FileFacts:
    """A file of this checkout with facts."""
    known = samples.facts(content, *symbols)
    facts.put_many(store, [known])
    files.put_many(store, [state(path, content)])
    return known


def test_facts_come_back_whole(store: Store) -> None:
    full = Symbol(
        "méthode", "Klass.méthode", "(int a)", "method", 3, 90, 2, 9, digest(1), digest(2), digest(3), digest(4), 33,
        "int méthode(int a)", damaged=True,
    )  # fmt: skip
    known = FileFacts(
        digest("content"),
        "java",
        "1.java",
        digest("normal"),
        7,
        (full, symbol("f")),
        (Reference("put", "self.store", 4, "Klass.méthode"), Reference("run", "", 1, "")),
        (Import("./queue", ("a", "b"), 1), Import("os", (), 2)),
        (Inheritance("Klass", "pkg.Base", "extends", 2),),
    )
    facts.put_many(store, [known])
    assert facts.get(store, known.content, "java", "1.java") == known
    assert facts.get(store, known.content, "java") == known
    assert facts.get(store, known.content, "java", "2.java") is None
    assert facts.get(store, known.content, "python") is None
    assert facts.get_many(store, [(known.content, "java"), (known.content, None)]) == {(known.content, "java"): known}


@given(st.text("ab\1 (", max_size=8), st.text("ab\1 (", max_size=4))
@example("def f(f)", "f")
@example("\1\1f", "f")
def test_a_head_comes_back_as_it_was_whatever_is_in_it(said: str, name: str) -> None:
    assert fact_codec.head(fact_codec.head_packed(said, name), name) == said


def test_a_file_without_a_grammar_has_facts_too(store: Store) -> None:
    plain = FileFacts(digest("x"), None, "", None, 0)
    facts.put_many(store, [plain])
    assert facts.get(store, digest("x"), None) == plain
    assert facts.known(store, [(digest("x"), None, "")]) == {(digest("x"), None, "")}


def test_another_epoch_serves_until_it_is_replaced(store: Store) -> None:
    old, new = samples.facts("c", symbol("a")), samples.facts("c", symbol("b"), epoch="2.python")
    facts.put_many(store, [old])
    files.put_many(store, [state("a.py", "c")])
    assert facts.known(store, [(digest("c"), "python", "2.python")]) == set()
    assert [each.name for each in facts.symbols_of(store, "a.py")] == ["a"]
    facts.put_many(store, [new])
    assert facts.known(store, [(digest("c"), "python", "2.python"), (digest("c"), "python", "1.python")]) == {
        (digest("c"), "python", "2.python")
    }
    assert facts.of_path(store, "a.py") == new
    assert facts.places_named(store, "a") == []


def test_references_that_differ_in_line_only_are_kept_at_the_first(store: Store) -> None:
    repeated = replace(
        samples.facts("c"),
        references=(Reference("f", "", 9, "g"), Reference("f", "", 3, "g"), Reference("f", "x", 5, "g")),
    )
    facts.put_many(store, [repeated, repeated])
    found = facts.get(store, digest("c"), "python")
    assert found is not None
    assert found.references == (Reference("f", "", 3, "g"), Reference("f", "x", 5, "g"))


def test_equal_bodies_are_found_in_this_checkout_only(store: Store, directory: Path) -> None:
    first, second = symbol("K.one", body="same"), symbol("two", body="same")
    see(store, "a.py", "c1", first, symbol("other"))
    see(store, "b.py", "c2", second)
    files.put_many(store, [state("copy_of_a.py", "c1")])
    facts.put_many(store, [samples.facts("of another checkout", symbol("three", body="same"))])
    assert facts.places_of_bodies(store, [digest("same"), digest("none")]) == {
        digest("same"): [
            Place(Slot("a.py", "K.one"), first),
            Place(Slot("b.py", "two"), second),
            Place(Slot("copy_of_a.py", "K.one"), first),
        ]
    }
    with open_store(directory, "other") as other:
        assert facts.places_of_bodies(other, [digest("same")]) == {}
        files.put_many(other, [state("z.py", "c2")])
        assert facts.places_of_bodies(other, [digest("same")]) == {digest("same"): [Place(Slot("z.py", "two"), second)]}


def test_files_are_found_by_content_and_by_normal_form(store: Store) -> None:
    see(store, "a.py", "c1")
    files.put_many(store, [state("b.txt", "c1", None)])
    assert files.files_with_content(store, digest("c1")) == ["a.py", "b.txt"]
    normal = digest(("c1", "normal"))
    assert facts.places_of_files(store, [digest("c1"), normal]) == {digest("c1"): ["a.py", "b.txt"], normal: ["a.py"]}


def test_names_match_whole_or_by_tail_at_a_dot(store: Store) -> None:
    see(store, "a.py", "c1", symbol("Ledger"), symbol("Ledger.settle"), symbol("My.Ledger.settle"), symbol("resettle"))
    see(store, "b.md", "c2", symbol("1.2 Usage", name="1.2 Usage"))

    def named(wanted: str, **more: str) -> list[str]:
        return [str(place.slot) for place in facts.places_named(store, wanted, **more)]  # type: ignore[arg-type]

    assert named("Ledger.settle") == ["a.py::Ledger.settle", "a.py::My.Ledger.settle"]
    assert named("settle") == ["a.py::Ledger.settle", "a.py::My.Ledger.settle"]
    assert named("Ledger") == ["a.py::Ledger"]
    assert named("edger.settle") == []
    assert named("1.2 Usage") == ["b.md::1.2 Usage"]
    assert named("settle", path="b.md") == []
    assert named("settle", path="a.py") == ["a.py::Ledger.settle", "a.py::My.Ledger.settle"]
    assert named("") == []


def test_calls_bases_and_imports_are_found_by_name(store: Store) -> None:
    see(store, "a.py", "c1", symbol("K"), symbol("K.f"), symbol("K.f.inner"), symbol("Kf"))
    assert [use.reference.line for use in facts.references_to(store, "put")] == [1, 2, 3, 4]
    assert len(facts.references_to(store, "put", limit=2)) == 2
    assert facts.references_to(store, "pu") == []
    assert [each.within for each in facts.references_within(store, "a.py", "K")] == ["K", "K.f", "K.f.inner"]
    assert facts.references_within(store, "a.py", "") == ()
    assert [each.inheritance.qualified for each in facts.derived_from(store, "Worker")][:2] == ["K", "K.f"]
    assert facts.derived_from(store, "base") == []
    assert [each.base for each in facts.inheritance_of(store, "a.py", "Kf")] == ["base.Worker"]
    assert facts.imports_of(store, "a.py") == (Import("..pkg.queue", ("ScanQueue", "seed"), 1),)
    for key in ("queue", "ScanQueue", "seed"):
        assert [each.path for each in facts.importers_of(store, [key, "nothing"])] == ["a.py"]
    assert facts.importers_of(store, ["pkg"]) == []


@pytest.mark.parametrize(
    ("module", "key"),
    [
        ("./lib/queue.ts", "queue"), ("../queue", "queue"), ("std::fmt", "fmt"), ("stdio.h", "stdio"),
        ("App\\Models\\User", "User"), ("com.acme.Queue", "Queue"), ("github.com/acme/queue", "queue"), ("..", None),
        ("sys/types.h", "types"), ("a.b.py", "b"),
    ],
)  # fmt: skip
def test_an_import_is_found_by_the_last_part_of_its_module(store: Store, module: str, key: str | None) -> None:
    known = replace(samples.facts("c"), imports=(Import(module, (), 1),))
    facts.put_many(store, [known])
    files.put_many(store, [state("a.py", "c")])
    assert len(facts.importers_of(store, [key or "nothing"])) == (key is not None)


def test_near_names_are_offered(store: Store) -> None:
    see(store, "a.py", "c1", symbol("Ledger.settle"), symbol("Ledger.settle_all"), symbol("unrelated"))
    assert facts.near_names(store, "setle")[0] == "Ledger.settle"
    assert facts.near_names(store, "Ledgr.SETTLE")[0] == "Ledger.settle"
    assert facts.near_names(store, "stetle")[0] == "Ledger.settle", "letters exchanged behind the first"
    assert facts.near_names(store, "zzzz") == ()
    assert facts.near_names(store, "") is not None


def test_totals_count_this_checkout(store: Store) -> None:
    see(store, "a.py", "c1", symbol("a"), symbol("b"))
    files.put_many(store, [state("b.bin", "c2", None)])
    assert facts.totals(store) == facts.Totals(2, 1, 2, 200)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_files_come_back_as_they_were_seen(store: Store) -> None:
    seen = [
        state("a.py"),
        state("src/ö.py"),
        state("src/\udce9.py"),
        state("src/deep/b.py"),
        state("src-other/c.py"),
        replace(state("big.bin", language=None), content=None, status="too_large", stat=Stat(2**64 - 1, 2**40, 5, 6)),
    ]
    files.put_many(store, seen)
    assert files.every(store) == {each.path: each for each in seen}
    assert files.get(store, ["src/\udce9.py", "big.bin", "none"]) == {each.path: each for each in (seen[2], seen[5])}
    assert {each.path for each in files.under(store, "src")} == {"src/ö.py", "src/\udce9.py", "src/deep/b.py"}
    assert len(files.under(store, "")) == 6
    assert files.failed(store) == [seen[5]]
    files.put_many(store, [replace(seen[0], looked_ns=99)])
    files.remove(store, ["src/\udce9.py", "none"])
    assert files.count(store) == 5
    assert files.get(store, ["a.py"])["a.py"].looked_ns == 99


def test_stamps_are_set_kept_and_removed(store: Store) -> None:
    files.put_stamps(store, {"head": "abc", "indexed_at": "5"})
    files.put_stamps(store, {"head": "", "other": "1"})
    assert files.stamps(store) == {"indexed_at": "5", "other": "1"}


# ── pruning ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pruning_drops_what_fell_out_of_use_first(store: Store) -> None:
    many = [symbol(f"s{number}") for number in range(20)]
    for number in range(10):
        see(store, f"f{number}.py", number, *many)
    assert facts.prune(store) == 0
    for number in range(8):
        files.put_many(store, [state(f"f{number}.py", f"edited {number}")])
        if number == 3:
            assert facts.prune(store) == 0 or number
    facts.put_many(store, [samples.facts(f"edited {number}", *many) for number in range(8)])
    facts.prune(store)
    left = {number for number in range(10) if facts.get(store, digest(number), "python")}
    assert {8, 9} <= left
    assert len(left) == 2 + 4
    assert {4, 5, 6, 7} <= left
    assert all(facts.get(store, digest(f"edited {number}"), "python") for number in range(8))
    assert store.rows("SELECT count(*) FROM facts.symbols")[0][0] == 20 * (8 + 6)
    assert store.rows("SELECT count(DISTINCT content) FROM facts.mentions")[0][0] == 8 + 6


def test_tidying_waits_until_it_is_worth_it(store: Store) -> None:
    for number in range(10):
        see(store, f"f{number}.py", number, symbol("f"))
    facts.put_many(store, [samples.facts(f"old {number}", symbol("f")) for number in range(5)])
    assert facts.tidy(store) == 0
    facts.put_many(store, [samples.facts("old 5", symbol("f"))])
    assert facts.tidy(store) == 2


def test_pruning_keeps_what_another_checkout_uses(store: Store, directory: Path) -> None:
    with open_store(directory, "worktree") as other:
        see(other, "a.py", "theirs", symbol("a"))
    assert facts.prune(store) == 0
    assert facts.get(store, digest("theirs"), "python")
    with open_store(directory, "worktree") as other:
        files.remove(other, ["a.py"])
    assert facts.prune(store) == 1


def test_facts_that_another_connection_replaces_meanwhile_are_read_whole_or_not_at_all(
    store: Store, directory: Path
) -> None:
    symbols = tuple(symbol(f"f{number}") for number in range(20))
    each = [FileFacts(digest(n), "python", "1.python", digest(n), 0, symbols[: 5 * (n + 1)]) for n in range(3)]
    facts.put_many(store, each)
    done = threading.Event()

    def replacing() -> None:
        with open_store(directory, "checkout") as other:
            while not done.is_set():
                facts.put_many(other, reversed(each))

    writer = threading.Thread(target=replacing)
    writer.start()
    try:
        seen = [facts.get(store, one.content, "python") for _ in range(300) for one in each]
    finally:
        done.set()
        writer.join()
    assert [len(one.symbols) for one in seen if one is not None] != []
    assert all(one is None or len(one.symbols) == len(each[place % 3].symbols) for place, one in enumerate(seen))
    assert sum(one is None for one in seen) < len(seen) // 10

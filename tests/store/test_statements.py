"""Every SQL constant compiles against the real schema, and the hot ones look things up instead of scanning."""

import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import anchormem.store
from anchormem.store import indexing, migrate
from anchormem.store.db import Store

FOLDER = Path(anchormem.store.__file__).parent
STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
# Statements of databases other than the three of a store.
ELSEWHERE = {"repositories", "derived"}
ELSEWHERE_NAMES = {"pruning.USED_HERE", "indexing.TEAR_OUT", "glance.FIND"}

# Where a scan is the point: small tables, whole answers, or figures over everything.
MAY_SCAN = {
    "backups.COUNT", "glance.IS_OURS", "glance.SAVED",
    "handle.LOCK_CHECKOUT", "handle.LOCK_FACTS", "handle.LOCK_MEMORY", "facts.LIKE_NAMES", "facts.TOTALS",
    "fates.GET_ALL", "fates.ORPHANS", "fates.OUTDATE_ALL", "files.COUNT", "files.EVERY", "files.FAILED", "files.STAMPS",
    "indexing.ALL",
    "indexing.INDEXED", "indexing.SEARCHABLE", "ledger.BY_RECALLS", "ledger.CLEAR", "ledger.CLEAR_QUESTIONS",
    "ledger.TOTALS",
    "links.CONTRADICTIONS", "links.SUPERSEDED_BY", "links.SUPERSEDING", "listing.BY_KIND", "listing.BY_SOURCE",
    "listing.COUNTS", "listing.EVERYTHING",
    "listing.NEWEST", "listing.PAGE", "listing.TOTAL", "marks.CHECKOUTS", "marks.IDENTITIES", "marks.PUT_IDENTITY",
    "memories.STAMPS", "memories.TOMBSTONES", "pruning.CONTENTS", "pruning.HERE", "pruning.KEPT", "search.UNANCHORED",
}  # fmt: skip
# What a call runs over everything that is alive: an index is walked, everything else is looked up.
WALKS = {
    "anchors.PATHS": ["SCAN w", "SCAN w"],
    "glance.ANCHORED": ["SCAN s USING COVERING INDEX slots_place"],
    "fates.OUTDATED": ["SCAN f USING INDEX fates_outdated", "SCAN f USING COVERING INDEX fates_unwell"],
    "fates.SETTLE": ["SCAN a USING COVERING INDEX anchors_memory", "SCAN r"],  # the last of each
    "files.LOOKS": ["SCAN checkout.files"],
    "glance.STATUSES": ["SCAN f USING COVERING INDEX fates_unwell"],
}


def constants() -> Iterator[tuple[str, str]]:
    for module in pkgutil.iter_modules([str(FOLDER)]):
        if module.name in ELSEWHERE:
            continue
        loaded = importlib.import_module(f"anchormem.store.{module.name}")
        for name, value in vars(loaded).items():
            texts = value if isinstance(value, tuple) else (value,)
            for text in texts:
                if name.isupper() and isinstance(text, str) and STATEMENT.match(text):
                    yield f"{module.name}.{name}", text


STATEMENTS = sorted({pair for pair in constants() if pair[0] not in ELSEWHERE_NAMES})


def steps(store: Store, text: str) -> list[str]:
    """What SQLite would do, a line a step."""
    values = dict.fromkeys(re.findall(r":([a-z_]+)", text))
    return [row[3] for row in store.rows(f"EXPLAIN QUERY PLAN {text}", values)]


def scans(store: Store, text: str) -> list[str]:
    """The tables that would be read from end to end; results kept in memory and lists given as JSON are no tables."""
    found = steps(store, text)
    kept = {step.split()[1] for step in found if step.startswith(("MATERIALIZE", "CO-ROUTINE"))} | {"CONSTANT"}
    return [
        step
        for step in found
        if step.startswith("SCAN") and "VIRTUAL TABLE" not in step and not kept & set(step.split()[1:2])
    ]


@pytest.mark.parametrize(("name", "text"), STATEMENTS, ids=[name for name, _ in STATEMENTS])
def test_every_statement_compiles_and_looks_things_up(store: Store, name: str, text: str) -> None:
    found = scans(store, text)
    if name not in MAY_SCAN:
        assert [step for step in found if not step.startswith("SCAN (subquery")] == WALKS.get(name, [])


def test_only_walks_over_the_living_use_their_index(store: Store) -> None:
    walking = {name for name, text in STATEMENTS if any("memories_standing" in step for step in steps(store, text))}
    assert walking <= {
        "anchors.EVERY", "anchors.LIVE_COUNT", "anchors.TEXTLESS", "fates.TALLY", "glance.MEMORIES",
        "indexing.ALL", "indexing.SEARCHABLE", "listing.BY_KIND", "listing.BY_SOURCE", "outlines.OUTLINES",
        "search.STANDING", "search.UNANCHORED",
    }  # fmt: skip


def test_the_exceptions_are_real() -> None:
    assert {name for name, _ in STATEMENTS} >= MAY_SCAN | WALKS.keys()


def test_text_is_quoted_singly() -> None:
    for path in FOLDER.rglob("*.sql"):
        assert '"' not in re.sub(r"--.*", "", path.read_text("utf-8")), path
    for name, text in STATEMENTS:
        assert '"' not in text, name


def test_no_statement_is_built_from_strings() -> None:
    for path in FOLDER.glob("*.py"):
        source = path.read_text("utf-8")
        assert not re.search(r"\.(rows|row|run|run_many|execute|executemany)\(\s*f[\"']", source), path
        assert not re.search(r"f\"{1,3}\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA)\b", source), path


def test_the_search_tables_are_remade_as_the_migration_made_them() -> None:
    made = migrate.MIGRATIONS[0].read_text("utf-8")
    for statement in indexing.CREATE:
        assert statement.replace("main.", "") in made


def test_the_store_stands_without_heavy_modules() -> None:
    modules = ", ".join(f"anchormem.store.{each.name}" for each in pkgutil.iter_modules([str(FOLDER)]))
    script = f"import sys, {modules}; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "asyncio",
        "mcp",
        "tree_sitter",
        "tree_sitter_language_pack",
        "pathspec",
        "pydantic",
        "subprocess",
        "logging",
    }
    assert heavy.isdisjoint(loaded)
    assert "snowballstemmer" not in loaded


def test_a_glance_loads_next_to_nothing() -> None:
    script = (
        "import sys, sqlite3; before = set(sys.modules); import anchormem.store.glance;"
        "print(*sys.modules.keys() - before)"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    allowed = {"anchormem", "anchormem.errors", "anchormem.store", "anchormem.store.failures", "anchormem.store.glance"}
    assert set(loaded) <= allowed | {"errno"}

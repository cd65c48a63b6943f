"""The files under the store: made, recognised, shared, broken, read-only, and what a killed process leaves behind."""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from anchormem.errors import (
    AnchormemError,
    Cancelled,
    NotFound,
    Refused,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreNewer,
    StoreReadOnly,
)
from anchormem.store import anchors, backups, facts, files, ledger, listing, marks, memories, migrate, opening, search
from anchormem.store.db import Store, open_store
from store import samples
from store.samples import memory, state, symbol

NOW = 1_764_500_000_000  # 2025-11-30
DAY = 86_400_000


def run(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own with the tests' folder on its path."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


# ── making and recognising ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_store_is_private_and_in_wal(directory: Path) -> None:
    os.umask(0o022)
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        files.put_many(store, [state("a.py")])
        assert store.journal == "wal"
        assert store.exists
        assert store.writable
        assert all(size > 0 for size in store.sizes().values())
        backups.backup_daily(store, NOW)
        for path in [directory.parent, directory, *directory.rglob("*")]:
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_an_open_one_and_a_closed_one_hold_the_same(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        store.close()
        store.close()
    with open_store(directory, "checkout") as store:
        assert memories.one(store, memory().id).body == memory().body
        assert store.notices() == ()
    assert {path.name for path in directory.glob("memory.db*")} == {"memory.db"}


def test_reading_creates_nothing(directory: Path) -> None:
    with open_store(directory, "checkout", write=False) as store:
        assert not store.exists
        assert listing.counts(store).live == 0
        assert search.candidates(store, '"batch"') == []
        assert anchors.anchored_paths(store) == []
        assert facts.totals(store).files == 0
        with pytest.raises(StoreReadOnly):
            memories.insert(store, memory())
    assert not directory.exists()


def test_every_migration_names_its_own_number_and_ends_a_statement() -> None:
    for number, path in enumerate(migrate.MIGRATIONS, start=1):
        text = path.read_text("utf-8")
        assert path.name == f"{number:04}.sql"
        assert text.rstrip().endswith(f"PRAGMA user_version = {number};")
        assert "".join(opening.statements(text)).strip() == text.strip()


def with_one_migration_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    further = tmp_path / f"{migrate.NEWEST + 1:04}.sql"
    further.write_text(script, "utf-8")
    monkeypatch.setattr(migrate, "MIGRATIONS", (*migrate.MIGRATIONS, further))
    monkeypatch.setattr(migrate, "NEWEST", migrate.NEWEST + 1)


def test_a_migration_keeps_a_copy_of_what_was(directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
    with_one_migration_more(
        tmp_path, monkeypatch, "ALTER TABLE memories ADD COLUMN mood TEXT;\nPRAGMA user_version = 2;\n"
    )
    with open_store(directory, "checkout", write=False) as store:  # read through a migrated copy in memory
        assert store.rows("SELECT mood FROM main.memories") == [(None,)]
    assert backups.backups(directory) == ()
    with open_store(directory, "checkout") as store:
        assert store.rows("SELECT mood FROM main.memories") == [(None,)]
        assert memories.one(store, memory().id).body == memory().body
    [copy] = backups.backups(directory)
    assert copy.name == "memory-before-0002.db"
    assert migrate.header(copy) == migrate.Header(migrate.APPLICATION, 1)


def test_a_failing_migration_changes_nothing(directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
    with monkeypatch.context() as patched:
        with_one_migration_more(tmp_path, patched, "ALTER TABLE memories ADD COLUMN mood TEXT;\nSELECT nonsense;\n")
        with pytest.raises(StoreError, match="nonsense"):
            open_store(directory, "checkout")
    with open_store(directory, "checkout") as store:
        assert memories.one(store, memory().id).body == memory().body


@pytest.mark.parametrize("write", [True, False])
def test_a_newer_store_is_refused_before_anything_is_touched(directory: Path, *, write: bool) -> None:
    open_store(directory, "checkout").close()
    with sqlite3.connect(directory / "memory.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in directory.rglob("*") if path.is_file()}
    with pytest.raises(StoreNewer, match="99") as refusal:
        open_store(directory, "checkout", write=write)
    assert "update" in refusal.value.hint
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in directory.rglob("*") if path.is_file()}
    assert after == before


# ── damage of what is precious ──────────────────────────────────────────────────────────────────────────────────────


def spoil(memory_file: Path, how: str) -> None:
    content = memory_file.read_bytes()
    if how == "empty":
        memory_file.write_bytes(b"")
    elif how == "foreign":
        memory_file.unlink()
        with sqlite3.connect(memory_file) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
    elif how == "text":
        memory_file.write_bytes(b"this is no database, but it is long enough to be looked at twice" * 20)
    elif how == "cut":
        memory_file.write_bytes(content[: len(content) // 2])
    elif how == "gone":
        memory_file.unlink()


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("how", ["empty", "foreign", "text", "cut", "gone"])
def test_a_damaged_memory_file_is_said_and_never_an_empty_success(directory: Path, how: str, *, write: bool) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        copy = backups.backup_daily(store, NOW)
    spoil(directory / "memory.db", how)
    with pytest.raises(StoreDamaged) as damage, open_store(directory, "checkout", write=write) as store:
        listing.counts(store)
    assert str(copy) in damage.value.hint
    assert backups.check(directory)
    aside = backups.recover(directory, NOW, copy)
    assert (aside is None) == (how == "gone")
    if aside is not None:
        assert aside.name == "memory.db.damaged-2025-11-30"
    with open_store(directory, "checkout") as store:
        assert memories.one(store, memory().id).body == memory().body
    with pytest.raises(Refused, match="sound"):
        backups.recover(directory, NOW)


def test_pages_broken_in_the_middle_are_found(directory: Path) -> None:
    with open_store(directory, "checkout") as store, store.writing():
        for number in range(300):
            memories.insert(store, memory(f"a{number:03}", body=f"body {number} " * 30))
    path = directory / "memory.db"
    content = bytearray(path.read_bytes())
    for page in range(50, len(content) // 4096):
        content[page * 4096 : page * 4096 + 1024] = os.urandom(1024)
    path.write_bytes(content)
    assert backups.check(directory)
    with open_store(directory, "checkout") as store:
        with pytest.raises(StoreDamaged):
            listing.everything(store)
        with pytest.raises(AnchormemError):
            memories.insert(store, memory("new"))


def test_recovering_without_a_copy_starts_empty_and_keeps_every_damaged_file(directory: Path) -> None:
    for number in range(3):
        open_store(directory, "checkout").close()
        spoil(directory / "memory.db", "text")
        aside = backups.recover(directory, NOW)
        assert aside is not None
        assert aside.name == "memory.db.damaged-2025-11-30" + (f"-{number}" if number else "")
    with pytest.raises(NotFound):
        backups.recover(directory, NOW, directory / "none.db")


def test_three_daily_copies_are_kept(store: Store) -> None:
    for day in range(5):
        memories.insert(store, memory(f"a{day}"))
        assert backups.backup_daily(store, NOW + day * DAY)
        assert backups.backup_daily(store, NOW + day * DAY + 5) is None
    names = [path.name for path in backups.backups(store.directory)]
    assert names == ["memory-2025-12-04.db", "memory-2025-12-03.db", "memory-2025-12-02.db"]
    copy = sqlite3.connect(backups.backups(store.directory)[0])
    assert copy.execute("SELECT count(*) FROM memories").fetchone() == (5,)
    copy.close()


# ── damage of what is derived ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["empty", "foreign", "text", "cut", "schema"])
@pytest.mark.parametrize("name", ["facts.db", "checkouts/checkout.db"])
def test_an_unusable_derived_file_is_made_anew(directory: Path, name: str, how: str) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        facts.put_many(store, [samples.facts(number, symbol("f")) for number in range(200)])
        files.put_many(store, [state(f"f{number}.py") for number in range(500)])
    if how == "schema":
        with sqlite3.connect(directory / name) as connection:
            connection.execute("UPDATE about SET content = 'another'")
        connection.close()
    else:
        spoil(directory / name, how)
    with open_store(directory, "checkout", write=False) as store:  # reads answer at once, from nothing
        assert memories.one(store, memory().id)
        assert min(files.count(store), len(facts.known(store, [(samples.digest(1), "python", "1.python")]))) == 0
    with open_store(directory, "checkout") as store:
        assert bool(store.notices()) == (how != "empty")
        assert memories.one(store, memory().id)
        facts.put_many(store, [samples.facts(1, symbol("f"))])
        files.put_many(store, [state("a.py", 1)])
        assert len(facts.symbols_of(store, "a.py")) == 1
    with open_store(directory, "checkout") as store:
        assert store.notices() == ()
        assert len(facts.symbols_of(store, "a.py")) == 1
    assert len(list(directory.rglob("*.set-aside"))) == (how != "empty")


def test_damage_met_while_reading_is_mended_at_once(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        files.put_many(store, [state(f"some/long/path/f{number}.py") for number in range(3000)])
    path = directory / "checkouts" / "checkout.db"
    content = bytearray(path.read_bytes())
    for page in range(6, len(content) // 4096):
        content[page * 4096 : (page + 1) * 4096] = os.urandom(4096)
    path.write_bytes(content)
    with open_store(directory, "checkout") as store:
        assert files.every(store) == {}
        assert "rebuilt" in " ".join(store.notices())
        files.put_many(store, [state("a.py")])
        assert files.count(store) == 1


def test_damage_met_while_writing_fails_once(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        files.put_many(store, [state(f"some/long/path/f{number}.py") for number in range(3000)])
    path = directory / "checkouts" / "checkout.db"
    content = bytearray(path.read_bytes())
    for page in range(6, len(content) // 4096):
        content[page * 4096 : (page + 1) * 4096] = os.urandom(4096)
    path.write_bytes(content)
    with open_store(directory, "checkout") as store:
        with pytest.raises(StoreError, match="starts anew"):
            files.put_many(store, [state(f"some/long/path/f{number}.py", "new") for number in range(3000)])
        files.put_many(store, [state("a.py")])
        assert files.count(store) == 1


# ── sharing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

INSERT_MANY = """
import sys
from pathlib import Path
from anchormem.store import memories
from anchormem.store.db import open_store
from store.samples import memory
store = open_store(Path(sys.argv[1]), "checkout")
for number in range(int(sys.argv[3])):
    memories.insert(store, memory(f"{sys.argv[2]}{number:04}", body=f"body {number}"))
    print(f"{sys.argv[2]}{number:04}", flush=True)
"""


def test_two_processes_lose_nothing(directory: Path) -> None:
    writers = [run(INSERT_MANY, directory, name, 200) for name in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
    with open_store(directory, "checkout") as store:
        assert listing.counts(store).live == 400
        assert search.documents(store) == 400
        assert search.sound(store)


def test_a_killed_process_keeps_what_it_acknowledged(directory: Path) -> None:
    for round_number in range(3):
        writer = run(INSERT_MANY, directory, "abc"[round_number], 5000)
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline().strip() for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().split("\n")[:-1]
        writer.wait(10)
        writer.stdout.close()
        with open_store(directory, "checkout", write=False) as store:
            assert len(memories.get(store, acknowledged)) == len(acknowledged)
        with open_store(directory, "checkout") as store:
            assert len(memories.get(store, acknowledged)) == len(acknowledged)
            assert search.sound(store)
            assert backups.check(directory) == ()
    assert not list(directory.glob("*new-*"))


def test_a_sweep_does_not_hold_up_a_memory_nor_the_reverse(directory: Path) -> None:
    with open_store(directory, "checkout") as sweeper, open_store(directory, "checkout", budget_ms=100) as other:
        with sweeper.deriving():
            files.put_many(sweeper, [state("a.py")])
            memories.insert(other, memory())
            assert files.count(other) == 0
        assert files.count(other) == 1
        with sweeper.writing():
            memories.insert(sweeper, memory("b2"))
            files.put_many(other, [state("b.py")])
        assert listing.counts(other).live == 2


def test_a_lock_held_too_long_is_said(directory: Path) -> None:
    with open_store(directory, "checkout") as holder, open_store(directory, "checkout", budget_ms=100) as other:
        with holder.writing():
            with pytest.raises(StoreLocked):
                memories.insert(other, memory())
            assert listing.counts(other).live == 0
        with holder.deriving(), pytest.raises(StoreLocked):
            files.put_many(other, [state("a.py")])
        memories.insert(other, memory())


def test_a_lock_is_waited_for(directory: Path) -> None:
    with open_store(directory, "checkout") as holder, open_store(directory, "checkout") as other:
        taken, freed = threading.Event(), threading.Event()

        def hold() -> None:
            with holder.writing():
                taken.set()
                freed.wait(0.3)

        thread = threading.Thread(target=hold)
        thread.start()
        taken.wait()
        memories.insert(other, memory())
        thread.join()


def test_one_sweeper_per_checkout(directory: Path) -> None:
    with open_store(directory, "checkout") as one, open_store(directory, "checkout") as two:
        with one.sweep_lock() as mine, two.sweep_lock() as theirs:
            assert (mine, theirs) == (True, False)
        with two.sweep_lock() as mine:
            assert mine


def test_opening_at_once_makes_one_store(directory: Path) -> None:
    script = "import sys; from pathlib import Path; from anchormem.store.db import open_store;"
    openers = [run(script + "open_store(Path(sys.argv[1]), 'checkout').close()", directory) for _ in range(6)]
    assert [opener.wait(30) for opener in openers] == [0] * 6
    for opener in openers:
        assert opener.stdout is not None
        opener.stdout.close()
    assert not list(directory.rglob("*set-aside"))
    assert not list(directory.rglob("*new-*"))


def test_a_running_statement_can_be_interrupted(store: Store) -> None:
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    timer = threading.Timer(0.1, store.interrupt)
    timer.start()
    with pytest.raises(Cancelled):
        store.rows(endless)
    with pytest.raises(Cancelled), store.writing():
        memories.insert(store, memory())
        threading.Timer(0.1, store.interrupt).start()
        store.rows(endless)
    assert listing.counts(store).live == 0


# ── places that cannot be written ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def shared_directory() -> Iterator[Path]:
    """A store directory that another user could reach."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    yield top / "store"
    shutil.rmtree(top)


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """Modes bind everybody but the superuser."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


def unwritable_store(directory: Path) -> None:
    with open_store(directory, "checkout") as store:
        memories.insert(store, memory())
        files.put_many(store, [state("src/queue.py")])
    freeze(directory)


def freeze(directory: Path) -> None:
    for path in [*directory.rglob("*"), directory]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def assert_readable_only(directory: Path) -> None:
    for write in (True, False):
        with open_store(directory, "checkout", write=write) as store:
            assert not store.writable
            assert memories.one(store, memory().id).body == memory().body
            assert len(search.candidates(store, '"batch"')) == 1
            assert [path for path, _ in anchors.anchored_paths(store)] == ["src/queue.py"]
            assert search.sound(store)
            assert backups.backup_daily(store, NOW) is None
            with pytest.raises(StoreReadOnly):
                memories.insert(store, memory("b2"))
            with pytest.raises(StoreReadOnly):
                files.put_many(store, [state("a.py")])


def test_a_read_only_directory_answers_reads(shared_directory: Path, request: pytest.FixtureRequest) -> None:
    unwritable_store(shared_directory)
    before = sorted(shared_directory.rglob("*"))
    request.getfixturevalue("ordinary_user")
    assert_readable_only(shared_directory)
    assert sorted(shared_directory.rglob("*")) == before
    assert backups.check(shared_directory) == ()


def test_what_a_killed_process_left_in_the_wal_is_read_where_nothing_can_be_written(
    shared_directory: Path, request: pytest.FixtureRequest
) -> None:
    with open_store(shared_directory, "checkout") as store:
        files.put_many(store, [state("src/queue.py")])
        memories.insert(store, memory())
        left = shared_directory.parent / "left"
        shutil.copytree(shared_directory, left, ignore=shutil.ignore_patterns("*-shm"))
    assert (left / "memory.db-wal").stat().st_size > 0
    freeze(left)
    request.getfixturevalue("ordinary_user")
    assert_readable_only(left)


def test_no_store_can_be_made_where_nothing_can_be_written(
    shared_directory: Path, request: pytest.FixtureRequest
) -> None:
    shared_directory.mkdir()
    freeze(shared_directory)
    request.getfixturevalue("ordinary_user")
    with pytest.raises(StoreReadOnly):
        open_store(shared_directory / "deep" / "store", "checkout")
    with open_store(shared_directory / "deep" / "store", "checkout", write=False) as store:
        assert not store.exists


def test_a_full_disk_refuses_writes_and_answers_reads(store: Store) -> None:
    memories.insert(store, memory())
    pages = store.rows("PRAGMA main.page_count")[0][0]
    store._connection.execute(f"PRAGMA main.max_page_count = {pages}")
    with pytest.raises(StoreFull), store.writing():
        for number in range(100):
            memories.insert(store, memory(f"a{number}", body="x" * 10_000))
    assert listing.counts(store).live == 1
    assert len(search.candidates(store, '"batch"')) == 1


def test_a_rollback_journal_serves_where_wal_cannot(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = directory.parent.parent / "mounts"
    mounts.write_text(f"host:/x {directory.parent.parent} nfs4 rw 0 0\n/dev/sda / ext4 rw 0 0\n")
    monkeypatch.setattr(opening, "MOUNTS", mounts)
    with open_store(directory, "checkout") as store:
        assert store.journal == "delete"
        memories.insert(store, memory())
        files.put_many(store, [state("a.py")])
        assert not list(directory.rglob("*-wal"))
    with open_store(directory, "checkout", write=False) as store:
        assert memories.one(store, memory().id)


# ── small things kept beside ────────────────────────────────────────────────────────────────────────────────────────


def test_the_ledger_adds_up_and_starts_anew(store: Store) -> None:
    def add(saved: int, question: bytes, session: str) -> None:
        ledger.add(store, served=10, saved=saved, reads_avoided=1, question=question, session=session, now=NOW)

    add(100, b"q1", "s1")
    add(-30, b"q1", "s2")
    add(50, b"q2", "s2")
    assert ledger.totals(store) == ledger.Totals(3, 30, 120, 3, 2, NOW)
    assert ledger.totals(store, "s2") == ledger.Totals(2, 20, 20, 2, 2, NOW)
    assert ledger.totals(store, "none") == ledger.Totals()
    assert ledger.reset(store).saved == 120
    assert ledger.totals(store) == ledger.Totals()


def test_marks_and_users_are_remembered(store: Store) -> None:
    marks.put(store, {"import.at": "5", "import.digest": "abc"})
    marks.put(store, {"import.at": ""})
    assert (marks.get(store, "import.at", "never"), marks.get(store, "import.digest")) == ("never", "abc")
    first = marks.Checkout("/w/a", "a-1", "/w/a/.git", NOW)
    assert marks.record(store, first, "host/a")
    assert not marks.record(store, first, "host/a")
    assert marks.record(store, first, "host/renamed")
    assert marks.checkouts(store) == [first]
    assert marks.identities(store) == ["host/a", "host/renamed"]
    assert marks.forget_checkout(store, "/w/a")
    assert not marks.forget_checkout(store, "/w/a")

"""A clock that was set back, or that had been ahead: nothing is lost, doubled, hidden or believed too long."""

from datetime import UTC, datetime, timedelta

from anchormem.store import backups
from anchormem.workspace.session import now_ms
from workspace.answers.desk import Desk, part

YEAR_MS = 365 * 86_400_000
SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}


def test_after_the_clock_was_set_back_every_answer_is_as_true_as_before(desk: Desk) -> None:
    first = desk.know("seed takes at most 200 paths", SEED)
    before = now_ms() - YEAR_MS
    desk.ws.now = lambda: before
    second = desk.know("batch cuts slices", BATCH)
    assert {one["id"] for one in desk.found("seed batch paths slices")} == {first, second}
    desk.edit("lib/queue.py", "limit=200", "limit=300")
    assert desk.whole(first)["status"] == "stale"
    desk.edit("lib/queue.py", "limit=300", "limit=200")
    assert "status" not in desk.whole(first)
    desk.update(first, body="seed takes 200 paths")
    desk.admin("confirm", ids=[second])
    desk.admin("archive", ids=[second])
    desk.admin("restore", ids=[second])
    desk.admin("forget", ids=[second])
    desk.admin("gc", dry_run=False)
    desk.admin("restore", ids=[second])
    assert desk.count() == 2
    assert desk.admin("index").meta["freshness"]


def test_an_index_made_by_a_clock_that_was_ahead_does_not_hide_an_edit(desk: Desk) -> None:
    ahead = now_ms() + YEAR_MS
    desk.ws.now = lambda: ahead
    memory = desk.know("seed takes at most 200 paths", SEED)
    desk.admin("index")
    desk.ws.now = now_ms
    desk.edit("lib/queue.py", "limit=200", "limit=300")
    assert desk.whole(memory)["status"] == "stale"
    desk.edit("lib/queue.py", "limit=300", "limit=400")
    assert "400" in str(desk.whole(memory)["anchors"])
    assert desk.queue()
    assert part({"data": desk.admin("status").data}, "data")


def test_a_tombstone_made_while_the_clock_was_ahead_can_be_taken_back(desk: Desk) -> None:
    memory = desk.know("seed takes at most 200 paths", SEED)
    ahead = now_ms() + YEAR_MS
    desk.ws.now = lambda: ahead
    desk.admin("forget", ids=[memory])
    desk.ws.now = now_ms
    desk.admin("gc", dry_run=False)
    desk.admin("restore", ids=[memory])
    assert desk.whole(memory)["body"] == "seed takes at most 200 paths"


def test_copies_dated_in_the_future_do_not_keep_today_from_being_copied(desk: Desk) -> None:
    for days in range(1, 6):
        day = datetime.now(UTC) + timedelta(days=400 + days)
        desk.ws.store.save_memory(desk.ws.directory / "backups" / f"memory-{day:%Y-%m-%d}.db")
    today = desk.ws.directory / "backups" / f"memory-{datetime.now(UTC):%Y-%m-%d}.db"
    assert not today.exists()
    desk.know("seed takes at most 200 paths", SEED)
    assert backups.backup_daily(desk.ws.store, now_ms()) == today
    assert backups.backup_daily(desk.ws.store, now_ms()) is None
    assert today.exists(), "the copy just made is not the one thrown away as the oldest"

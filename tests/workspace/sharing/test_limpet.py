"""limpet's own export is read: equal ids for every teammate, trust reset, anchors known again where git allows it."""

import json
from datetime import UTC, datetime, timedelta

from anchormem.model import JsonObject
from anchormem.store import memories
from anchormem.workspace.limpet import ids_of
from workspace.answers.desk import Desk, part, record, records, rows

FILE = ".limpet/memory.jsonl"
NAMES = ("01J8ZQ0000AAAAAAAAAAAAAAA1", "01J8ZQ0000AAAAAAAAAAAAAAA2", "01J8ZQ0000AAAAAAAAAAAAAAA3")


def iso(desk: Desk, days: float) -> str:
    at = datetime.fromtimestamp(desk.ws.now() / 1000, UTC) + timedelta(days=days)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def theirs(desk: Desk, name: str, symbol: str | None, **more: object) -> JsonObject:
    at = iso(desk, 1 / 3600)
    return {
        "id": name, "kind": "decision", "body": f"limpet says {name[-1]} of {symbol}", "source": "explicit",
        "status": "active", "stale_reason": None, "confidence": 0.0003, "created_at": at, "updated_at": at,
        "branch": "main", "origin": None, "evidence_cmd": None, "evidence_digest": None, "evidence_ran_at": None,
        "links": [],
        "anchors": [{"file": "lib/queue.py", "symbol_fqn": symbol, "ast_body_hash": "abcd", "context_hint": ""}],
        **more,
    }  # fmt: skip


def put(desk: Desk, *lines: JsonObject | str) -> None:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    desk.write(FILE, "\n".join(('{"limpet_export": 1, "schema_version": 7}', *texts)) + "\n")


def take(desk: Desk) -> JsonObject:
    return record(desk.admin("import", path=FILE))


def test_memories_of_limpet_come_in_with_their_links_and_are_known_again(desk: Desk) -> None:
    seed, batch, old = NAMES
    put(
        desk,
        theirs(desk, seed, "lib.queue.ScanQueue.seed", links=[{"dst": old, "rel": "supersedes"}]),
        theirs(desk, batch, None, source="verified", evidence_cmd="pytest -q", evidence_digest="ff",
               evidence_ran_at=iso(desk, 1 / 3600)),
        theirs(desk, old, "lib.queue.ScanQueue.batch", status="superseded", archived=True),
        "{cut",
        {"id": "01J8ZQ0000AAAAAAAAAAAAAAA9", "kind": "rumour", "created_at": "yesterday"},
    )  # fmt: skip
    told = take(desk)
    assert (told["new"], told["refused"]) == (3, 2)
    assert [row["line"] for row in rows(told, "refused_lines")] == [5, 6]
    found = desk.whole(ids_of(seed))
    assert (found["conf"], found["imported"], found.get("status", "active")) == (0.8, True, "active")
    assert found["origin"] == f"limpet:{seed}"
    assert [row["at"] for row in rows(found, "anchors")] == ["lib/queue.py::ScanQueue.seed"]
    assert rows(found, "links") == [{"target": ids_of(old), "rel": "supersedes"}]
    assert part(desk.whole(ids_of(batch)), "evidence")["text_only"] is True
    kept = memories.one(desk.ws.store, ids_of(old))
    assert (kept.superseded_by, kept.archived) == (ids_of(seed), True)
    again = take(desk)
    assert (again["new"], again["changed"], again["unchanged"]) == (0, 0, 3)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    assert desk.whole(ids_of(seed))["status"] == "stale"


def test_what_changed_since_the_day_of_the_memory_is_unknown_until_it_is_confirmed(desk: Desk) -> None:
    (name, gone, _) = NAMES
    early = iso(desk, -30)
    put(
        desk,
        theirs(desk, name, "lib.queue.ScanQueue.seed", created_at=early, updated_at=early),
        theirs(desk, gone, "lib.gone.Nothing.here", anchors=[{"file": "lib/gone.py", "symbol_fqn": "lib.gone.f"}]),
    )
    assert take(desk)["new"] == 2
    found = desk.whole(ids_of(name))
    assert found["flags"] == ["unknown:epoch"]
    assert [row["at"] for row in rows(found, "anchors")] == ["lib/queue.py::ScanQueue.seed"]
    assert desk.whole(ids_of(gone))["status"] in ("unknown", "invalidated")
    desk.admin("confirm", ids=[ids_of(name)])
    assert "status" not in desk.whole(ids_of(name))
    assert "imported" in str(records(desk.admin("list")))


def test_a_secret_and_a_foreign_path_are_refused_as_everywhere(desk: Desk) -> None:
    token = "ghp_" + "a8Kd93jQz7Lm2Xc5Vb6Nw4Rt1Yp0Us8He3Fg"
    put(
        desk,
        theirs(desk, NAMES[0], None, body=f"use {token}"),
        theirs(desk, NAMES[1], None, anchors=[{"file": "/etc/passwd", "symbol_fqn": None}]),
        theirs(desk, NAMES[2], None),
    )
    told = take(desk)
    assert (told["new"], told["refused"]) == (1, 2)
    assert token not in str(told)

"""Remember: what is stored, what is refused, what is advised, and how a memory is changed in place."""

import re
import time

import pytest

from anchormem.errors import (
    AmbiguousSymbol,
    AnchormemError,
    BadPath,
    Duplicate,
    NotFound,
    Refused,
    SecretFound,
    UsageError,
)
from anchormem.workspace import advice
from workspace.answers.desk import Desk, record, rows

SEED = {"file": "lib/queue.py", "symbol": "seed"}
BATCH = {"file": "lib/queue.py", "symbol": "ScanQueue.batch"}
PROOF = {"command": "pytest -q tests/test_queue.py", "output": "3 passed"}
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_the_answer_names_the_id_and_the_anchors_as_stored(desk: Desk) -> None:
    answer = record(
        desk.remember("seed takes the first paths", SEED, "NOTES.md", {"file": "NOTES.md", "symbol": "Start"})
    )
    assert re.fullmatch(r"[a-z][0-9a-hjkmnp-tv-z]{9}", str(answer["id"]))
    assert answer["anchors"] == ["lib/queue.py::ScanQueue.seed", "NOTES.md", "NOTES.md::Service.Start"]


def test_who_said_it_and_where_is_kept(desk: Desk) -> None:
    item = desk.whole(desk.know("seed takes the first paths", SEED, by="human"))
    assert (item["by"], item["client"]) == ("human", "pytest")


def test_evidence_makes_it_verified_and_is_kept_up_to_four_kilobytes(desk: Desk) -> None:
    name = desk.know("seed takes the first paths", SEED, evidence={"command": "make check", "output": "é" * 5000})
    item = desk.whole(name)
    assert item["source"] == "verified"
    assert item["conf"] == pytest.approx(0.95)
    assert isinstance(item["evidence"], dict)
    assert len(str(item["evidence"]["output"]).encode()) == 4096
    assert len(str(item["evidence"]["digest"])) == 32


@pytest.mark.parametrize(
    "evidence",
    [
        {"command": "make check", "output": ""},
        {"command": "make check", "output": " \n"},
        {"command": "make check", "output": "1 failed", "exit_code": 1},
        {"command": " ", "output": "3 passed"},
    ],
)
def test_evidence_that_proves_nothing_is_refused(desk: Desk, evidence: dict[str, object]) -> None:
    with pytest.raises(Refused):
        desk.remember("seed takes the first paths", SEED, evidence=evidence)
    assert desk.count() == 0


def test_confidence_is_capped_by_the_source(desk: Desk) -> None:
    said = desk.know("seed takes the first paths", SEED, confidence=0.99)
    mined = desk.know("batch cuts slices", BATCH, confidence=0.99, source="mined")
    assert desk.whole(said)["conf"] == pytest.approx(0.85)
    assert desk.whole(mined)["conf"] == pytest.approx(0.5)
    assert desk.whole(mined)["source"] == "mined"


# ── duplicates and conflicts ────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_in_other_words_in_the_same_place_is_refused_with_the_id(desk: Desk) -> None:
    name = desk.know("callers of seed rely on the order of the paths they gave", SEED)
    with pytest.raises(Duplicate, match=name):
        desk.remember("callers of seed rely on the order of paths they gave", SEED)
    assert desk.count() == 1
    desk.remember("callers of seed rely on the order of paths they gave", SEED, force=True)
    assert desk.count() == 2


def test_the_same_words_elsewhere_are_stored_and_named_as_possible_duplicates(desk: Desk) -> None:
    name = desk.know("callers rely on the order of the paths they gave", SEED)
    answer = record(desk.remember("callers rely on the order of the paths they gave", BATCH))
    assert answer["possible_duplicates"] == [name]


def test_a_correction_is_never_refused_and_names_what_it_corrects(desk: Desk) -> None:
    name = desk.know("seed takes at most 100 paths", SEED)
    answer = record(desk.remember("seed takes at most 200 paths", SEED))
    conflicts = answer["possible_conflicts"]
    assert isinstance(conflicts, list)
    assert conflicts[0]["id"] == name
    assert conflicts[0]["body_preview"] == "seed takes at most 100 paths"
    assert "100" in conflicts[0]["hint"]
    assert "200" in conflicts[0]["hint"]


def test_superseded_and_archived_copies_do_not_block(desk: Desk) -> None:
    body = "callers of seed rely on the order of the paths they gave"
    old = desk.know(body, SEED)
    desk.admin("archive", ids=[old])
    new = desk.know(body, SEED)
    assert record(desk.remember(body, SEED, supersedes=new))["superseded"] == [new]


def test_a_near_copy_is_found_where_the_code_has_moved_to(desk: Desk) -> None:
    name = desk.know("callers of seed rely on the order of the paths they gave", SEED)
    (desk.root / "lib/queue.py").rename(desk.root / "lib/line.py")
    desk.found("order of paths")
    with pytest.raises(Duplicate, match=name):
        desk.remember(
            "callers of seed rely on the order of the paths they gave", {"file": "lib/line.py", "symbol": "seed"}
        )


def test_an_origin_is_unique_even_after_forgetting(desk: Desk) -> None:
    name = desk.know("seed takes the first paths", SEED, origin="notes.md#3")
    desk.admin("forget", ids=[name])
    with pytest.raises(Duplicate, match=name):
        desk.remember("batch cuts slices", BATCH, origin="notes.md#3")


# ── advice ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_number_of_the_body_that_stands_in_the_symbol_is_offered_as_a_ready_quote(desk: Desk) -> None:
    answer = record(desk.remember("seed takes at most 200 paths", SEED))
    (offer,) = answer["advice"] if isinstance(answer["advice"], list) else []
    quote = offer["anchor"]
    assert quote["symbol"] == "ScanQueue.seed"
    assert "200" in quote["quote"]
    name = desk.know("the limit of seed is 200 by default", quote)
    desk.edit("lib/queue.py", "break", "continue")
    assert "status" not in desk.whole(name)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    assert desk.whole(name)["flags"] == ["stale:quote_gone"]


def test_a_number_that_stands_only_in_a_constant_the_symbol_uses_offers_that_constant(desk: Desk) -> None:
    answer = record(desk.remember("a batch holds 50 paths", BATCH))
    assert answer["advice"] == [
        {
            "because": "50 occurs in BATCH_SIZE, which it uses",
            "anchor": {"file": "lib/queue.py", "symbol": "BATCH_SIZE"},
        }
    ]


def test_a_constant_brought_in_from_another_file_is_offered_too(desk: Desk) -> None:
    desk.write("lib/limits.py", "DEPTH = 31\n")
    desk.write("lib/walk.py", "from lib.limits import DEPTH\n\n\ndef walk(top):\n    return top.rglob('*', DEPTH)\n")
    desk.admin("index")
    answer = record(desk.remember("walk goes 31 levels deep", {"file": "lib/walk.py", "symbol": "walk"}))
    assert answer["advice"] == [
        {"because": "31 occurs in DEPTH, which it uses", "anchor": {"file": "lib/limits.py", "symbol": "DEPTH"}}
    ]


def test_a_body_without_anything_to_watch_gets_no_advice(desk: Desk) -> None:
    assert "advice" not in record(desk.remember("callers rely on the order they gave", SEED))


# ── update ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_update_keeps_id_and_history_and_is_rebound_to_todays_code(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    answer = desk.update(name, body="seed takes at most 500 paths")
    assert answer["id"] == name
    assert answer["updated"] == ["body", "anchors"]
    item = desk.whole(name)
    assert item["body"] == "seed takes at most 500 paths"
    assert "status" not in item
    assert [entry["act"] for entry in rows(item, "history")] == ["update"]


def test_an_update_of_the_text_alone_says_that_the_text_alone_changed(desk: Desk) -> None:
    quote = {**SEED, "quote": "limit=200"}
    name = desk.know("seed takes at most 200 paths", SEED, quote, "NOTES.md")
    desk.write("lib/other.py", "X = 1\n")
    desk.commit("more")
    assert desk.update(name, body="seed takes at most 200 paths at once")["updated"] == ["body"]
    desk.edit("lib/queue.py", "\n\n\nclass Base", "\n\n\n# the oldest\nclass Base")
    assert desk.update(name, body="seed takes no more than 200 paths at once")["updated"] == ["body"]
    desk.edit("NOTES.md", "Service", "Services")
    assert desk.update(name, body="seed takes 200 paths at once at most")["updated"] == ["body", "anchors"]


def test_a_verified_memory_changed_without_new_evidence_becomes_explicit(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, evidence=PROOF)
    answer = desk.update(name, body="seed takes at most 200 paths, then stops")
    assert answer["source_was"] == "verified → explicit"
    assert "source" not in desk.whole(name)
    desk.update(name, evidence=PROOF)
    assert desk.whole(name)["source"] == "verified"


def test_an_update_that_leaves_the_content_alone_proves_and_disproves_nothing(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED, evidence=PROOF)
    desk.edit("lib/queue.py", "limit=200", "limit=500")
    assert desk.update(name, private=True)["updated"] == ["private"]
    item = desk.whole(name)
    assert (item["source"], item["status"], item["private"]) == ("verified", "stale", True)


def test_an_update_of_a_memory_whose_code_is_gone_keeps_the_anchor_and_says_so(desk: Desk) -> None:
    name = desk.know("run leaves links out", {"file": "lib/queue.py", "symbol": "Base.run"})
    desk.write("lib/queue.py", "VALUE = 1\n")
    answer = desk.update(name, body="run left links out")
    assert answer["unresolved"] == ["lib/queue.py::Base.run"]


def test_nothing_to_update_a_superseded_one_and_an_unknown_one_are_errors(desk: Desk) -> None:
    name = desk.know("seed takes at most 100 paths", SEED)
    with pytest.raises(UsageError):
        desk.update(name)
    with pytest.raises(UsageError):
        desk.update(name, body="seed takes at most 100 paths")
    new = desk.know("seed takes at most 200 paths", SEED, supersedes=name)
    with pytest.raises(Refused, match=new):
        desk.update(name, body="seed takes many paths")
    with pytest.raises(NotFound):
        desk.update("zzzzzzzzzz", body="x")


def test_an_update_may_replace_the_anchors(desk: Desk) -> None:
    name = desk.know("seed takes at most 200 paths", SEED)
    desk.update(name, anchors=[BATCH])
    assert desk.found("seed paths")[0]["anchors"] == ["lib/queue.py::ScanQueue.batch"]


# ── what is refused, with nothing stored and the next call fine ─────────────────────────────────────────────────────


BAD: list[tuple[str, dict[str, object], type[AnchormemError]]] = [
    ("no body", {"body": ""}, UsageError),
    ("a blank body", {"body": " \n\t"}, UsageError),
    ("a body over 64 KB", {"body": "é" * 32_769}, UsageError),
    ("no kind", {"kind": ""}, UsageError),
    ("an unknown kind", {"kind": "rumour"}, UsageError),
    ("a symbol that is several", {"anchors": [{"file": "lib/twice.py", "symbol": "run"}]}, AmbiguousSymbol),
    ("a symbol that is none", {"anchors": [{"file": "lib/queue.py", "symbol": "sed"}]}, NotFound),
    ("one bad anchor among good ones", {"anchors": [SEED, {"file": "lib/queue.py", "symbol": "sed"}]}, NotFound),
    ("a file that is none", {"anchors": ["lib/nothing.py"]}, NotFound),
    ("an ignored file", {"anchors": [".env"]}, BadPath),
    ("an absolute path", {"anchors": ["/etc/passwd"]}, BadPath),
    ("a path that leads out", {"anchors": ["../outside.py"]}, BadPath),
    ("git's own file", {"anchors": [".git/config"]}, BadPath),
    ("a folder", {"anchors": ["lib"]}, BadPath),
    ("a NUL", {"anchors": ["lib/\0.py"]}, BadPath),
    ("a quote that is not there", {"anchors": [{**SEED, "quote": "limit=999"}]}, Refused),
    ("a quote with an aspect", {"anchors": [{**SEED, "quote": "limit=200", "aspect": "body"}]}, Refused),
    ("a quote without tokens", {"anchors": [{**SEED, "quote": "  "}]}, Refused),
    ("an anchor without a file", {"anchors": [{"symbol": "seed"}]}, UsageError),
    ("an unknown aspect", {"anchors": [{**SEED, "aspect": "mood"}]}, UsageError),
    ("an aspect without a symbol", {"anchors": [{"file": "NOTES.md", "aspect": "signature"}]}, AnchormemError),
    ("a link to nothing", {"links": [{"target": "zzzzzzzzzz", "rel": "supports"}]}, NotFound),
    ("a link of no kind", {"links": [{"target": "zzzzzzzzzz", "rel": "likes"}]}, UsageError),
    ("superseding nothing", {"supersedes": "zzzzzzzzzz"}, NotFound),
    ("a long origin", {"origin": "x" * 257}, UsageError),
]


@pytest.mark.parametrize(("what", "change", "error"), BAD, ids=[row[0] for row in BAD])
def test_it_is_a_clear_error_nothing_is_stored_and_the_next_call_is_fine(
    desk: Desk, what: str, change: dict[str, object], error: type[AnchormemError]
) -> None:
    desk.write("lib/twice.py", "class A:\n    def run(self): return 1\n\n\nclass B:\n    def run(self): return 2\n")
    desk.write(".gitignore", ".env\n")
    desk.write(".env", "KEY=1\n")
    given = {"kind": "fact", "body": "seed takes the first paths", "anchors": [SEED], **change}
    with pytest.raises(error) as caught:
        desk.ask_to_remember(given)
    assert caught.value.message, what
    assert desk.count() == 0
    assert desk.know("seed takes the first paths", SEED)


SECRETS: list[dict[str, object]] = [
    {"body": f"the token is {TOKEN}"},
    {"evidence": {"command": f"curl -H 'Authorization: {TOKEN}'", "output": "ok"}},
    {"evidence": {"command": "env", "output": f"GITHUB_TOKEN={TOKEN}"}},
    {"evidence": {"command": "env", "output": f"{TOKEN[:20]}\n{TOKEN[20:]}"}},
    {"origin": TOKEN},
    {"anchors": [{"file": "lib/queue.py", "symbol": TOKEN}]},
    {"anchors": [f"lib/{TOKEN}.py"]},
    {"anchors": [{**SEED, "quote": TOKEN}]},
    {"supersedes": TOKEN},
    {"links": [{"target": TOKEN, "rel": "supports"}]},
    {"update": TOKEN},
]


@pytest.mark.parametrize("change", SECRETS, ids=["+".join(row) for row in SECRETS])
def test_a_secret_anywhere_is_refused_and_reaches_neither_store_nor_message(
    desk: Desk, change: dict[str, object]
) -> None:
    given = {"kind": "fact", "body": "seed takes the first paths", "anchors": [SEED], **change}
    with pytest.raises(SecretFound) as caught:
        desk.ask_to_remember(given)
    assert TOKEN[4:24] not in caught.value.message + caught.value.hint + str(caught.value)
    assert desk.count() == 0
    for file in desk.ws.directory.rglob("*"):
        if file.is_file():
            assert TOKEN[4:24].encode() not in file.read_bytes()


def test_harmless_texts_that_look_technical_are_stored(desk: Desk) -> None:
    bodies = [
        "see auth/tokens.py:40,:52 for how tokens are read",
        "branch fix-120-part2-retryB-send holds the spike",
        "issues #11/#12/#13 are one fault",
        ".config/app.json is written at start",
        "the digest is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "the tenant is 123e4567-e89b-12d3-a456-426614174000",
    ]
    for body in bodies:
        desk.remember(body, SEED)
    assert desk.count() == len(bodies)


def test_a_file_that_is_not_utf8_keeps_its_file_anchor(desk: Desk) -> None:
    (desk.root / "lib/old.txt").write_bytes(b"caf\xe9 " * 40)
    name = desk.know("the old notes are Latin-1", "lib/old.txt")
    (desk.root / "lib/old.txt").write_bytes(b"caf\xe8 " * 40)
    assert desk.whole(name)["flags"] == ["stale:file_edited"]


@pytest.mark.parametrize("body", ["1_" * 20_000 + "x", "a_" * 30_000, "1.1" * 20_000, "'" * 60_000, "f(" * 30_000])
def test_no_body_takes_long_to_look_through(body: str) -> None:
    began = time.monotonic()
    tuple(advice.values(body))
    tuple(advice._snippets(body, "200"))
    assert time.monotonic() - began < 5


def test_evidence_longer_than_anybody_reads_is_refused_before_it_is_searched(desk: Desk) -> None:
    proof = {"command": "make", "output": "line\n" * 300_000}
    with pytest.raises(UsageError, match=r"evidence\.output has 1,500,000 characters") as refused:
        desk.remember("make prints lines", SEED, evidence=proof)
    assert "last lines" in refused.value.hint
    assert desk.count() == 0

"""Seeding as a whole: once and no more, what is refused, which names become anchors, what stays private."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchormem.errors import NotFound, Refused, SecretFound, UsageError
from anchormem.model import JsonObject, Memory
from anchormem.store import listing, memories
from anchormem.syntax.notes import Note, notes_of
from anchormem.workspace import alike
from anchormem.workspace.binding import printed
from anchormem.workspace.named import Names
from anchormem.workspace.noted import noted
from anchormem.workspace.seed import seed
from anchormem.workspace.session import Workspace
from workspace.seed.conftest import write

NOTES = """\
# Notes

- A batch holds `MAX_BATCH` rows, because the post office drops larger ones without a word.
- Letters are copied before they leave, see `Mailer`.

Nothing here is told to anybody.
"""
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xYzA0bC1d"


def sown(ws: Workspace, text: str | bytes = NOTES, path: str = "NOTES.md", **args: object) -> JsonObject:
    reply = seed(ws, write(ws.root.path, path, text), args)
    assert isinstance(reply.data, dict)
    return reply.data


def stored(ws: Workspace) -> list[Memory]:
    return listing.everything(ws.store)


def why(data: JsonObject) -> list[tuple[object, object]]:
    refused = data.get("refused", [])
    assert isinstance(refused, list)
    return [(one["line"], one["why"]) for one in refused]


def anchors(ws: Workspace, text: str, choice: str = "auto") -> list[str]:
    """The anchors of one note."""
    assert sown(ws, text, anchor=choice)["notes"] == 1
    return [printed(anchor) for anchor in stored(ws)[0].anchors]


def test_seeding_again_changes_nothing(ws: Workspace) -> None:
    assert len(sown(ws)["stored"]) == 3  # type: ignore[arg-type] # a list
    before = stored(ws)
    data = sown(ws)
    assert (data["unchanged"], data.get("stored"), data.get("refused")) == (3, None, None)
    assert stored(ws) == before


def test_what_was_edited_or_forgotten_since_does_not_come_back(ws: Workspace) -> None:
    sown(ws)
    first, second, _ = stored(ws)
    memories.forget(ws.store, first.id, ws.now())
    memories.set_archived(ws.store, second.id, ws.now(), archived=True)
    before = stored(ws)
    assert sown(ws)["unchanged"] == 3
    assert stored(ws) == before


def test_a_note_wrapped_anew_is_the_same_note(ws: Workspace) -> None:
    sown(ws)
    assert sown(ws, NOTES.replace("rows, because", "rows,\n  because"))["unchanged"] == 3


def test_a_rewritten_note_is_refused_and_told_and_forced(ws: Workspace) -> None:
    sown(ws)
    (old,) = [one for one in stored(ws) if "MAX_BATCH" in one.body]
    text = NOTES.replace("because the post office drops larger ones", "since the post office drops bigger ones")
    data = sown(ws, text)
    assert data["refused"] == [
        {
            "line": 3,
            "why": "near_duplicate",
            "of": old.id,
            "body": "Notes: A batch holds `MAX_BATCH` rows, since the post office drops bigger ones without a word.",
        }
    ]
    assert len(stored(ws)) == 3
    assert len(sown(ws, text, force=True)["stored"]) == 1  # type: ignore[arg-type] # a list
    assert sown(ws, text)["unchanged"] == 3


def test_a_correction_is_stored_and_shown_against_what_it_corrects(ws: Workspace) -> None:
    sown(ws, "A batch holds 50 rows in `Queue`.\n")
    assert "200 against 50" in repr(sown(ws, "A batch holds 200 rows in `Queue`.\n")["stored"])


def test_what_is_known_of_the_same_code_already_is_not_told_twice(ws: Workspace) -> None:
    sown(ws)
    data = sown(ws, NOTES, "docs/COPY.md")
    assert why(data) == [(3, "near_duplicate"), (4, "near_duplicate"), (6, "near_duplicate")]


def test_short_notes_under_long_headings_do_not_stand_in_each_others_way(ws: Workspace) -> None:
    head = "# All about the sending of letters\n\n## What the queue does on a busy day\n\n"
    assert "refused" not in sown(ws, f"{head}- It waits\n- It sends\n")
    assert "refused" not in sown(ws, f"{head}- It waits\n- It drops\n")
    assert len(stored(ws)) == 3


def test_a_note_that_stands_there_twice_is_one(ws: Workspace) -> None:
    assert sown(ws, "- the same claim\n- the same claim\n")["notes"] == 1


def test_a_dry_run_says_what_would_be_and_stores_nothing(ws: Workspace) -> None:
    dry = sown(ws, dry_run=True)
    assert stored(ws) == []
    wet = sown(ws)
    assert dry == {**wet, "dry_run": True}


def test_a_secret_is_refused_with_its_note_alone_and_never_shown(ws: Workspace) -> None:
    data = sown(ws, f"- fine claim\n- the token is\n  {TOKEN}\n\n# Under {TOKEN}\n\n- not so fine\n")
    assert data["refused"] == [
        {"line": 2, "why": "secret", "of": "github_token"},
        {"line": 7, "why": "secret", "of": "github_token"},
    ]
    assert [one.body for one in stored(ws)] == ["fine claim"]
    assert TOKEN[6:20] not in repr(data)


def test_what_is_no_note_is_left_out_and_counted_with_its_line(ws: Workspace) -> None:
    data = sown(
        ws,
        "<!-- for editors -->\n\nAccepted\n\n<p>Send at most <b>50</b></p>\n\n- [One](#one)\n\n<br>\n\na real claim\n",
    )
    assert data["left_out"] == [
        {"line": 3, "why": "one_word"},
        {"line": 5, "why": "html"},
        {"line": 7, "why": "links"},
    ]
    assert (data["notes"], [one.body for one in stored(ws)]) == (1, ["a real claim"])
    assert "left_out" not in sown(ws, "- only claims here\n")


def test_a_note_over_the_length_of_a_body_is_refused_alone(ws: Workspace) -> None:
    assert why(sown(ws, f"- {'long ' * 14_000}\n- short claim\n")) == [(1, "too_long")]
    assert len(stored(ws)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see `Queue.drain()`", ["jobs/queue.py::Queue.drain"]),
        ("see `Queue::drain` and `Queue#push`", ["jobs/queue.py::Queue.drain", "jobs/queue.py::Queue.push"]),
        ("see `drain()`", ["jobs/queue.py::Queue.drain"]),
        ("`drain` it, as a word", []),
        ("`drain` of `queue.py`", ["jobs/queue.py::Queue.drain"]),
        ("`rows` and `copy` are words", []),
        ("`jobs/queue.py::Queue.push(row)`", ["jobs/queue.py::Queue.push"]),
        ("`jobs/queue.py:3,:9` and `./ledger.py#L2`", ["jobs/queue.py", "ledger.py"]),
        (r"`jobs\mailer.py` on Windows", ["jobs/mailer.py"]),
        ("`src/api.ts`, `web/src/page`", ["web/src/api.ts", "web/src/page.ts"]),
        ("`ledger.to_cents`", ["ledger.py::to_cents"]),
        ("`__init__` and `Queue.__init__`", ["jobs/queue.py::Queue.__init__"]),
        ("`NOTES.md`, `nothing.py`, `../x.py`, `/etc/passwd`, `.env`, `jobs/`", []),
        ("`uv run x`, `50`, `Design`, `a b`, `--force`", []),
        ("see jobs/queue.py and Queue.drain", []),
        ("```\n`Queue.drain`\n```", []),
    ],
)  # fmt: skip
def test_which_names_become_anchors(shared: Workspace, text: str, expected: list[str]) -> None:
    (note,) = notes_of(text.encode())
    assert list(Names(shared.store, "", "NOTES.md").anchors(note.named, symbols=True)) == expected


def test_what_may_be_two_things_is_no_anchor(ws: Workspace) -> None:
    write(ws.root.path, "other/queue.py", "class Queue:\n    pass\n")
    assert anchors(ws, "See `Queue` and `queue.py` here.\n") == []


def test_a_file_named_beside_it_tells_which_is_meant(ws: Workspace) -> None:
    write(ws.root.path, "other/queue.py", "class Queue:\n    pass\n")
    assert anchors(ws, "See `Queue` in `other/queue.py` here.\n") == ["other/queue.py::Queue"]


def test_names_are_looked_for_beside_the_notes_too(ws: Workspace) -> None:
    write(ws.root.path, "other/queue.py", "class Queue:\n    pass\n")
    sown(ws, "See `queue.py` and `../ledger.py` here.\n", "jobs/NOTES.md")
    assert [printed(anchor) for anchor in stored(ws)[0].anchors] == ["jobs/queue.py", "ledger.py"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("auto", ["jobs/queue.py::Queue.drain", "ledger.py"]), ("file", ["jobs/queue.py", "ledger.py"]), ("none", [])],
)
def test_the_caller_says_what_becomes_an_anchor(ws: Workspace, choice: str, expected: list[str]) -> None:
    text = "See `Queue.drain` in `jobs/queue.py`, and `ledger.py`.\n"
    assert anchors(ws, text, choice) == expected


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        (("T", "Key decisions", "1. Batches"), "decision"),
        (("Decisions", "Context"), "fact"),
        (("Known pitfalls",), "insight"),
        (("T", "Roadmap"), "intent"),
        (("T", "Decisions", "Roadmap"), "intent"),
        (("T",), "fact"),
    ],
)
def test_headings_tell_the_kind(headings: tuple[str, ...], kind: str) -> None:
    assert noted(Note(headings, "a claim", 1, ()), "NOTES.md", None).kind == kind


def test_the_caller_may_say_the_kind(ws: Workspace) -> None:
    sown(ws, "# Decisions\n\na claim\n", kind="episode")
    assert [one.kind for one in stored(ws)] == ["episode"]


def test_notes_that_are_not_the_repositorys_are_private_and_carry_no_path_of_this_machine(
    ws: Workspace, tmp_path: Path
) -> None:
    reply = seed(ws, write(tmp_path / "home", "MEMORY.md", "About `Queue.drain` here.\n"), {})
    assert isinstance(reply.data, dict)
    (one,) = stored(ws)
    assert (reply.data["private"], one.private) == (True, True)
    assert one.origin.startswith("note:MEMORY.md#")
    assert [printed(anchor) for anchor in one.anchors] == ["jobs/queue.py::Queue.drain"]


def test_an_ignored_file_of_notes_is_private(ws: Workspace) -> None:
    write(ws.root.path, ".gitignore", "*.local.md\n")
    assert sown(ws, path="CLAUDE.local.md")["private"] is True


def test_a_link_counts_as_the_file_it_leads_to(ws: Workspace) -> None:
    sown(ws)
    (ws.root.path / "CLAUDE.md").symlink_to("NOTES.md")
    reply = seed(ws, ws.root.path / "CLAUDE.md", {})
    assert isinstance(reply.data, dict)
    assert (reply.data["file"], reply.data["unchanged"]) == ("NOTES.md", 3)


def test_origin_and_id_are_the_same_on_every_machine(ws: Workspace, elsewhere: Workspace) -> None:
    sown(ws, "Gr\u00f6\u00dfe der `Queue`\n", "docs/\u00c4.md")
    sown(elsewhere, "Gro\u0308\u00dfe der\r\n`Queue`\r\n", "docs/A\u0308.md")  # as macOS and Windows may have it
    here, there = stored(ws)[0], stored(elsewhere)[0]
    assert (here.id, here.origin) == (there.id, there.origin)
    assert here.origin[:-16] == "note:docs/\u00c4.md#"


@pytest.mark.parametrize(
    ("data", "error"),
    [(None, NotFound), (b"\0\1\2", UsageError), (b"\xff\x80 odd", UsageError), (b"- " * 5000, Refused)],
)
def test_what_cannot_be_read_is_said_and_changes_nothing(
    ws: Workspace, data: bytes | None, error: type[Exception]
) -> None:
    path = ws.root.path / "NOTES.md"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error):
        seed(ws, path, {})
    with pytest.raises(UsageError):
        seed(ws, ws.root.path / "docs", {})
    assert stored(ws) == []


def test_utf_16_of_windows_is_read(ws: Workspace) -> None:
    assert sown(ws, "größer als `Queue`\r\n".encode("utf-16"))["notes"] == 1


def test_of_many_bodies_those_that_share_most_words_are_compared() -> None:
    bodies = {f"m{n}": f"the queue drops row {n} of batch {n % 7}" for n in range(200)}
    words = alike.Words({**bodies, "x": "letters leave in the evening", "y": "letters leave late in the evening"})
    assert words.near("letters leave in the evening", {"x", "y", "m1"}) == ["x", "y"]
    assert len(words.near("the queue drops row 3 of batch 3", bodies)) == alike.MOST_COMPARED
    assert words.near("the queue drops row 3 of batch 3", bodies)[0] == "m3"
    assert words.near("", bodies) == []


def test_committed_notes_are_as_old_as_their_commit_so_that_a_later_act_stays_the_later_word(
    elsewhere: Workspace, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = elsewhere.root.path
    write(root, "NOTES.md", "a claim of old\n")
    write(root, "NEW.md", "a claim of today\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-31T12:00:00+0900")
    git(root, "add", "NOTES.md")
    git(root, "commit", "-qm", "notes")
    seed(elsewhere, root / "NOTES.md", {})
    seed(elsewhere, root / "NEW.md", {})
    dates = {one.body: one.updated_at for one in stored(elsewhere)}
    assert dates["a claim of old"] == 1_769_817_600_000  # 2026-01-31, midnight UTC
    assert elsewhere.now() - dates["a claim of today"] < 60_000


def test_a_file_that_is_called_like_a_secret_is_refused(ws: Workspace) -> None:
    with pytest.raises(SecretFound) as refused:
        sown(ws, path=f"{TOKEN}.md")
    assert TOKEN[6:20] not in refused.value.message

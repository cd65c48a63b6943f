"""Each row of the table of fates as an agent meets it: through the server, right on the first call after the change."""

from journeys.conftest import Desk
from server.wire import Pipes

LONG = """
    total = 0
    for row in rows:
        if row.amount > 50 and not row.cancelled:
            total += row.amount * row.rate
        elif row.amount < 0:
            total -= abs(row.amount) * row.rate
    return round(total, 2)
"""
SUM = f"def settle(rows, limit=10):{LONG}"
OTHER = "def report(rows):\n    lines = [f'{r.name}: {r.amount}' for r in rows if r.amount]\n    return sorted(lines)\n"


def ledger(desk: Desk) -> str:
    desk.write("ledger.py", SUM + "\n\n" + OTHER)
    desk.commit()
    return desk.remember("ledger.py::settle")


def test_reformatting_comments_and_documentation_leave_a_memory_active(desk: Desk) -> None:
    memory = ledger(desk)
    text = SUM.replace("total = 0\n", "total = (0)  # nothing yet\n\n").replace("limit=10", "limit = 10,")
    desk.write("ledger.py", text + "\n\n" + OTHER)
    assert desk.fate(memory) == "fresh"
    desk.write("ledger.py", SUM.replace(":\n    total", ':\n    """Adds up."""\n    total', 1) + "\n\n" + OTHER)
    assert desk.fate(memory) == "fresh"
    assert desk.recalled(memory)["doc_changed"] is True


def test_a_rename_a_move_and_a_moved_folder_are_followed(desk: Desk) -> None:
    memory = ledger(desk)
    desk.write("ledger.py", SUM.replace("settle", "balance") + "\n\n" + OTHER)
    assert desk.fate(memory) == "followed"
    desk.write("ledger.py", OTHER)
    desk.write("books/sums.py", SUM.replace("settle", "balance"))
    assert desk.fate(memory) == "followed"
    desk.git("add", "-A")
    desk.git("mv", "books", "accounts")
    assert desk.fate(memory) == "followed"
    anchors = desk.recalled(memory)["anchors"]
    assert isinstance(anchors, list)
    assert anchors[0]["at"] == "accounts/sums.py::balance"
    assert anchors[0]["was"] == "ledger.py::settle"


def test_an_old_twin_and_several_equal_bodies_are_ambiguous(desk: Desk) -> None:
    desk.write("twin.py", SUM)
    memory = ledger(desk)
    desk.write("ledger.py", OTHER)
    assert desk.fate(memory) == "stale:ambiguous_anchor"
    anchors = desk.recalled(memory)["anchors"]
    assert isinstance(anchors, list)
    assert "twin.py::settle" in str(anchors[0]["candidates"])
    desk.write("ledger.py", SUM + "\n\n" + OTHER)
    assert desk.fate(memory) == "fresh"


def test_a_tiny_body_is_named_but_never_followed_and_heals(desk: Desk) -> None:
    desk.write("tiny.py", "def size():\n    return 1\n")
    desk.commit()
    memory = desk.remember("tiny.py::size")
    desk.write("tiny.py", "def length():\n    return 1\n")
    assert desk.fate(memory) == "stale:low_entropy"
    desk.write("tiny.py", "def size():\n    return 1\n")
    assert desk.fate(memory) == "fresh"


def test_an_edit_is_stale_says_what_changed_and_an_undone_edit_is_well(desk: Desk) -> None:
    memory = ledger(desk)
    desk.write("ledger.py", SUM.replace("> 50", "> 200") + "\n\n" + OTHER)
    item = desk.recalled(memory)
    assert item["status"] == "stale"
    assert item["changed"] == "50 → 200"
    assert desk.fate(memory) == "stale:body_edited"
    desk.write("ledger.py", SUM + "\n\n" + OTHER)
    assert desk.fate(memory) == "fresh"


def test_signature_exists_and_quote_watch_their_part_alone(desk: Desk) -> None:
    ledger(desk)
    signature = desk.remember({"file": "ledger.py", "symbol": "settle", "aspect": "signature"})
    exists = desk.remember({"file": "ledger.py", "symbol": "settle", "aspect": "exists"})
    quote = desk.remember({"file": "ledger.py", "symbol": "settle", "quote": "row.amount > 50"})
    desk.write("ledger.py", SUM.replace("abs(row.amount)", "-row.amount") + "\n\n" + OTHER)
    assert [desk.fate(each) for each in (signature, exists, quote)] == ["fresh"] * 3
    desk.write("ledger.py", SUM.replace("limit=10", "limit=11").replace("> 50", "> 51") + "\n\n" + OTHER)
    assert desk.fate(signature) == "stale:signature_edited"
    assert desk.fate(exists) == "fresh"
    assert desk.fate(quote) == "stale:quote_gone"


def test_a_file_renamed_and_edited_names_its_successor(desk: Desk) -> None:
    memory = ledger(desk)
    (desk.root / "ledger.py").unlink()
    desk.write("journal.py", SUM.replace("> 50", "> 60") + "\n\n" + OTHER)
    assert desk.fate(memory) == "stale:moved_and_edited"
    anchors = desk.recalled(memory)["anchors"]
    assert isinstance(anchors, list)
    assert "journal.py::settle" in str(anchors[0]["candidates"])


def test_a_file_anchor_is_fresh_followed_stale_or_ambiguous(desk: Desk) -> None:
    text = "# Notes\n\n" + "\n".join(f"- the {n}th thing to know is not the {n + 1}th" for n in range(30)) + "\n"
    desk.write("notes.txt", text)
    desk.commit()
    memory = desk.remember("notes.txt")
    desk.write("notes.txt", text.replace("\n", "\r\n"))
    assert desk.fate(memory) == "fresh"
    desk.write("notes.txt", text + "- one more\n")
    assert desk.fate(memory) == "stale:file_edited"
    (desk.root / "notes.txt").unlink()
    desk.write("docs/notes.txt", text)
    assert desk.fate(memory) == "followed"


def test_half_typed_code_is_unknown_and_well_when_it_parses_again(desk: Desk) -> None:
    memory = ledger(desk)
    desk.write("ledger.py", SUM.replace("round(total, 2)", "round((total, 2") + "\n\n" + OTHER)
    assert desk.fate(memory) == "unknown:parse_error"
    assert desk.status(memory) == "unknown"
    desk.write("ledger.py", SUM + "\n\n" + OTHER)
    assert desk.status(memory) == "active"


def test_code_of_another_branch_is_unknown_here_and_well_there(desk: Desk) -> None:
    desk.write("readme.txt", "first\n")
    desk.commit()
    desk.git("checkout", "-qb", "feature")
    memory = ledger(desk)
    desk.git("checkout", "-q", "main")
    assert desk.fate(memory) == "unknown:other_branch"
    desk.git("checkout", "-q", "feature")
    assert desk.fate(memory) == "fresh"


def test_code_never_committed_that_vanishes_is_unknown(desk: Desk) -> None:
    desk.write("readme.txt", "first\n")
    desk.commit()
    desk.write("ledger.py", SUM)
    memory = desk.remember("ledger.py::settle")
    (desk.root / "ledger.py").unlink()
    assert desk.fate(memory) == "unknown:uncommitted"


def test_deleted_code_invalidates_is_still_recalled_with_its_flag_and_heals(desk: Desk) -> None:
    memory = ledger(desk)
    desk.write("ledger.py", OTHER)
    desk.commit()
    assert desk.status(memory) == "invalidated"
    (item,) = desk.items(task="what is there to know about settle")
    assert "invalidated:anchor_deleted" in str(item["flags"])
    mapped = desk.answer("map", target="ledger.py")
    assert "settle" not in str(mapped["symbols"])  # type: ignore[index] # JSON: no ghost of what is gone
    desk.git("revert", "--no-edit", "HEAD")
    assert desk.status(memory) == "active"


def test_one_anchor_lost_of_two_is_stale_and_said_first(desk: Desk) -> None:
    desk.write("ledger.py", SUM + "\n\n" + OTHER)
    desk.commit()
    memory = desk.remember("ledger.py::settle", "ledger.py::report")
    desk.write("ledger.py", OTHER.replace("sorted", "list"))
    desk.commit()
    item = desk.recalled(memory)
    assert item["status"] == "stale"
    flags = item["flags"]
    assert isinstance(flags, list)
    assert flags[0] == "stale:anchor_lost"
    assert "stale:body_edited" in flags


def test_a_worktree_has_its_own_fates_and_the_same_memories(desk: Desk) -> None:
    memory = ledger(desk)
    tree = desk.root.parent / "tree"
    desk.git("worktree", "add", "-q", "-b", "side", str(tree))
    (tree / "ledger.py").write_text(SUM.replace("> 50", "> 70") + "\n\n" + OTHER, "utf-8")

    with Pipes(tree) as pipes:
        pipes.shake_hands()
        there = Desk(tree, pipes)
        assert there.fate(memory) == "stale:body_edited"
        assert desk.fate(memory) == "fresh"
        assert there.fate(memory) == "stale:body_edited"
        learnt = there.remember("ledger.py::report", body="learnt in the worktree")
    desk.git("worktree", "remove", "--force", str(tree))
    assert desk.recalled(learnt)["body"] == "learnt in the worktree"
